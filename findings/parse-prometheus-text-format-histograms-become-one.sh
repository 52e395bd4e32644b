#!/usr/bin/env bash
# parse-prometheus-text-format 1.1.1 (npm), which makes JSON of what services show on /metrics.
# Behaviour: a histogram or a summary is taken to have no labels of its own. Where it has, as latencies by path or by method always do, all its series become one: of each bucket the last series'
# figure is kept, the labels are gone, and so are the sum and the count, without an error. What is left reads like the whole. Counters and gauges keep their labels.
# Seen:   /a with 100 requests and /b with 4: {"buckets":{"0.1":"1","+Inf":"4"}} and no sum, no count / the same without labels: buckets, count 100, sum 12.5
# Most would guess: one entry for each set of labels, as with counters.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund parse-prometheus-text-format@1.1.1
cat > run.mjs <<'JS'
import parse from 'parse-prometheus-text-format';
const histogram = (label) => (within, under, all, sum) => [`s_bucket{${label(within)}le="0.1"} ${under}`, `s_bucket{${label(within)}le="+Inf"} ${all}`, `s_sum{${label(within)}} ${sum}`, `s_count{${label(within)}} ${all}`].join('\n').replaceAll('{}', '');
const labelled = histogram((path) => `path="${path}",`);
const bare = histogram(() => '');
const tried = {
  'by path': ['# TYPE s histogram', labelled('/a', 90, 100, 12.5), labelled('/b', 1, 4, 30)],
  'without labels': ['# TYPE s histogram', bare('', 90, 100, 12.5)],
  'summary by path': ['# TYPE s summary', 's{path="/a",quantile="0.5"} 1', 's_sum{path="/a"} 10', 's_count{path="/a"} 5', 's{path="/b",quantile="0.5"} 7', 's_sum{path="/b"} 70', 's_count{path="/b"} 9'],
  'counter by path': ['# TYPE s counter', 's{path="/a"} 1', 's{path="/b"} 7'],
};
for (const [name, lines] of Object.entries(tried)) console.log(`${name}: ${JSON.stringify(parse(lines.join('\n').replaceAll(',}', '}') + '\n').map((family) => family.metrics))}`);
JS
echo "parse-prometheus-text-format $(node -p "JSON.parse(require('fs').readFileSync('node_modules/parse-prometheus-text-format/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
by path: [[{"buckets":{"0.1":"1","+Inf":"4"}}]]
without labels: [[{"buckets":{"0.1":"90","+Inf":"100"},"count":"100","sum":"12.5"}]]
summary by path: [[{"quantiles":{"0.5":"7"}}]]
counter by path: [[{"value":"1","labels":{"path":"/a"}},{"value":"7","labels":{"path":"/b"}}]]
END
