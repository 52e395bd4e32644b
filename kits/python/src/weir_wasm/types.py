"""What calls answer. Generated from the contract by `kits/generate.py`; do not edit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Union


@dataclass(slots=True, kw_only=True)
class Origin:
    """The call that a result came from."""

    session: str
    """The session that may read the result back: any name of 1 to 512 characters, chosen by the host. Sessions see nothing of each other. A host without sessions uses one name for all."""
    tool: str
    """The tool's name. Rules and exclusions go by it. The handle shows it."""
    toolset: str | None = None
    """The toolset or server that the tool belongs to, when there is one."""
    arguments: str | None = None
    """The arguments as JSON text. Only their digest and a source pointer (`url`, `path`, `query` …, else ids and names) are kept."""
    reader: str | None = None
    """How the model reads on, named in the excerpt. Unset: the tool `weir_fetch`. `tool:NAME`: the same tool under another name. `shell:COMMAND`: a shell command such as `shell:weir fetch`, whose calls the excerpt then spells out."""
    purpose: str | None = None
    """What the call is for, such as the user's last words or the step of a plan. It is not kept, and changes nothing yet."""


@dataclass(slots=True, kw_only=True)
class BinaryPart:
    """A part of a result that is not text."""

    media_type: str
    """The media type, such as `image/png`."""
    data: str
    """The bytes in standard base64."""


@dataclass(slots=True, kw_only=True)
class LinkPart:
    """A part of a result that points elsewhere."""

    uri: str
    """The address."""
    name: str
    """The name to show."""
    media_type: str | None = None
    """The media type, when known."""


# One part of a result: a text, or one of the two above. Results keep the order of their parts.
Part = Union[str, BinaryPart, LinkPart]


@dataclass(slots=True, kw_only=True)
class Handle:
    """The name of a stored content and its measures."""

    id: str
    """The name that a model uses: the first 12 or more hex digits of the digest, as many as tell it apart from every other blob of the session."""
    digest: str
    """SHA-256 of the stored bytes, 64 hex digits."""
    uri: str
    """`weir://blob/` and the id, for clients that read resources."""
    tool: str
    """The tool whose result it is."""
    kind: str
    """What the content was recognized as: `json`, `ndjson`, `csv`, `tsv`, `yaml`, `sql`, `html`, `xml`, `markdown`, `diff`, `log`, `code`, `text` or `binary`. Later versions may add words: treat an unknown one as `text`."""
    media_type: str
    """The media type."""
    bytes: int
    """Stored bytes."""
    chars: int
    """Characters (code points) of the view `text`."""
    lines: int
    """Lines of the view `text`."""
    estimated_tokens: int
    """Estimated tokens of the view `text`: see `estimate-tokens` of `settings`."""
    source: str | None = None
    """The `url`, `path`, `query` or the like of the call, else the ids and names among its arguments (`owner_name: a, repo: b`), cut to 300 characters."""
    envelope: str | None = None
    """Where the shown text lies in the stored JSON, when the result was an envelope around it: a JSON pointer such as `/result`. Where the text is of several places, `*` stands for each step that differs (`/content/*/text`), and `/**` for places of different depth. What follows `#` is a place in the text that the pointer before it leads to. `bytes 20-9000` is a part of a text that words stood around, and `all` a text that was written anew as JSON lines. The exact bytes are the view `raw`."""
    shown_chars: int | None = None
    """Characters of the text that stands for it. None when a handle is asked for later."""
    is_repeat: bool | None = None
    """Whether the session had stored the same bytes before. None when a handle is asked for later."""


@dataclass(slots=True, kw_only=True)
class Tombstone:
    """What the store remembers of a blob that is gone."""

    reason: str
    """Why it is gone: `expired` (not used for as long as the store keeps things), `evicted` (made room for others), `deleted` (someone deleted it) or `corrupt` (its bytes were damaged)."""
    tool: str
    """The tool to call again."""
    bytes: int | None = None
    """The bytes it had, when known."""
    source: str | None = None
    """As in a handle: the `url`, `path`, `query` or the like of the call, else its ids and names."""
    arguments_digest: str | None = None
    """SHA-256 of the call's arguments, to tell whether a new call is the same."""
    gone_at: int
    """When it went, in seconds since 1970."""


@dataclass(slots=True, kw_only=True)
class Limit:
    """A limit that is not a setting."""

    name: str
    """Its name, such as `catalog-tools`."""
    measure: str
    """What it counts: `bytes`, `chars`, `tools` …"""
    value: int
    """Its value."""


@dataclass(slots=True, kw_only=True)
class ComponentInfo:
    """What the component is."""

    name: str
    """`weir`."""
    version: str
    """The version of the code, such as `0.3.0`."""
    contract: str
    """The package and version of the contract, such as `weir:plugin@0.3.0`."""
    file: str
    """Which of the three files this is, by its world: `results`, `tools` or `plugin`."""
    licence: str
    """The SPDX expression of the licence."""
    features: list[str]
    """What this file can do: `results`, `tools`, `vectors` (tool search by meaning), `query`, `outline`, `search`, `diff`. Later versions may add words."""
    limits: list[Limit]
    """Limits that are not settings."""


@dataclass(slots=True, kw_only=True)
class Problem:
    """One thing that is wrong with settings, and what is used in its place."""

    key: str
    """The key, as in `transform.threshold_chars`."""
    message: str
    """What is wrong with it, in words."""
    used: str | None = None
    """The value that is used instead; none for a key that is ignored."""


@dataclass(slots=True, kw_only=True)
class Transformed:
    """What became of a result."""

    replaced: bool
    """Whether `parts` stand in the result's place. If not, show the result as it came."""
    reason: str
    """Why. Left as it is: `small` (within its threshold), `excluded` (a rule, `exclude`, or the reading tool's own answer), `waits-for-input`, `already-a-handle` (exactly the text that stands for a stored result which the session can read), `no-gain` (a replacement would not be shorter), `not-stored` (it could not be stored and is short enough to pass). Replaced: `stored`, `cut` (it could not be stored and is too long: head and tail), `never-stored` (a rule forbids storing: head and tail). Later versions may add words."""
    parts: list[Part]
    """What to show the model: as many parts as came, in their order, unless all their text was stored as one. Empty when a result was left as it is, but for an intake: then all of it."""
    handles: list[Handle]
    """What was stored, in the order of the parts that show it."""
    chars_before: int
    """Characters of text before."""
    chars_after: int
    """Characters of text after: never more, and each replacement within its cap."""
    estimated_tokens_before: int
    """Estimated tokens before."""
    estimated_tokens_after: int
    """Estimated tokens after."""
    store_failure: str | None = None
    """Why the store refused, when it did. For logs."""


# Which bytes of a stored result are meant.
View = Literal["text", "raw"]
# `text`: The text for reading: what was inside the envelope when the result was one, decoded, and without terminal control.
# `raw`: The exact bytes as they came.


# What a position counts.
Unit = Literal["lines", "bytes", "chars"]
# `lines`: Lines, from 1. A line ends with a line feed and nothing else.
# `bytes`: Bytes, from 0.
# `chars`: Characters (code points), from 0.


# How a page's content is written.
Encoding = Literal["utf8", "escaped"]
# `utf8`: As it is.
# `escaped`: The bytes are not UTF-8: each bad byte is `\x` and two hex digits, each backslash `\\`.


@dataclass(slots=True, kw_only=True)
class Page:
    """A piece of a blob."""

    content: str
    """The content."""
    encoding: Encoding
    """How it is written."""
    unit: Unit
    """What `start`, `end` and `total` count."""
    start: int
    """Where the content starts."""
    end: int
    """Where it ends: one past the last. For lines, one past the last that is shown in part."""
    total: int
    """How many there are in all."""
    start_byte: int
    """The first byte."""
    end_byte: int
    """One past the last byte."""
    more: str | None = None
    """How to go on; none when the page reaches the end of what was asked for."""


@dataclass(slots=True, kw_only=True)
class BlobStat:
    """The facts of a stored result."""

    handle: Handle
    """Its name and measures."""
    raw_lines: int
    """Lines of the exact bytes, where `handle` counts those of the view `text`."""
    raw_chars: int
    """Characters of the exact bytes."""
    stored_at: int | None = None
    """When it was stored, in seconds since 1970; none when that is not known any more."""
    used_at: int
    """When it was last read or stored again, in seconds since 1970."""
    expires_at: int | None = None
    """When it expires unless somebody reads it, in seconds since 1970; none while it is pinned."""
    pinned: bool
    """Whether it is kept from expiry and eviction."""
    arguments_digest: str | None = None
    """SHA-256 of the call's arguments."""


# How letters are compared.
CaseMode = Literal["smart", "sensitive", "insensitive"]
# `smart`: As `insensitive`, unless the pattern has a capital letter.
# `sensitive`: `a` is not `A`.
# `insensitive`: `a` is `A`, by Unicode's simple case folding.


@dataclass(slots=True, kw_only=True)
class GrepLine:
    """A matching line, or a line of context."""

    line: int
    """The line's number, from 1."""
    column: int | None = None
    """The column of the match in bytes, from 1; none for a line of context."""
    byte: int
    """The offset in the blob of the match (or of the line) in bytes, from 0."""
    text: str
    """The line, or a window around the match."""
    cut_before: int
    """Characters of the line left out before `text`."""
    cut_after: int
    """Characters of the line left out after `text`."""


@dataclass(slots=True, kw_only=True)
class GrepPage:
    """What a grep found."""

    lines: list[GrepLine]
    """Matching lines of this page and their context, in order."""
    view: View
    """The bytes that the lines are of. It is `raw` although `text` was asked for where the text has no match, and what it leaves out was searched instead."""
    matches: int
    """Matches in all that was searched, shown or not, as `grep -o` lists them: exact, whatever the length of lines."""
    matching_lines: int
    """Lines with at least one match in all that was searched, as `grep -c` counts them: exact."""
    complete: bool
    """Whether the end was reached, so that the counts are those of all from `start` on."""
    searched_to: int
    """Where the search stopped, in bytes."""
    total_bytes: int
    """Bytes in all."""
    not_searched: str | None = None
    """What was not searched, in words for a model, when there is any."""
    pending: bool
    """Whether there is nothing to show yet."""
    more: str | None = None
    """How to go on."""


@dataclass(slots=True, kw_only=True)
class BlobList:
    """Stored results of a session."""

    entries: list[BlobStat]
    """The results, the last used first."""
    more: str | None = None
    """How to go on."""
    total: int
    """How many there are."""


@dataclass(slots=True, kw_only=True)
class QueryPage:
    """The answer to a query."""

    content: str
    """Results as JSON lines, or as a table. Numbers keep all their digits."""
    is_table: bool
    """Whether `content` is a table."""
    results: int
    """How many results `content` has."""
    rows: str
    """What the rows are, in words, such as `rows of a table`, or `items of` and a quoted path."""
    first_row: int
    """The first row read for this page, from 1; 0 when none was."""
    last_row: int
    """The last row read for this page, from 1; 0 when none was."""
    failed_rows: int
    """How many rows the program failed on."""
    first_failure: str | None = None
    """The first of those failures."""
    notes: list[str]
    """What limits did to the answer, in words, such as groups left out."""
    complete: bool
    """Whether every row was read."""
    pending: bool
    """Whether there is nothing to show yet: no result, or not yet all rows that a reducer sums up."""
    more: str | None = None
    """How to go on."""


@dataclass(slots=True, kw_only=True)
class OutlineEntry:
    """One line of an outline."""

    label: str
    """The path, column, heading, symbol, file, level or line shape. It comes from the content."""
    detail: str
    """Types, counts, ranges, distinct values."""
    call: str | None = None
    """The arguments of the model's tool, as JSON text, that read this part."""


@dataclass(slots=True, kw_only=True)
class OutlinePage:
    """The shape of a blob."""

    about: str
    """What it is, such as `items: 2,000 rows`."""
    entries: list[OutlineEntry]
    """The entries, in the content's order."""
    total: int
    """How many entries there are in all."""
    complete: bool
    """Whether every byte was looked at."""
    pending: bool
    """Whether rows are still being counted: what is here is of those so far."""
    more: str | None = None
    """How to go on."""


@dataclass(slots=True, kw_only=True)
class Passage:
    """A passage that a search found."""

    id: str
    """The blob."""
    tool: str
    """The tool whose result it is."""
    first_line: int
    """The first line, from 1."""
    last_line: int
    """The last line, from 1."""
    start_byte: int
    """The first byte."""
    end_byte: int
    """One past the last byte."""
    text: str
    """The text."""


@dataclass(slots=True, kw_only=True)
class PassagePage:
    """What a search found."""

    passages: list[Passage]
    """The passages, best first."""
    matching: int
    """How many passages have a word that was looked for, shown or not."""
    searched: int
    """How many stored results were searched."""
    total: int
    """How many there are to search."""
    unreadable: int
    """How many could not be read."""
    bytes: int
    """How many bytes were searched."""
    complete: bool
    """Whether all of them were searched."""
    not_searched: str | None = None
    """What of the stored results was not searched, in words for a model, when there is any: what stood beside a text in its envelope, what a terminal would not show of a text, and binary results."""
    pending: bool
    """Whether there is more to search before the passages are the best of all."""
    more: str | None = None
    """How to go on."""


@dataclass(slots=True, kw_only=True)
class DiffPage:
    """What differs."""

    older: str
    """The id of the older result."""
    newer: str
    """The id of the newer result."""
    compared: str
    """What was compared: `lines`, or `rows by` and a quoted key."""
    added: int
    """How many are only in the newer one."""
    removed: int
    """How many are only in the older one."""
    changed: int
    """How many rows are in both and differ."""
    same: int
    """How many are the same in both."""
    content: str
    """Unified hunks, or one line for each row that differs."""
    notes: list[str]
    """What limits did to the answer, and what else there is to say, in words."""
    complete: bool
    """Whether all of it was compared."""
    more: str | None = None
    """How to go on."""


@dataclass(slots=True, kw_only=True)
class ToolAnswer:
    """What to show the model in return."""

    text: str
    """The answer, within `max-chars` of the fetch settings (`full-max-chars` for a full read)."""
    is_error: bool
    """Whether it says that something is wrong."""
    more: str | None = None
    """Arguments with which the same work goes on, when a bounded piece of it was done and there is nothing to show yet. `text` is a true answer as it is; a host that has time left may invoke again with these and show the later answer in its place."""


@dataclass(slots=True, kw_only=True)
class UseCount:
    """How often something was asked for, and what was shown."""

    what: str
    """What: `put`, or a mode of fetch."""
    count: int
    """How often."""
    refused: int
    """How often the answer was no."""
    chars_in: int
    """Characters that came in (for puts)."""
    chars_shown: int
    """Characters that the model was shown."""


@dataclass(slots=True, kw_only=True)
class Census:
    """What is in a store, counted."""

    counted_at: int
    """When it was counted, in seconds since 1970."""
    handles: int
    """Stored results that can be read, over all sessions."""
    tombstones: int
    """Handles that are gone and remembered."""
    sessions: int
    """Sessions that have any."""
    oldest_used_at: int | None = None
    """When the longest unused handle was last used, in seconds since 1970."""


@dataclass(slots=True, kw_only=True)
class StoreStatus:
    """The state of a store."""

    used_bytes: int
    """Bytes on disk by the store's own count, in blocks of 4 KiB."""
    max_bytes: int
    """Bytes that it may use."""
    census: Census | None = None
    """What is in it: counted now while there are at most 10,000 handles, else by the last sweep; none before the first."""
    uses: list[UseCount]
    """What it was used for."""
    chars_saved: int
    """Characters kept from models: those of the results put, of each at most `client-max-chars`, less those of what was shown in their place and of all that was fetched back."""
    estimated_tokens_saved: int
    """The same in estimated tokens."""


@dataclass(slots=True, kw_only=True)
class SweepProgress:
    """What a sweep has done so far."""

    more: str | None = None
    """How to go on; none when it is over."""
    seen: int
    """Files and directories looked at."""
    expired: int
    """Handles that expired."""
    evicted: int
    """Blobs that made room."""
    removed_blobs: int
    """Blobs removed, those included."""
    leftovers: int
    """Leftovers of interrupted writes removed or put back."""
    dropped_tombstones: int
    """Handles that are not remembered any longer."""
    dropped_sessions: int
    """Sessions that had nothing any more."""
    foreign: int
    """Files that are none of the store's; they are left alone."""
    failed: int
    """Files that could not be dealt with; they wait for the next sweep."""


@dataclass(slots=True, kw_only=True)
class CheckProgress:
    """What a check has found so far."""

    more: str | None = None
    """How to go on; none when it is over."""
    blobs: int
    """Blobs read and hashed."""
    bytes: int
    """Their bytes."""
    references: int
    """References read."""
    corrupt: int
    """Blobs that are not what was stored."""
    corrupt_digests: list[str]
    """The digests of the first hundred of them."""
    damaged_records: int
    """References of which the record cannot be read; their blobs can."""
    dead_references: int
    """References to blobs that are missing or damaged."""
    unheld: int
    """Blobs that no session holds. A sweep removes them."""
    unheld_bytes: int
    """The bytes that they take on disk."""
    unheld_digests: list[str]
    """The digests of the first hundred of them."""
    leftover_bytes: int
    """Bytes of unfinished writes that nobody goes on with. The next put or sweep removes them."""
    foreign: int
    """Files that are none of the store's."""
    repaired: int
    """Blobs and references removed, where repairing was asked for."""
    failed: int
    """Files that could not be looked at."""


@dataclass(slots=True, kw_only=True)
class Forgotten:
    """What deleting a result did."""

    held_elsewhere: bool
    """Whether the bytes stay because another session holds the same result. For the user of the store: a model is never told of other sessions."""
    erased_bytes: int
    """Bytes of files that were erased."""


@dataclass(slots=True, kw_only=True)
class Diagnostic:
    """Something about a tool that its owner or the user should know."""

    server: str
    """The tool's server; empty for none."""
    name: str
    """The tool's own name; empty for what was found about the server itself."""
    id: str | None = None
    """What the catalog calls it; none when it is not in the catalog."""
    issue: str
    """What was found: `nameless` (left out), `repeated` (the same definition again; left out), `renamed` (another tool has the name; it goes by `id`), `reserved` (a bridge tool has the name), `confusable` (only case or punctuation tells it from another), `unreadable-schema`, `long-description` (clipped), `many-labels` (more tags, aliases or phrases than are kept), `unusual-name` (it goes by `id`), `suspicious` (a text of it has marks of a chat format, hides characters …; it is clipped and quoted where it is shown, and left out where it describes a server that is not trusted), `unlikely-claim` (its claim to change nothing contradicts its name or description). Later versions may add words."""
    detail: str
    """The particulars, in words."""


@dataclass(slots=True, kw_only=True)
class VisibleTool:
    """A tool to show directly."""

    id: str
    """What the catalog calls it."""
    name: str
    """What its owner calls it."""
    server: str
    """Its server; empty for none."""


@dataclass(slots=True, kw_only=True)
class ToolText:
    """The text of a tool, for a host with an embedding model of its own."""

    key: str
    """32 hex digits: the same for the same text, in whatever catalog. For a cache of vectors."""
    text: str
    """At most 2,000 characters."""


@dataclass(slots=True, kw_only=True)
class Repair:
    """An argument that was repaired because only one reading was possible."""

    path: str
    """Where, as in `labels[0].name`."""
    sent: str
    """What was sent, as JSON, clipped to 80 characters."""
    taken_as: str
    """What it was read as, as JSON, clipped; `nothing` when it was left out."""
