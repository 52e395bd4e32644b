#!/usr/bin/env bash
# eslint 10.15.0 with @microsoft/eslint-formatter-sarif 3.1.0 (npm), its report read by sarif-tools 3.0.5 (PyPI).
# Behaviour: in SARIF a file that can not be parsed is no result: it stands under invocations, as a notification. What a comment in the file switched off IS a result, with a list of suppressions in it, and
# sarif-tools does not look at that list. So for a file that eslint refuses (exit code 1) the report has no results, and `sarif --check error` passes it; for one that eslint passes (exit code 0)
# the report has an error, and the check fails. In a run with one of each the two totals are equal, and count other things. The JUnit form (eslint-formatter-junit 9.0.1) counts each warning as an error
# in its head, above elements that are <failure>.
# Seen:   let x = ;: eslint 1, sarif 0, "error: 0" / a debugger that is allowed by a comment: eslint 0, sarif 1, "error: 1" / one warning: errors="1", <failure
# Most would guess: the same verdict from both, as the one report is the other's.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund eslint@10.15.0 @microsoft/eslint-formatter-sarif@3.1.0 eslint-formatter-junit@9.0.1
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check sarif-tools==3.0.5
cat > eslint.config.mjs <<'JS'
export default [{ files: ['**/*.js'], rules: { 'no-debugger': 'error', 'no-undef': 'warn' } }];
JS
mkdir broken allowed both warned
echo 'let x = ;' | tee broken/a.js > both/a.js
echo 'debugger; // eslint-disable-line no-debugger' | tee allowed/b.js > both/b.js
echo 'order();' > warned/c.js
version() { node -p "JSON.parse(require('fs').readFileSync('node_modules/$1/package.json', 'utf8')).version"; }
echo "eslint $(version eslint), @microsoft/eslint-formatter-sarif $(version @microsoft/eslint-formatter-sarif), sarif-tools $(env/bin/python -c "import importlib.metadata as m; print(m.version('sarif-tools'))")"
{
  for folder in broken allowed both; do
    code=0; npx eslint "$folder" -f json > report.json || code=$?
    npx eslint "$folder" -f @microsoft/eslint-formatter-sarif -o report.sarif || true
    check=0; env/bin/sarif --check error summary report.sarif > summary 2> /dev/null || check=$?
    node -e "
      const { readFileSync } = require('fs');
      const { results = [], invocations = [] } = JSON.parse(readFileSync('report.sarif', 'utf8')).runs[0];
      const errors = JSON.parse(readFileSync('report.json', 'utf8')).reduce((sum, file) => sum + file.errorCount, 0);
      console.log('$folder: eslint', $code + ', errors', errors + '; SARIF results', results.length + ', suppressed', results.filter((result) => result.suppressions?.length).length + ', notifications', (invocations[0]?.toolConfigurationNotifications ?? []).length);"
    echo "$folder: sarif $check, $(grep '^error' summary)"
  done
  npx eslint warned -f junit | grep -o 'tests="[0-9]*" errors="[0-9]*"\|<failure'
} | tee out
diff out - <<'END'
broken: eslint 1, errors 1; SARIF results 0, suppressed 0, notifications 1
broken: sarif 0, error: 0
allowed: eslint 0, errors 0; SARIF results 1, suppressed 1, notifications 0
allowed: sarif 1, error: 1
both: eslint 1, errors 1; SARIF results 1, suppressed 1, notifications 1
both: sarif 1, error: 1
tests="1" errors="1"
<failure
END
