#!/usr/bin/env python3
"""What tools cost and how they are found, by the forms of `catalog.export`: the tables of docs/providers.md.

    python3 dev/lab/providers.py --weir FILE.wasm [--catalogs DIR] [SET...]

--catalogs: a directory of answers to tools/list, from which catalogs of 50, 500 and 2,000 tools are taken by a seed, server
by server. A SET is one of dev/lab/README.md's. It needs wasmtime and bpe-openai (o200k_base, in the package) from PyPI.

No provider's server is asked. Anthropic says which fields its search reads and that it answers five tools, not how it
cuts words and weighs them: its BM25 is Okapi's with k1 1.5 and b .75, with words cut in two ways. A pattern is written by
a model, which is not here: it is any of the query's words, and the tools with the most of them come first.
Nothing is tuned to these sets.
"""
import argparse
import collections
import json
import math
import random
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "kits" / "python" / "src"))

from bpe_openai import get_encoding  # noqa: E402
from weir_wasm import Weir  # noqa: E402

FIRST = 5
STOP = set(
    "a about all am an and any are as at be been but by can could do does for from get had has have help how i i'm if in into is "
    "it its like me my need no not of on or our please should so some that the their them there this to up us want was we what "
    "when where which who will with would you your".split()
)
ENCODING = get_encoding("o200k_base")


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def tokens(value):
    """Of a text, or of each tool of a list."""
    return len(ENCODING.encode(value)) if isinstance(value, str) else sum(tokens(compact(one)) for one in value)


# What a model is shown at first.


def first(form, tools):
    """What a request puts before the model, as the provider says: deferred tools are not in it."""
    if form.startswith("anthropic-"):
        return [tool for tool in tools if not tool.get("defer_loading")]
    return [{key: tool[key] for key in ("name", "description")} if tool["type"] == "namespace" else tool for tool in tools]


def sample(folder, count):
    """Tools of whole servers in an order by a seed, the last server cut. Servers come again where there are too few."""
    files = sorted(path for path in Path(folder).glob("*.json") if path.name != "manifest.json")
    random.Random(7).shuffle(files)
    taken = {}
    for n in range(count):
        for path in files:
            known = json.loads(path.read_text(encoding="utf-8"))
            tools = known["tools"] if isinstance(known, dict) else known
            left = count - sum(map(len, taken.values()))
            if left == 0:
                return taken
            taken[path.stem + (f"-{n + 1}" if n else "")] = tools[:left]


def costs(weir, folder):
    counts = (50, 500, 2000)
    rows = collections.defaultdict(list)
    for count in counts:
        with weir.catalog(sample(folder, count)) as catalog:
            every = catalog.export("openai", mode="off").tools
            rows["all definitions"] += [tokens(every), len(compact(every).encode())]
            for form in ("anthropic-bm25", "anthropic-regex", "openai-search"):
                tools = catalog.export(form).tools
                rows[f"`{form}`"] += [tokens(first(form, tools)), len(compact(tools).encode())]
            for form, settings in (("anthropic", {}), ("openai", {}), ("gemini", {}), ("openai", {"listing_max_tokens": 0})):
                tools = catalog.export(form, **settings).tools
                rows[f"`{form}`" + (" without a listing" if settings else "")] += [tokens(tools), len(compact(tools).encode())]
    print(f"| form |{''.join(f' {count:,} tools: tokens | KB |' for count in counts)}\n| --- |{' ---: |' * 2 * len(counts)}")
    for label, numbers in rows.items():
        print(f"| {label} |{''.join(f' {known:,} | {sent / 1000:,.1f} |' for known, sent in zip(numbers[::2], numbers[1::2]))}")


# What is found.


def fields(tool):
    """The texts that Anthropic's search reads."""
    parts = [tool["name"], tool.get("description", "")]
    for name, schema in tool["input_schema"]["properties"].items():
        parts += [name, schema.get("description", "") if isinstance(schema, dict) else ""]
    return parts


def split(text):
    """Words, with identifiers cut."""
    return [word.lower() for word in re.findall(r"[^\W_]+", re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text))]


def whole(text):
    """Words, with identifiers whole."""
    return re.findall(r"[\w.-]*\w", text.lower())


class Bm25:
    def __init__(self, texts, cut, k1=1.5, b=0.75):
        self.cut, self.lists, self.k1 = cut, collections.defaultdict(list), k1
        documents = [collections.Counter(cut(text)) for text in texts]
        mean = sum(sum(document.values()) for document in documents) / len(documents)
        self.idf, self.norm = {}, [k1 * (1 - b + b * sum(document.values()) / mean) for document in documents]
        for n, document in enumerate(documents):
            for word, times in document.items():
                self.lists[word].append((n, times))
        for word, places in self.lists.items():
            self.idf[word] = math.log(1 + (len(documents) - len(places) + 0.5) / (len(places) + 0.5))

    def __call__(self, query):
        scores = collections.Counter()
        for word in set(self.cut(query)):
            for n, times in self.lists.get(word, ()):
                scores[n] += self.idf[word] * times * (self.k1 + 1) / (times + self.norm[n])
        return sorted(scores, key=lambda n: (-scores[n], n))[:FIRST]


class Pattern:
    """What `(?i)one|two|three` finds, by the runs of letters and digits that a word can be in."""

    def __init__(self, texts):
        self.places, self.known = collections.defaultdict(set), {}
        for n, text in enumerate(texts):
            for run in re.findall(r"[^\W_]+", text.lower()):
                self.places[run].add(n)

    def found(self, word):
        if word not in self.known:
            self.known[word] = set().union(*(places for run, places in self.places.items() if word in run))
        return self.known[word]

    def __call__(self, query):
        words = [word for word in dict.fromkeys(split(query)) if word not in STOP]
        while len("(?i)" + "|".join(words)) > 200:
            words.pop()
        scores = collections.Counter(n for word in words for n in self.found(word))
        return sorted(scores, key=lambda n: (-scores[n], n))[:FIRST]


def read(folder, name):
    return [json.loads(line) for line in (Path(folder) / f"{name}.jsonl").read_text(encoding="utf-8").splitlines() if line]


def recall(found, relevant):
    return len(set(found) & relevant) / min(FIRST, len(relevant))


def searched(weir, folder):
    entries, queries = read(folder, "catalogue"), read(folder, "queries")
    servers, ids = collections.defaultdict(list), collections.defaultdict(list)
    for entry in entries:
        tool = {"name": entry["name"], "description": entry["description"] or "", "inputSchema": entry["parameters"] or {}}
        servers[entry["server"] or ""].append(tool)
        ids[entry["server"] or "", entry["name"]].append(entry["id"])
    given = [{"name": name, "tools": tools} for name, tools in servers.items()]
    rows = {}
    for label, known in (("Weir", {"knownPhrases": False}), ("Weir, with the phrases it knows", {})):
        catalog = weir.catalog({"servers": given, **known})
        owner, left = {}, {key: list(names) for key, names in ids.items()}
        for tool in catalog.assemble(mode="off").visible:
            # Of several tools with one name and one definition the catalog has the first: all of them are meant.
            names = left[tool.server, tool.name]
            owner[tool.id] = [names.pop(0)] if len(names) > 1 else list(names)
        rows[label] = one = [0.0, 0]
        for query in queries:
            text = catalog.search(query["query"]).text or ""
            [result] = json.loads(text)["results"]
            hits = [hit["name"] for hit in result.get("matches", [])] + result.get("weak", [])
            one[0] += recall([id for hit in hits[:FIRST] for id in owner[hit]], set(query["relevant"]))
            one[1] += tokens(text)
    exported = catalog.export("anthropic-bm25")
    tools = [tool for tool in exported.tools if "input_schema" in tool]
    texts = [" ".join(fields(tool)) for tool in tools]
    loaded = [tokens(compact({key: value for key, value in tool.items() if key != "defer_loading"})) for tool in tools]
    named = [owner[exported.names[tool["name"]]] for tool in tools]
    for label, search in (
        ("BM25, identifiers cut", Bm25(texts, split)),
        ("BM25, identifiers whole", Bm25(texts, whole)),
        ("a pattern of any of the words", Pattern(texts)),
    ):
        rows[label] = one = [0.0, 0]
        for query in queries:
            found = search(query["query"])
            one[0] += recall([id for n in found for id in named[n]], set(query["relevant"]))
            one[1] += sum(loaded[n] for n in found)
    return {label: (score / len(queries), cost / len(queries)) for label, (score, cost) in rows.items()}, len(tools), len(queries)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weir", required=True)
    parser.add_argument("--catalogs")
    parser.add_argument("sets", nargs="*")
    options = parser.parse_args()
    weir = Weir(None, component=options.weir)
    if options.catalogs:
        costs(weir, options.catalogs)
    made = {}
    for folder in options.sets:
        made[Path(folder).name], tools, queries = searched(weir, folder)
        print(f"{Path(folder).name}: {tools:,} tools, {queries:,} queries", file=sys.stderr, flush=True)
    if made:
        print(f"\n| search | {' | '.join(made)} | mean | tokens of an answer |")
        print(f"| --- |{' ---: |' * (len(made) + 2)}")
        for label in next(iter(made.values())):
            scores, costs_of = zip(*(rows[label] for rows in made.values()))
            cells = [f"{score:.3f}" for score in (*scores, sum(scores) / len(scores))]
            print(f"| {label} | {' | '.join(cells)} | {sum(costs_of) / len(costs_of):,.0f} |")


if __name__ == "__main__":
    main()
