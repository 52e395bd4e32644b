#!/usr/bin/env bash
# tokenlens 1.3.1 (npm), costs and limits of models for programs on the AI SDK; genai-prices 0.2.3 (PyPI) computes the same calls beside it.
# Behaviour: tokens that came from the provider's cache are paid twice, once at the full price as part of the input and once at the cache's price, so that the usual call of an agent (nearly all of
# its input cached) costs five times too much. From Anthropic's own counts it is right, for there the input has no cached tokens in it. The usage of Gemini's API and
# the nested one of the AI SDK's newer models cost nothing, without an error. A name without a provider is answered for the first reseller that has it: the window of
# gpt-5-mini is 272,000 rather than 400,000.
# Seen:   52,100 tokens in, 50,000 of them cached: 0.0764 dollars, right is 0.0139 / the same as Gemini counts it: 0 / gpt-5-mini: 272000, openai/gpt-5-mini: 400000
# Most would guess: cached tokens are taken out of the input before it is paid, as each provider bills them, and a usage that is not understood is an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund tokenlens@1.3.1
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check genai-prices==0.2.3
cat > run.mjs <<'JS'
import { costFromUsage, getContextWindow, normalizeUsage } from 'tokenlens';
const id = 'openai/gpt-5';
const counts = {
  'OpenAI, Chat Completions': { prompt_tokens: 52100, completion_tokens: 500, total_tokens: 52600, prompt_tokens_details: { cached_tokens: 50000 } },
  'AI SDK 5': { inputTokens: 52100, outputTokens: 500, totalTokens: 52600, cachedInputTokens: 50000 },
  'nothing cached': { inputTokens: 52100, outputTokens: 500, totalTokens: 52600 },
  'Anthropic': { input_tokens: 2100, output_tokens: 500, cache_read_input_tokens: 50000 },
  'AI SDK, nested': { inputTokens: { total: 52100, noCache: 2100, cacheRead: 50000 }, outputTokens: { total: 500 } },
  'Gemini': { promptTokenCount: 52100, candidatesTokenCount: 500, cachedContentTokenCount: 50000, totalTokenCount: 52600 },
};
for (const [name, usage] of Object.entries(counts)) console.log(`${name}: ${costFromUsage({ id, usage }).toFixed(6)}, tokens ${normalizeUsage(usage).total}`);
for (const name of ['gpt-5-mini', 'openai/gpt-5-mini', 'claude-sonnet-4', 'anthropic/claude-sonnet-4']) console.log(`${name}: ${getContextWindow(name).totalMax}`);
JS
cat > run.py <<'PY'
from genai_prices import Usage, calc_price

for name, usage in [('cached', Usage(input_tokens=52100, cache_read_tokens=50000, output_tokens=500)), ('nothing cached', Usage(input_tokens=52100, output_tokens=500))]:
    print(f"genai-prices, {name}: {calc_price(usage, 'gpt-5', provider_id='openai').total_price:.6f}")
PY
echo "tokenlens $(node -p "JSON.parse(require('fs').readFileSync('node_modules/tokenlens/package.json')).version"), genai-prices $(env/bin/python -c "import importlib.metadata as m; print(m.version('genai-prices'))")"
{ node run.mjs; env/bin/python run.py; } | tee out
diff out - <<'END'
OpenAI, Chat Completions: 0.076375, tokens 52600
AI SDK 5: 0.076375, tokens 52600
nothing cached: 0.070125, tokens 52600
Anthropic: 0.013875, tokens 2600
AI SDK, nested: 0.000000, tokens 0
Gemini: 0.000000, tokens 0
gpt-5-mini: 272000
openai/gpt-5-mini: 400000
claude-sonnet-4: 128000
anthropic/claude-sonnet-4: 200000
genai-prices, cached: 0.013875
genai-prices, nothing cached: 0.070125
END
