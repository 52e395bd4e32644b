#!/usr/bin/env bash
# @opentelemetry/exporter-prometheus 0.301.0 with @opentelemetry/sdk-metrics 3.1.1 (npm): what it writes for Prometheus, read with prometheus-client 0.26.0 (PyPI).
# Behaviour: dots in names become underscores, and what meets there is not joined. A measurement with the attributes http.route and http_route, as happens while old and new conventions are in use
# side by side, gets the same label twice in a line. A reader refuses the whole page for it, with all other metrics. Two counters "a.b" and "a_b" are written as one name with
# two values. An attribute that is a list becomes JSON in a label. Units do not become part of the name, so milliseconds and seconds look alike.
# Seen:   {http_route="/a",http_route="/b"}: nothing of the page can be read / a_b_total twice: 1 and 2
# Expected by most: values joined as OpenTelemetry's own rules say (http_route="/a;/b"), or a warning.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @opentelemetry/exporter-prometheus@0.301.0 @opentelemetry/sdk-metrics@3.1.1 @opentelemetry/api@1.10.0
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check prometheus-client==0.26.0
cat > run.cjs <<'JS'
const { writeFileSync } = require('node:fs');
const { PrometheusExporter, PrometheusSerializer } = require('@opentelemetry/exporter-prometheus');
const { MeterProvider } = require('@opentelemetry/sdk-metrics');
async function page(name, use) {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  use(new MeterProvider({ readers: [exporter] }).getMeter('demo'));
  const { resourceMetrics } = await exporter.collect();
  const lines = new PrometheusSerializer('', false).serialize(resourceMetrics).split('\n').filter((line) => !/^# HELP|target_info/.test(line));
  writeFileSync(name, lines.join('\n'));
  console.log(name + '\n' + lines.filter(Boolean).map((line) => '  ' + line).join('\n'));
}
(async () => {
  await page('one-attribute', (meter) => {
    meter.createCounter('requests').add(2, { 'http.route': '/a', tags: ['x', 'y'] });
    meter.createGauge('wait', { unit: 'ms' }).record(5);
  });
  await page('two-attributes', (meter) => {
    meter.createCounter('requests').add(2, { 'http.route': '/a', http_route: '/b' });
    meter.createGauge('wait', { unit: 'ms' }).record(5);
  });
  await page('two-counters', (meter) => {
    meter.createCounter('a.b').add(1);
    meter.createCounter('a_b').add(2);
  });
})();
JS
cat > run.py <<'PY'
from prometheus_client.parser import text_string_to_metric_families

for name in ('one-attribute', 'two-attributes', 'two-counters'):
    try:
        print('read:', name, [(sample.name, sample.value) for family in text_string_to_metric_families(open(name).read()) for sample in family.samples])
    except ValueError:
        print('read:', name, 'ValueError')
PY
echo "@opentelemetry/exporter-prometheus $(node -p "require('./node_modules/@opentelemetry/exporter-prometheus/package.json').version")"
{ node run.cjs; env/bin/python run.py; } | tee out
diff out - <<'END'
one-attribute
  # TYPE requests_total counter
  requests_total{http_route="/a",tags="[\"x\",\"y\"]",otel_scope_name="demo"} 2
  # UNIT wait ms
  # TYPE wait gauge
  wait{otel_scope_name="demo"} 5
two-attributes
  # TYPE requests_total counter
  requests_total{http_route="/a",http_route="/b",otel_scope_name="demo"} 2
  # UNIT wait ms
  # TYPE wait gauge
  wait{otel_scope_name="demo"} 5
two-counters
  # TYPE a_b_total counter
  a_b_total{otel_scope_name="demo"} 1
  a_b_total{otel_scope_name="demo"} 2
read: one-attribute [('requests_total', 2), ('wait', 5)]
read: two-attributes ValueError
read: two-counters [('a_b_total', 1), ('a_b_total', 2)]
END
