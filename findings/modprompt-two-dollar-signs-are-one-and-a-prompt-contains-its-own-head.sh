#!/usr/bin/env bash
# npm modprompt 0.3.6, prompt templates for language models: PromptTemplate, prompt() and addShot().
# Behaviour: the text of the user is put in as the replacement of String.replace, so that its dollar signs are commands. $$ becomes $. $& becomes the word {prompt}. $` becomes all that stands before it, with the system part,
# and $' all that stands behind it. Shell and make files, money and regular expressions in a question reach the model changed. The question of a shot is changed as well, its answer is not.
# Seen:   "echo $$": echo $ / "s/x/[$&]/": s/x/[{prompt}]/ / "cost=$`date`": the head of the template in the middle of the question
# Expected by most: the text as it was given.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts modprompt@0.3.6 2> /dev/null
cat > run.mjs <<'JS'
import { PromptTemplate } from 'modprompt';

for (const text of ['echo $$', 's/x/[$&]/', 'cost=$`date`', "awk '{print $'n'}'", 'It costs $5.']) {
  console.log(text, '->', JSON.stringify(new PromptTemplate('alpaca').prompt(text)));
}
const withShot = new PromptTemplate('alpaca');
withShot.addShot('echo $$', 'prints $&');
console.log('a shot ->', JSON.stringify(withShot.prompt('next')));
JS
echo "modprompt $(node -p "JSON.parse(require('fs').readFileSync('node_modules/modprompt/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
echo $$ -> "Below is an instruction that describes a task. Write a response that appropriately completes the request.\n\n### Instruction:\necho $\n\n### Response:"
s/x/[$&]/ -> "Below is an instruction that describes a task. Write a response that appropriately completes the request.\n\n### Instruction:\ns/x/[{prompt}]/\n\n### Response:"
cost=$`date` -> "Below is an instruction that describes a task. Write a response that appropriately completes the request.\n\n### Instruction:\ncost=Below is an instruction that describes a task. Write a response that appropriately completes the request.\n\n### Instruction:\ndate`\n\n### Response:"
awk '{print $'n'}' -> "Below is an instruction that describes a task. Write a response that appropriately completes the request.\n\n### Instruction:\nawk '{print \n\n### Response:n'}'\n\n### Response:"
It costs $5. -> "Below is an instruction that describes a task. Write a response that appropriately completes the request.\n\n### Instruction:\nIt costs $5.\n\n### Response:"
a shot -> "Below is an instruction that describes a task. Write a response that appropriately completes the request.\n\n### Instruction:\necho $\n\n### Response:prints $&\n\n### Instruction:\nnext\n\n### Response:"
END
