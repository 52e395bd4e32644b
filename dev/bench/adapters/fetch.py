"""How a model reads on with the tool weir_fetch: what each want is in its arguments, and where an answer goes on."""
import json, re


def arguments(id, want, pattern="", context=0, start=1, count=1, next=None):
    if want == "next":
        return next
    return {"find": {"id": id, "mode": "grep", "pattern": pattern, **({"context": context} if context else {})},
            "count": {"id": id, "mode": "grep", "pattern": pattern, "max_matches": 1},
            "lines": {"id": id, "mode": "range", "unit": "lines", "start": start, "count": count},
            "all": {"id": id, "mode": "full"}}[want]


def answered(want, given, shown):
    """The reply to the bench. An answer that is refused as too long names the call that pages through it."""
    head = shown.split("\n", 1)[0]
    found = re.search(r"next: (\{.*\})\]?", head)
    next = json.loads(found[1]) if found else None
    if want == "all" and "<<<weir:" not in shown:
        next = {"id": given["id"], "mode": "range", "unit": "chars", "start": 0, "count": 8000}
    return {"call": json.dumps(given), "shown": shown, "next": next, "none": "no matches for the pattern" in head}
