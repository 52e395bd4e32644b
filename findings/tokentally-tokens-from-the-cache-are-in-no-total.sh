#!/usr/bin/env bash
# tokentally 0.1.1 (npm), which counts tokens and dollars of answers of several providers: normalizeTokenUsage and estimateUsdCost.
# Behaviour: Anthropic's usage has the tokens that were read from the cache and written to it beside input_tokens, not in it. normalizeTokenUsage takes input_tokens alone: of 1,060 tokens 110 are left, there is no field for the others, and the cost is that
# of the 110. OpenAI's prompt_tokens hold the cached ones, so there all 1,000 are paid in full. Of one and the same work the first costs a tenth and the second too much.
# Seen:   Anthropic, 100 + 900 read + 50 written + 10: total 110 / OpenAI, 1000 of which 900 cached + 10: total 1010
# Expected by most: 1,060 tokens, the cached ones told apart.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund tokentally@0.1.1
cat > run.mjs <<'JS'
import { estimateUsdCost, normalizeTokenUsage, pricingFromUsdPerMillion } from 'tokentally';

const pricing = pricingFromUsdPerMillion({ inputUsdPerMillion: 3, outputUsdPerMillion: 15 });
const usages = {
  'Anthropic, no cache': { input_tokens: 1050, output_tokens: 10 },
  'Anthropic, cached': { input_tokens: 100, cache_read_input_tokens: 900, cache_creation_input_tokens: 50, output_tokens: 10 },
  'OpenAI, cached': { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010, prompt_tokens_details: { cached_tokens: 900 } },
};
for (const [name, raw] of Object.entries(usages)) {
  const usage = normalizeTokenUsage(raw);
  console.log(`${name}: ${JSON.stringify(usage)}, ${estimateUsdCost({ usage, pricing }).totalUsd.toFixed(5)} dollars`);
}
JS
echo "tokentally $(node -p "JSON.parse(require('fs').readFileSync('node_modules/tokentally/package.json')).version")"
node run.mjs | tee out
diff out - <<'END'
Anthropic, no cache: {"inputTokens":1050,"outputTokens":10,"totalTokens":1060}, 0.00330 dollars
Anthropic, cached: {"inputTokens":100,"outputTokens":10,"totalTokens":110}, 0.00045 dollars
OpenAI, cached: {"inputTokens":1000,"outputTokens":10,"totalTokens":1010}, 0.00315 dollars
END
