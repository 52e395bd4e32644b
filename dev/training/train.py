#!/usr/bin/env python3
"""Retrain the word-embedding table of the tool search on phrases that ask for a known tool.

    train.py --table IN.tvec --catalogs DIR --out OUT.tvec     write a retrained table
    train.py --table IN.tvec --catalogs DIR --folds 4          cross-validate, write nothing

Every phrase in phrases/ is a request for one tool: a real one (its texts are in DIR/SERVER.json, a
`tools/list` answer) or an invented one (its texts stand beside the phrases). Only the rows of word
pieces that occur in them move; vocabulary, size and file layout stay. Servers and tools named in
excluded.txt take no part. Random draws are seeded, so a run repeats on the same machine.

Loss. The search scores tool d for query q by s = lexical(q, d) + 1.2 max(0, cos(q, d)). A step
takes 384 phrases of one source and all that source's tools and minimises the cross-entropy of
softmax(s / temperature) against the right tool. Contrastive learning with in-catalog negatives:
van den Oord et al. 2018 (InfoNCE), Karpukhin et al. 2020 (DPR). The lexical score is computed once
and takes part as a constant, so that the vectors learn what words alone miss: Gao et al. 2021
(CLEAR). The gradient goes through the phrase's vector and through the tools' vectors.

Regularisers.
- Dropout: a fifth of the pieces of each phrase and field is left out (Iyyer et al. 2015).
- Joined phrases: with probability .3 a phrase gets a second one appended (half the time of the same
  server); each of the two tools is then half right, the lexical score is .6 of the two scores' sum.
  After mixup (Zhang et al. 2018).
- Text pull: `text_pull` times the mean over phrases of the sum over tools of (cos - cos0)^2, where
  cos0 is the cosine that the original table gives. Li & Hoiem 2016 (learning without forgetting).
- Word pull: for 512 pieces drawn in proportion to the root of their frequency, `word_pull` / 512
  times the sum over pairs of (cos - cos0)^2, nine times that for pairs above .2, since those drive
  query expansion. Mrksic et al. 2016 (counter-fitting: vector space preservation).
- Rare rows: Adam (Kingma & Ba 2015) with one second moment a row, to which the mean over all rows
  is added, so that a row seen twice does not move as far as one seen a thousand times.
- Averaging: the table is the mean of two runs with different pulls (Wortsman et al. 2022, model soups). One run alone is
  up to .002 better or worse by chance.
"""
from __future__ import annotations

import argparse
import functools
import itertools
import json
import math
import re
import struct
from collections import Counter, defaultdict
from pathlib import Path
from typing import Iterable, Iterator, NamedTuple

import numpy as np
import scipy.sparse as sp
import snowballstemmer

HERE = Path(__file__).resolve().parent


class Run(NamedTuple):
    weight: int          # in the mean of the runs
    temperature: float
    text_pull: float
    word_pull: float
    steps: int
    rate: float


RUNS = (Run(1, .2, .05, .05, 900, .0015), Run(1, .2, .02, .02, 900, .0015))
BATCH, WARM_UP, DROPOUT, JOINED = 384, 20, .2, .3

# The ranking. Field: weight and length normalisation of the lexical score, weight in the vector.
FIELDS = {"server": (1.5, .4, 1.5), "name": (3, .4, 1), "first": (1, .75, 1.5),
          "rest": (.75, .75, 1), "params": (.5, .75, .5), "param_texts": (.5, .75, .25),
          "enums": (.4, .75, 0)}
K1, FLOOR, DENSE_WEIGHT = 1.2, .7, 1.2
EXPANDED_STEMS, NEIGHBORS, NEAR, EXPANSION_WEIGHT = 8, 20, .2, .6
FIELD_PIECES, QUERY_PIECES = 120, 200
STOP_WORDS = frozenset("""
    a an the this that these those some any all each   and or if as so then than also not no
    of to in on at for from by with into over under out up down about via here there
    i me my mine we us our you your he she it its they them their his her
    is am are was were be been being do does did has have had
    can could will would shall should may might must   what which who whom whose how when where why
    please want need like just let use using used uses   d ll m re s t ve""".split())
RUN_OF_CHARACTERS = re.compile(r"[A-Za-z]+|[0-9]+|(?:(?![\x00-\x7f])\w)+")
CAMEL_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
SENTENCE_END = re.compile(r"(?<=[^\s.]{2})[.!?](?!\S)|\n\s*\n")
# What a file's name adds to a server's: where it was captured from, and which of several captures it is.
CAPTURE = re.compile(r"^(npm|pypi|remote)-|-(ref|cyanheads|flux159)$|-(mcp|server)\b")

stem = functools.cache(snowballstemmer.stemmer("english").stemWord)


# ---------------------------------------------------------------- the table and its texts
class Table:
    """A .tvec file: header, vocabulary, a float16 scale and int8 values for each row."""

    def __init__(self, path: Path):
        self.data = path.read_bytes()
        magic, version, self.rows, self.dim, size = struct.unpack_from("<4s4I", self.data)
        if (magic, version) != (b"TVEC", 1):
            raise SystemExit(f"{path} is not a version 1 .tvec file")
        self.body = 20 + size
        vocabulary = self.data[20:self.body].decode().split("\n")
        self.row_of = {piece: row for row, piece in enumerate(vocabulary)}
        self.lexicon = {p for p in vocabulary if len(p) > 2 and not p.startswith("##")}
        self.scale = np.frombuffer(self.data, "<f2", self.rows, self.body)
        self.values = np.frombuffer(self.data, "i1", offset=self.body + 2 * self.rows)
        self.values = self.values[:self.rows * self.dim].reshape(self.rows, self.dim)
        self.vectors = self.values * self.scale.astype(np.float32)[:, None]

    def write(self, change: np.ndarray, path: Path) -> None:
        """Write the table with `change` added; rows without a change keep their bytes."""
        vectors, moved = self.vectors + change, change.any(axis=1)
        peak = np.abs(vectors).max(axis=1)
        scale = np.maximum(peak / 127, 2.0 ** -14).astype("<f2")
        scale = np.where(scale.astype(np.float32) * 127 < peak,
                         np.nextafter(scale, np.float16(np.inf)), scale)
        values = np.rint(vectors / scale.astype(np.float32)[:, None]).clip(-127, 127)
        scale = np.where(moved, scale, self.scale).astype("<f2")
        values = np.where(moved[:, None], values, self.values).astype("i1")
        path.write_bytes(self.data[:self.body] + scale.tobytes() + values.tobytes())
        print(f"{path}: {moved.sum()} of {self.rows} rows changed")

    def words(self, text: str, with_parts: bool) -> Iterator[str]:
        """Lower-case words. A mixed-case word of the lexicon stays whole, others are split."""
        for run in RUN_OF_CHARACTERS.findall(text):
            parts = CAMEL_PART.findall(run)
            whole = len(parts) < 2 or run.lower() in self.lexicon
            if whole:
                yield run.lower()
            if len(parts) > 1 and (with_parts or not whole):
                yield from (part.lower() for part in parts)

    def pieces(self, text: str) -> list[int]:
        """Rows of a text's word pieces: the longest match from the left, again and again."""
        rows = []
        for word in self.words(text, with_parts=False):
            at = 0
            while at < len(word):
                for end in range(min(len(word), at + 24), at, -1):
                    row = self.row_of.get(("##" if at else "") + word[at:end])
                    if row is not None:
                        rows.append(row)
                        break
                at = end    # after no match at all this is the next character
        return rows

    def bags(self, texts: Iterable[str], most: int) -> sp.csr_matrix:
        """How often each piece occurs in each text, counting the first `most` pieces."""
        return counts([self.pieces(text)[:most] for text in texts], self.rows)


def counts(lists: list[list[int]], width: int) -> sp.csr_matrix:
    ends = np.cumsum([0] + [len(ids) for ids in lists])
    ids = np.fromiter(itertools.chain.from_iterable(lists), np.int32, ends[-1])
    matrix = sp.csr_matrix((np.ones(len(ids), np.float32), ids, ends), (len(lists), width))
    matrix.sum_duplicates()
    return matrix


def parameters(schema: object, depth: int = 0) -> Iterator[tuple[str, str, str]]:
    """Name, description and enum values of each parameter, nested ones included."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if depth > 4 or not isinstance(properties, dict):
        return
    for name, spec in properties.items():
        spec = spec if isinstance(spec, dict) else {}
        text, enum = spec.get("description"), spec.get("enum")
        yield (name, text[:300] if isinstance(text, str) else "",
               " ".join(map(str, enum[:20])) if isinstance(enum, list) else "")
        yield from parameters(spec, depth + 1)
        yield from parameters(spec.get("items"), depth + 1)


def split_fields(server: str, tool: dict) -> dict[str, str]:
    text = tool.get("description") or ""
    end = match.end() if (match := SENTENCE_END.search(text)) else len(text)
    names, texts, enums = zip(*parameters(tool.get("inputSchema")), ("", "", ""))
    return {"server": server, "name": tool["name"], "first": text[:end],
            "rest": text[end:][:2000], "params": " ".join(names),
            "param_texts": " ".join(filter(None, texts))[:2000], "enums": " ".join(enums)}


# ---------------------------------------------------------------- the lexical score
class Lexicon:
    """Scores queries against tools by their words: BM25F, with expansion and spelling."""

    def __init__(self, tools: list[dict[str, str]], table: Table, vectors: np.ndarray):
        self.table, self.vectors = table, vectors
        documents = {f: [self.stems(tool[f]) for tool in tools] for f in FIELDS}
        self.terms = {t: i for i, t in enumerate(dict.fromkeys(
            t for field in documents.values() for stems in field for t in stems))}
        frequency = sp.csr_matrix((len(tools), len(self.terms)), dtype=np.float64)
        for field, (weight, b, _) in FIELDS.items():
            tf = counts([[self.terms[t] for t in d] for d in documents[field]], len(self.terms))
            length = np.asarray(tf.sum(axis=1)).ravel()
            norm = 1 - b + b * length / max(length.mean(), 1e-9)
            frequency = frequency + sp.diags(weight / np.maximum(norm, .05)) @ tf
        holders = frequency.getnnz(axis=0)
        self.idf = np.log(1 + (len(tools) - holders + .5) / (holders + .5))
        self.idf_unknown = math.log(1 + (len(tools) + .5) / .5)
        frequency.data = (K1 + 1) * frequency.data / (K1 + frequency.data)
        self.impact = (frequency @ sp.diags(self.idf)).T.tocsr()
        self.learn_spelling(tools)

    def learn_spelling(self, tools: list[dict[str, str]]) -> None:
        """Collect the catalog's words: to correct misspelt ones, to find a query word's kin."""
        forms = defaultdict(Counter)
        for tool in tools:
            text = " ".join([tool["name"], tool["server"], tool["first"], tool["rest"][:300],
                             tool["params"]])
            for word in self.table.words(text, with_parts=True):
                forms[stem(word)][word] += 1
        self.known = Counter({w: n for form in forms.values() for w, n in form.items()})
        self.with_trigram = defaultdict(list)
        for word in self.known:
            for gram in trigrams(word) if len(word) > 3 else ():
                self.with_trigram[gram].append(word)
        self.kin = [t for t in forms if t in self.terms]
        self.kin_vectors = self.unit([forms[t].most_common(1)[0][0] for t in self.kin])

    def unit(self, words: list[str]) -> np.ndarray:
        total = self.table.bags(words, QUERY_PIECES) @ self.vectors
        return total / lengths(total)

    def stems(self, text: str, query: bool = False) -> list[str]:
        words = list(self.table.words(text, with_parts=True))
        content = [word for word in words if word not in STOP_WORDS]
        return [stem(word) for word in (words if query and not content else content)]

    def correct(self, query: str) -> str:
        """Replace words that nobody knows by the catalog's word with the most shared trigrams."""
        words = list(self.table.words(query, with_parts=False))
        for i, word in enumerate(words):
            known = word in self.known or word in self.table.lexicon or stem(word) in self.terms
            if known or len(word) < 5 or not (word.isascii() and word.isalpha()):
                continue
            grams = trigrams(word)
            shared = Counter(w for gram in grams for w in self.with_trigram.get(gram, ()))
            dice = [(2 * n / (len(grams) + len(trigrams(w))), self.known[w], w)
                    for w, n in shared.items() if abs(len(w) - len(word)) <= 2]
            if dice and max(dice)[0] >= .5:
                words[i] = max(dice)[2]
        return " ".join(words)

    def expand(self, query: str, stems: set[str]) -> dict[str, float]:
        """The catalog's terms nearest to the query's words, with their weights."""
        found = {}
        words = {stem(w): w for w in reversed(list(self.table.words(query, with_parts=True)))}
        words = [word for term, word in words.items() if term in stems]
        for near in self.unit(words) @ self.kin_vectors.T:
            most = min(NEIGHBORS, len(near))
            for i in np.argpartition(-near, most - 1)[:most]:
                if near[i] > NEAR and self.kin[i] not in stems:
                    weight = EXPANSION_WEIGHT * (near[i] - NEAR) / (1 - NEAR)
                    found[self.kin[i]] = max(weight, found.get(self.kin[i], 0))
        return found

    def scores(self, corrected: list[str]) -> np.ndarray:
        weights = sp.lil_matrix((len(corrected), len(self.terms)))
        floor = np.full((len(corrected), 1), 1e-9)
        for i, query in enumerate(corrected):
            stems = set(self.stems(query, query=True))
            short = len(stems) <= EXPANDED_STEMS
            for term, w in {**(self.expand(query, stems) if short else {}),
                            **dict.fromkeys(stems, 1)}.items():
                if term in self.terms:
                    weights[i, self.terms[term]] = w
            idf = sorted((self.idf[self.terms[t]] if t in self.terms else self.idf_unknown
                          for t in stems), reverse=True)
            floor[i] += FLOOR * (K1 + 1) * sum(idf[:3])
        total = (weights.tocsr() @ self.impact).toarray()
        return (total / np.maximum(total.max(axis=1, keepdims=True), floor)).astype(np.float32)


def trigrams(word: str) -> set[str]:
    return {f"^{word}$"[i:i + 3] for i in range(len(word))}


# ---------------------------------------------------------------- vectors and their gradients
def lengths(matrix: np.ndarray) -> np.ndarray:
    """Row lengths as a column; an empty text's length is huge, so that its vector is zero."""
    length = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.where(length < 1e-6, np.float32(1e9), length)


def through_unit(gradient: np.ndarray, unit: np.ndarray, share: float = 1) -> np.ndarray:
    """Gradient before x / |x|^share, up to the factor 1 / |x|^share."""
    return gradient - share * unit * (gradient * unit).sum(axis=1, keepdims=True)


def cosines(queries: sp.csr_matrix, fields: dict[str, sp.csr_matrix], vectors: np.ndarray):
    """Cosines of queries and tools, and the function that takes their gradient to the rows."""
    sums = {f: (v := bags @ vectors, lengths(v)) for f, bags in fields.items()}
    tools = sum(FIELDS[f][2] * v / np.sqrt(length) for f, (v, length) in sums.items())
    asked, tools_length = queries @ vectors, lengths(tools)
    asked_length = lengths(asked)
    asked, tools = asked / asked_length, tools / tools_length

    def back(gradient: np.ndarray) -> np.ndarray:
        rows = queries.T @ (through_unit(gradient @ tools, asked) / asked_length)
        inner = through_unit(gradient.T @ asked, tools) / tools_length
        for field, (v, length) in sums.items():
            part = through_unit(inner, v / length, share=.5) / np.sqrt(length)
            rows += fields[field].T @ (FIELDS[field][2] * part)
        return rows

    return asked @ tools.T, back


# ---------------------------------------------------------------- training
class Source(NamedTuple):
    """Tools that compete with each other, and phrases that each ask for one of them."""
    name: str
    servers: np.ndarray             # of each tool
    tools: list[dict[str, str]]     # the fields' texts
    phrases: list[str]
    wanted: np.ndarray              # index of each phrase's tool

    def of_servers(self, servers: set[str]) -> Source:
        keep = np.isin(self.servers, list(servers))
        asks, place = keep[self.wanted], np.cumsum(keep) - 1
        return Source(self.name, self.servers[keep], list(itertools.compress(self.tools, keep)),
                      list(itertools.compress(self.phrases, asks)), place[self.wanted[asks]])


class Matrices:
    """A source as matrices: bags of pieces, and lexical scores by the given vectors."""

    def __init__(self, source: Source, table: Table, vectors: np.ndarray):
        lexicon = Lexicon(source.tools, table, vectors)
        corrected = [lexicon.correct(phrase) for phrase in source.phrases]
        self.lexical, self.wanted = lexicon.scores(corrected), source.wanted
        self.queries = table.bags(corrected, QUERY_PIECES)
        self.fields = {f: table.bags((tool[f] for tool in source.tools), FIELD_PIECES)
                       for f, (_, _, weight) in FIELDS.items() if weight}
        asked_server = source.servers[source.wanted]
        self.same_server = [np.flatnonzero(asked_server == server) for server in asked_server]
        # How often a piece occurs in phrases, plus in how many tools' fields it does.
        self.frequency = (np.asarray(self.queries.sum(axis=0)).ravel()
                          + sum(bags.getnnz(axis=0) for bags in self.fields.values()))

    def keep_rows(self, rows: np.ndarray) -> None:
        self.queries = self.queries[:, rows]
        self.fields = {f: bags[:, rows] for f, bags in self.fields.items()}


def draw_batch(source: Matrices, rng: np.random.Generator):
    """Phrases as bags, their lexical scores, and the share of right that each tool has."""
    first = rng.permutation(len(source.wanted))[:BATCH]
    second = rng.integers(len(source.wanted), size=len(first))
    for i in np.flatnonzero(rng.random(len(first)) < .5):
        second[i] = rng.choice(source.same_server[first[i]])
    joined = (rng.random(len(first)) < JOINED).astype(np.float32)
    queries = source.queries[first] + sp.diags(joined) @ source.queries[second]
    lexical = source.lexical[first]
    lexical = np.where(joined[:, None] > 0, .6 * (lexical + source.lexical[second]), lexical)
    right, line = np.zeros_like(lexical), np.arange(len(first))
    right[line, source.wanted[first]] = 1 - joined / 2
    right[line, source.wanted[second]] += joined / 2
    return queries.astype(np.float32), lexical, right


def drop(bags: sp.csr_matrix, rng: np.random.Generator) -> sp.csr_matrix:
    bags = bags.copy()
    bags.data *= rng.random(len(bags.data)) >= DROPOUT
    return bags


def phrase_gradient(source: Matrices, vectors: np.ndarray, original: np.ndarray, run: Run,
                    rng: np.random.Generator) -> tuple[np.ndarray, float]:
    """Gradient of cross-entropy and text pull for one batch; the cross-entropy."""
    queries, lexical, right = draw_batch(source, rng)
    queries = drop(queries, rng)
    fields = {f: drop(bags, rng) for f, bags in source.fields.items()}
    cosine, back = cosines(queries, fields, vectors)
    score = (lexical + DENSE_WEIGHT * np.maximum(cosine, 0)) / run.temperature
    score -= score.max(axis=1, keepdims=True)
    log_share = score - np.log(np.exp(score).sum(axis=1, keepdims=True))
    gradient = (np.exp(log_share) - right) * (cosine > 0) * (DENSE_WEIGHT / run.temperature)
    if run.text_pull:
        before, _ = cosines(queries, fields, original)
        gradient += 2 * run.text_pull * (cosine - before)
    loss = -(right * log_share).sum(axis=1).mean()
    return back((gradient / len(right)).astype(np.float32)), float(loss)


def word_gradient(vectors: np.ndarray, original: np.ndarray, pull: float) -> np.ndarray:
    length = lengths(vectors)
    unit, before = vectors / length, original / lengths(original)
    cosine, cosine_before = unit @ unit.T, before @ before.T
    weight = np.where(np.maximum(cosine, cosine_before) > .2, 9, 1)
    gradient = 4 * pull / len(unit) * (weight * (cosine - cosine_before)) @ unit
    return through_unit(gradient, unit) / length


def train(sources: list[Matrices], original: np.ndarray, frequency: np.ndarray,
          run: Run) -> np.ndarray:
    """What one run adds to the rows."""
    rng = np.random.default_rng(0)
    change, momentum = np.zeros_like(original), np.zeros_like(original)
    second = np.zeros((len(original), 1), np.float32)
    share = np.array([len(source.wanted) for source in sources])
    root, losses = np.sqrt(frequency), []
    for step in range(1, run.steps + 1):
        vectors = original + change
        source = sources[rng.choice(len(sources), p=share / share.sum())]
        gradient, loss = phrase_gradient(source, vectors, original, run, rng)
        some = rng.choice(len(original), 512, replace=False, p=root / root.sum())
        gradient[some] += word_gradient(vectors[some], original[some], run.word_pull)
        momentum = .9 * momentum + .1 * gradient
        second = .98 * second + .02 * np.square(gradient).mean(axis=1, keepdims=True)
        spread = second / (1 - .98 ** step)
        rate = run.rate * min(1, step / WARM_UP)
        rate *= max(.05, (1 + math.cos(math.pi * step / run.steps)) / 2)
        change -= rate / (1 - .9 ** step) * momentum / np.sqrt(spread + spread.mean() + 1e-20)
        losses.append(loss)
        if step % 100 == 0:
            moved = np.linalg.norm(change) / np.linalg.norm(original)
            print(f"  step {step}: loss {np.mean(losses[-50:]):.2f}, moved {moved:.3f}",
                  flush=True)
    return change


def retrain(sources: list[Source], table: Table) -> np.ndarray:
    """The weighted mean of all runs' changes, for the whole table."""
    matrices = [Matrices(source, table, table.vectors) for source in sources]
    frequency = sum(source.frequency for source in matrices)
    rows = np.flatnonzero(frequency)
    for source in matrices:
        source.keep_rows(rows)
    change = np.zeros_like(table.vectors)
    print(f"{len(rows)} rows,", " + ".join(
        f"{len(s.phrases)} phrases for {len(s.tools)} {s.name} tools" for s in sources))
    for run in RUNS:
        print(run)
        part = train(matrices, table.vectors[rows], frequency[rows], run)
        change[rows] += part * (run.weight / sum(r.weight for r in RUNS))
    return change


# ---------------------------------------------------------------- cross-validation and input
def measure(source: Source, table: Table, vectors: np.ndarray) -> np.ndarray:
    """R@1, R@5 and nDCG@10 of each phrase; ties go to the tool that comes first."""
    matrices = Matrices(source, table, vectors)
    cosine, _ = cosines(matrices.queries, matrices.fields, vectors)
    score = matrices.lexical + DENSE_WEIGHT * np.maximum(cosine, 0)
    order = np.argsort(-score, axis=1, kind="stable")
    rank = np.argmax(order == source.wanted[:, None], axis=1)
    return np.stack([rank < 1, rank < 5, (rank < 10) / np.log2(rank + 2)], axis=1)


def cross_validate(sources: list[Source], table: Table, folds: int) -> None:
    rng, results = np.random.default_rng(3), defaultdict(list)
    shuffled = [rng.permutation(np.unique(source.servers)) for source in sources]
    for fold in range(folds):
        held = [set(servers[fold::folds]) for servers in shuffled]
        kept = [set(servers) - out for servers, out in zip(shuffled, held)]
        change = retrain([s.of_servers(names) for s, names in zip(sources, kept)], table)
        for part in [s.of_servers(names) for s, names in zip(sources, held)]:
            results[part.name].append(np.stack([measure(part, table, vectors) for vectors in (
                table.vectors, table.vectors + change)]))
            report(f"fold {fold + 1}, {len(part.tools)} {part.name} tools", results[part.name][-1])
    for name, parts in results.items():
        report(f"all folds, {name} tools", np.concatenate(parts, axis=1))


def report(title: str, figures: np.ndarray) -> None:
    before, after = (" ".join(f"{x:.4f}" for x in side.mean(axis=0)) for side in figures)
    print(f"{title}, {figures.shape[1]} phrases: R@1 R@5 nDCG@10 {before} -> {after}", flush=True)


def make_source(name: str, tools: list[tuple[str, dict]], lines: list[dict]) -> Source:
    """`tools` are pairs of server and tool, `lines` those of phrase files. Tools that no line names stay: they compete."""
    asked = defaultdict(list)
    for line in lines:
        asked[line["server"], line.get("tool") or line["name"]] += line["q"]
    phrases = [(phrase, i) for i, (server, tool) in enumerate(tools)
               for phrase in asked[server, tool["name"]]]
    return Source(name, np.array([server for server, _ in tools]),
                  [split_fields(CAPTURE.sub("", server), tool) for server, tool in tools],
                  [phrase for phrase, _ in phrases], np.array([i for _, i in phrases]))


def read_sources(catalogs: Path) -> list[Source]:
    lines = (HERE / "excluded.txt").read_text("utf-8").splitlines()
    excluded = {line for line in lines if not line.startswith("#")}

    def read(*names: str) -> list[dict]:
        files = (HERE / f"phrases/{name}.jsonl" for name in names)
        return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]

    invented, public = read("invented"), read("pack-npm", "pack-pypi")
    public_servers = {line["server"] for line in public}
    listed = {False: [], True: []}
    for path in sorted(catalogs.glob("*.json")):
        answer = json.loads(path.read_text("utf-8")).get("tools")
        for tool in answer if isinstance(answer, list) else ():
            if not {path.stem, f"{path.stem} {tool['name']}"} & excluded:
                listed[path.stem in public_servers].append((path.stem, tool))
    sources = [make_source("real", listed[False], read("real", "third")),
               make_source("invented", [(line["server"], line) for line in invented],
                           invented + read("third", "everyday")),
               make_source("public", listed[True], public)]
    return [source for source in sources if source.phrases]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--table", type=Path, required=True, help="the .tvec table to start from")
    parser.add_argument("--catalogs", type=Path, required=True, help="folder of SERVER.json files")
    goal = parser.add_mutually_exclusive_group(required=True)
    goal.add_argument("--out", type=Path, help="where to write the retrained table")
    goal.add_argument("--folds", type=int, help="cross-validate by server instead")
    args = parser.parse_args()
    if args.folds is not None and args.folds < 2:
        parser.error("--folds needs at least 2")
    table, sources = Table(args.table), read_sources(args.catalogs)
    if args.folds:
        cross_validate(sources, table, args.folds)
    else:
        table.write(retrain(sources, table), args.out)


if __name__ == "__main__":
    main()
