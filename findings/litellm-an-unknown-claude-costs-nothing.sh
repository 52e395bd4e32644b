#!/usr/bin/env bash
# litellm 1.110.2 (PyPI), the costs of calls in proxies and agents, with the table of prices that it ships; genai-prices 0.2.3 (PyPI) computes the same calls beside it.
# Behaviour: a model that is not in the table is an error, as it should be, but not if its name has the form claude-WORD-NUMBER: then litellm makes an entry of its own with a price of 0 and a limit of
# 64,000 tokens, and the call costs 0.0, without a warning, in cost_per_token and in completion_cost. The table no longer has Claude Sonnet 4, Opus 4 and Opus 4.1 under Anthropic's names, so the calls in
# older logs are free, also under names of Vertex AI, OpenRouter and Azure; a new model that came after the table, and a slip in a date, are free too. An older Claude that is gone
# (claude-3-7-sonnet) is an error, and so is any unknown model of other providers, but for Fireworks and Hugging Face, where each one is free.
# Seen:   claude-opus-4-1-20250805, 100,000 tokens in and 10,000 out: 0.00 dollars, genai-prices 2.25; claude-3-7-sonnet-20250219: BadRequestError; anthropic/some-model: ModelNotMappedError
# Most would guess: an error for each model without a price, so that a report of costs or a budget does not pass it over.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check litellm==1.110.2 genai-prices==0.2.3
cat > run.py <<'PY'
import os

os.environ['LITELLM_LOCAL_MODEL_COST_MAP'] = 'True'
import litellm
from genai_prices import Usage, calc_price

litellm.suppress_debug_info = True


def price(find):
    try:
        return f'{float(find()):.2f}'
    except Exception as error:
        return type(error).__name__


for model in '''claude-opus-4-1-20250805 claude-opus-4-20250514 claude-sonnet-4-20250514 claude-sonnet-4-0 claude-opus-4-5-20251101 claude-opus-4-5-20251110 claude-sonnet-6 claude-3-7-sonnet-20250219 claude-some-model anthropic/some-model
vertex_ai/claude-sonnet-4@20250514 openrouter/anthropic/claude-sonnet-4 azure_ai/claude-opus-4-1 openrouter/some-model gpt-some-model openai/gpt-some-model gemini/some-model fireworks_ai/some-model huggingface/some/model'''.split():
    ours = price(lambda: sum(litellm.cost_per_token(model=model, prompt_tokens=100_000, completion_tokens=10_000)))
    print(f"{model}: litellm {ours} (in its table: {model in litellm.model_cost}), genai-prices {price(lambda: calc_price(Usage(input_tokens=100_000, output_tokens=10_000), model).total_price)}")
print('limit of claude-sonnet-6:', litellm.get_model_info('claude-sonnet-6')['max_tokens'])
answer = litellm.ModelResponse(model='claude-sonnet-4-20250514', usage=litellm.Usage(prompt_tokens=100_000, completion_tokens=10_000, total_tokens=110_000))
print('completion_cost of an answer of claude-sonnet-4-20250514:', price(lambda: litellm.completion_cost(answer, custom_llm_provider='anthropic')))
PY
env/bin/python -c "import importlib.metadata as m; print('litellm', m.version('litellm'), 'genai-prices', m.version('genai-prices'))"
env/bin/python run.py 2> /dev/null | grep -v '^$\|Provider List' | tee out
diff out - <<'END'
claude-opus-4-1-20250805: litellm 0.00 (in its table: False), genai-prices 2.25
claude-opus-4-20250514: litellm 0.00 (in its table: False), genai-prices 2.25
claude-sonnet-4-20250514: litellm 0.00 (in its table: False), genai-prices 0.45
claude-sonnet-4-0: litellm 0.00 (in its table: False), genai-prices 0.45
claude-opus-4-5-20251101: litellm 0.75 (in its table: True), genai-prices 0.75
claude-opus-4-5-20251110: litellm 0.00 (in its table: False), genai-prices 0.75
claude-sonnet-6: litellm 0.00 (in its table: False), genai-prices LookupError
claude-3-7-sonnet-20250219: litellm BadRequestError (in its table: False), genai-prices 0.45
claude-some-model: litellm BadRequestError (in its table: False), genai-prices LookupError
anthropic/some-model: litellm ModelNotMappedError (in its table: False), genai-prices LookupError
vertex_ai/claude-sonnet-4@20250514: litellm 0.00 (in its table: False), genai-prices LookupError
openrouter/anthropic/claude-sonnet-4: litellm 0.00 (in its table: False), genai-prices LookupError
azure_ai/claude-opus-4-1: litellm 0.00 (in its table: False), genai-prices LookupError
openrouter/some-model: litellm ModelNotMappedError (in its table: False), genai-prices LookupError
gpt-some-model: litellm BadRequestError (in its table: False), genai-prices LookupError
openai/gpt-some-model: litellm ModelNotMappedError (in its table: False), genai-prices LookupError
gemini/some-model: litellm ModelNotMappedError (in its table: False), genai-prices LookupError
fireworks_ai/some-model: litellm 0.00 (in its table: False), genai-prices LookupError
huggingface/some/model: litellm 0.00 (in its table: False), genai-prices LookupError
limit of claude-sonnet-6: 64000
completion_cost of an answer of claude-sonnet-4-20250514: 0.00
END
