#!/usr/bin/env python3
"""Drop the rows of a word table that other rows say as well.

    prune.py IN.tvec OUT.tvec --texts FILE...

A row goes when it is a word with an s at its end ("waterfalls"), when no text has that word, and when its vector has a cosine
of .6 or more with the sum of the two pieces that the word is then cut into. To the component a known word with an s is a
known word, with a row or without. A number of three or more digits ("1867") goes too, unless a phrase (a .jsonl text) contains it.
"""
import argparse
import math
import re
import struct
from pathlib import Path

LEAST = .6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--texts", type=Path, nargs="+", required=True)
    given = parser.parse_args()
    def words(texts: list[Path], pattern: str) -> set[str]:
        return {word for text in texts for word in re.findall(pattern, text.read_text().lower())}

    seen = words(given.texts, "[a-z]+") | words([text for text in given.texts if text.suffix == ".jsonl"], "[0-9]+")
    data = given.table.read_bytes()
    magic, version, rows, width, size = struct.unpack_from("<4s4I", data)
    if (magic, version) != (b"TVEC", 1):
        raise SystemExit(f"{given.table} is not a version 1 .tvec file")
    pieces = data[20:20 + size].decode().split("\n")
    scales = struct.unpack_from(f"<{rows}e", data, 20 + size)
    values = data[20 + size + 2 * rows:]
    place = {piece: row for row, piece in enumerate(pieces)}

    def vector(row: int) -> list[float]:
        bytes_of_row = struct.unpack_from(f"{width}b", values, width * row)
        return [scales[row] * value for value in bytes_of_row]

    def is_said_by_others(row: int) -> bool:
        piece = pieces[row]
        if (number := piece.removeprefix("##")).isdigit():
            return len(number) > 2 and number not in seen
        word = place.get(piece[:-1])
        if piece.startswith("##") or not piece.endswith("s") or len(piece) < 4 or word is None or piece in seen:
            return False
        own, together = vector(row), list(map(sum, zip(vector(word), vector(place["##s"]))))
        return sum(map(float.__mul__, own, together)) >= LEAST * math.hypot(*own) * math.hypot(*together)

    kept = [row for row in range(rows) if not is_said_by_others(row)]
    text = "\n".join(pieces[row] for row in kept).encode()
    given.out.write_bytes(b"".join((
        struct.pack("<4s4I", magic, version, len(kept), width, len(text)), text,
        struct.pack(f"<{len(kept)}e", *(scales[row] for row in kept)),
        *(values[width * row:width * (row + 1)] for row in kept))))
    print(f"{given.out}: {len(kept)} of {rows} rows")


if __name__ == "__main__":
    main()
