#!/usr/bin/env bash
# curl-to-postmanv2 1.8.4 (npm, Postman's own importer of curl commands) and @bany/curl-to-json 1.2.10 (npm), against curlconverter 4.12.0 (npm) and what curl's manual says.
# Behaviour: Postman's importer answers with success for options that it passes over (its page names seven that it knows). --json, which stands in the guides of many APIs, becomes a GET without a body, --url-query is gone, and in
# --data-urlencode 'q=a b&c' the value is cut at the & that the option is there for. With -G the parameters go into the address and stay in a body too. An empty -d '' takes the address for its data.
# @bany/curl-to-json does the like, and gives no body at all for JSON with an apostrophe that is quoted as shells ask for, and for -G a POST.
# Seen:   curl --json '{"a": 1}' U: GET, no body / --data-urlencode 'q=a b&c': q is "a b", c is "" / JSON with it'\''s: data {}; curlconverter: POST with the JSON, q is "a b&c"
# Most would guess: the request that curl would send, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund curl-to-postmanv2@1.8.4 @bany/curl-to-json@1.2.10 curlconverter@4.12.0
cat > commands <<'C'
curl https://api.test/a -d a=1 -d b=2
curl --json '{"a": 1}' https://api.test/a
curl https://api.test/a --data-urlencode 'q=a b&c'
curl -G https://api.test/a -d a=1 -d b=2
curl --url-query q=1 https://api.test/a
curl -d '' https://api.test/a
curl https://api.test/a -H 'Content-Type: application/json' -d '{"s": "it'\''s"}'
C
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { toJsonString } from 'curlconverter';
const require = createRequire(import.meta.url);
const postman = require('curl-to-postmanv2');
const bany = require('@bany/curl-to-json');
const read = (find) => { try { return JSON.stringify(find()); } catch (error) { return 'error: ' + error.message; } };
for (const data of readFileSync('commands', 'utf8').trim().split('\n')) {
  console.log(data);
  postman.convert({ type: 'string', data }, (error, { result, output, reason }) => {
    if (!result) return console.log('    curl-to-postmanv2 error: ' + reason);
    const { method, url, body } = output[0].data;
    const fields = body.urlencoded?.map(({ key, value }) => [key, value]);
    console.log(`    curl-to-postmanv2 ${method} ${url} ${JSON.stringify(fields ?? body.raw ?? null)}`);
  });
  console.log('    @bany/curl-to-json ' + read(() => bany(data)));
  console.log('    curlconverter ' + read(() => { const { method, url, data: sent, queries } = JSON.parse(toJsonString(data)); return { method, url, data: sent, queries }; }));
}
JS
for name in curl-to-postmanv2 @bany/curl-to-json curlconverter; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
node run.mjs | tee out
diff out - <<'END'
curl https://api.test/a -d a=1 -d b=2
    curl-to-postmanv2 POST https://api.test/a [["a","1"],["b","2"]]
    @bany/curl-to-json {"url":"https://api.test/a","data":{"a":"1","b":"2"},"method":"POST"}
    curlconverter {"method":"post","url":"https://api.test/a","data":{"a":"1","b":"2"}}
curl --json '{"a": 1}' https://api.test/a
    curl-to-postmanv2 GET https://api.test/a null
    @bany/curl-to-json {"url":"https://api.test/a","method":"GET"}
    curlconverter {"method":"post","url":"https://api.test/a","data":{"a":1}}
curl https://api.test/a --data-urlencode 'q=a b&c'
    curl-to-postmanv2 POST https://api.test/a [["q","a b"],["c",""]]
    @bany/curl-to-json {"url":"https://api.test/a","data":{"q":"a b"},"method":"POST"}
    curlconverter {"method":"post","url":"https://api.test/a","data":{"q":"a b&c"}}
curl -G https://api.test/a -d a=1 -d b=2
    curl-to-postmanv2 GET https://api.test/a?a=1&b=2 [["a","1"],["b","2"]]
    @bany/curl-to-json {"data":{"a":"1","b":"2"},"method":"POST"}
    curlconverter {"method":"get","url":"https://api.test/a","queries":{"a":"1","b":"2"}}
curl --url-query q=1 https://api.test/a
    curl-to-postmanv2 GET https://api.test/a null
    @bany/curl-to-json {"url":"https://api.test/a","method":"GET"}
    curlconverter {"method":"get","url":"https://api.test/a","queries":{"q":"1"}}
curl -d '' https://api.test/a
    curl-to-postmanv2 POST https://api.test/a [["https://api.test/a",""]]
    @bany/curl-to-json error: data.forEach is not a function
    curlconverter {"method":"post","url":"https://api.test/a","data":""}
curl https://api.test/a -H 'Content-Type: application/json' -d '{"s": "it'\''s"}'
    curl-to-postmanv2 POST https://api.test/a "{\"s\": \"it's\"}"
    @bany/curl-to-json {"url":"https://api.test/a","data":{},"header":{"Content-Type":"application/json"},"method":"POST"}
    curlconverter {"method":"post","url":"https://api.test/a","data":{"s":"it's"}}
END
