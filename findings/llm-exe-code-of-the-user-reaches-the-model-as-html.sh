#!/usr/bin/env bash
# llm-exe 3.0.4 (npm), createChatPrompt and a text prompt, with values in double braces as everywhere in its examples.
# Behaviour: values are made safe for HTML, though the text goes to a model and never to a page. <, >, &, quotes, backticks and the equals sign of what the user wrote become entities.
# A question about code reaches the model with &lt; and &#x3D;, and is longer. Messages of the history go untouched, so one text stands there in two spellings.
# Three braces leave a value as it is.
# Seen:   if (a < b && c === "d") -> if (a &lt; b &amp;&amp; c &#x3D;&#x3D;&#x3D; &quot;d&quot;) / in the history: unchanged / {{{input}}}: unchanged
# Expected by most: the text as the user wrote it, since it is a prompt.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > npm.log 2>&1
npm install --silent --no-audit --no-fund llm-exe@3.0.4 >> npm.log 2>&1 || { cat npm.log; exit 1; }
cat > run.cjs <<'JS'
const fs = require('fs');
const { createChatPrompt, createPrompt } = require('llm-exe');

console.log('llm-exe', JSON.parse(fs.readFileSync('node_modules/llm-exe/package.json', 'utf8')).version);
const code = 'if (a < b && c === "d") { return `it\'s ${x}`; }';
const chat = createChatPrompt('You review {{language}} code.');
chat.addChatHistoryPlaceholder('history');
chat.addUserMessage('What does this do? {{input}}');
for (const message of chat.format({ language: 'C & C++', input: code, history: [{ role: 'user', content: code }] })) {
  console.log(message.role + ':', message.content);
}
console.log('text:', createPrompt('text', 'Translate: {{input}}').format({ input: "Rock'n'roll & more" }));
const raw = createChatPrompt('You review code.');
raw.addUserMessage('{{{input}}}');
console.log('three braces, the same text:', raw.format({ input: code })[1].content === code);
JS
node run.cjs | tee out
diff out - <<'END'
llm-exe 3.0.4
system: You review C &amp; C++ code.
user: if (a < b && c === "d") { return `it's ${x}`; }
user: What does this do? if (a &lt; b &amp;&amp; c &#x3D;&#x3D;&#x3D; &quot;d&quot;) { return &#x60;it&#x27;s ${x}&#x60;; }
text: Translate: Rock&#x27;n&#x27;roll &amp; more
three braces, the same text: true
END
