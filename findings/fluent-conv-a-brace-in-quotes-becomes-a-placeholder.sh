#!/usr/bin/env bash
# fluent_conv 3.3.0 (npm), ftl2js and js2ftl, which carry Fluent's texts to JSON and back; @fluent/bundle 0.19.1 (npm) formats both.
# Behaviour: Fluent writes a brace that is to be shown as {"{"}. The value in JSON has the bare brace, and what is written back has it too: there it begins a placeholder. So {"{"}name{"}"} becomes { name },
# which asks for a message of that name, and the reader sees the name as an error or another message's text in its place. Blanks at the ends in {" "} go as well.
# Seen:   Use {"{"}user{"}"} here: Use { user } here: shown with the text of the message user / {" "}km: km
# Expected by most: the same text after the way back.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund fluent_conv@3.3.0 @fluent/bundle@0.19.1
cat > run.mjs <<'JS'
import { FluentBundle, FluentResource } from '@fluent/bundle';
import fluent from 'fluent_conv';
const source = `user = Ann
braces = Use {"{"}user{"}"} here
other = Use {"{"}id{"}"} here
unit = {" "}km
argument = Hi { $who }
`;
const values = fluent.ftl2js(source);
const written = fluent.js2ftl(values);
console.log(JSON.stringify(values));
console.log(written.trim().replaceAll('\n\n', '\n'));
const show = (name, text) => {
  const bundle = new FluentBundle('en', { useIsolating: false });
  bundle.addResource(new FluentResource(text));
  for (const id of Object.keys(values)) console.log(`${name} ${id}: ${JSON.stringify(bundle.hasMessage(id) ? bundle.formatPattern(bundle.getMessage(id).value, { who: 'Bob' }, []) : null)}`);
};
show('before', source); show('after', written);
JS
echo "fluent_conv $(node -p "JSON.parse(require('fs').readFileSync('node_modules/fluent_conv/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
{"user":"Ann","braces":"Use {user} here","other":"Use {id} here","unit":" km","argument":"Hi { $who }"}
user = Ann
braces = Use {user} here
other = Use {id} here
unit =  km
argument = Hi { $who }
before user: "Ann"
before braces: "Use {user} here"
before other: "Use {id} here"
before unit: " km"
before argument: "Hi Bob"
after user: "Ann"
after braces: "Use Ann here"
after other: "Use {id} here"
after unit: "km"
after argument: "Hi Bob"
END
