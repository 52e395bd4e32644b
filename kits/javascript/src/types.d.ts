// What calls answer. Generated from the contract by `kits/generate.py`; do not edit.

/**
 * The call that a result came from.
 */
export interface Origin {
  /** The session that may read the result back: any name of 1 to 512 characters, chosen by the host. Sessions see nothing of each other. A host without sessions uses one name for all. */
  session: string;
  /** The tool's name. Rules and exclusions go by it. The handle shows it. */
  tool: string;
  /** The toolset or server that the tool belongs to, when there is one. */
  toolset?: string;
  /** The arguments as JSON text. Only their digest and a source pointer (`url`, `path`, `query` …, else ids and names) are kept. */
  arguments?: string;
  /** How the model reads on, named in the excerpt. Unset: the tool `weir_fetch`. `tool:NAME`: the same tool under another name. `shell:COMMAND`: a shell command such as `shell:weir fetch`, whose calls the excerpt then spells out. */
  reader?: string;
  /** What the call is for, such as the user's last words or the step of a plan. It is not kept, and changes nothing yet. */
  purpose?: string;
}

/**
 * A part of a result that is not text.
 */
export interface BinaryPart {
  /** The media type, such as `image/png`. */
  mediaType: string;
  /** The bytes in standard base64. */
  data: string;
}

/**
 * A part of a result that points elsewhere.
 */
export interface LinkPart {
  /** The address. */
  uri: string;
  /** The name to show. */
  name: string;
  /** The media type, when known. */
  mediaType?: string;
}

/** One part of a result: a text, bytes, or a pointer. Results keep the order of their parts. */
export type Part = string | BinaryPart | LinkPart;

/**
 * The name of a stored content and its measures.
 */
export interface Handle {
  /** The name that a model uses: the first 12 or more hex digits of the digest, as many as tell it apart from every other blob of the session. */
  id: string;
  /** SHA-256 of the stored bytes, 64 hex digits. */
  digest: string;
  /** `weir://blob/` and the id, for clients that read resources. */
  uri: string;
  /** The tool whose result it is. */
  tool: string;
  /** What the content was recognized as: `json`, `ndjson`, `csv`, `tsv`, `yaml`, `sql`, `html`, `xml`, `markdown`, `diff`, `log`, `code`, `text` or `binary`. Later versions may add words: treat an unknown one as `text`. */
  kind: string;
  /** The media type. */
  mediaType: string;
  /** Stored bytes. */
  bytes: number;
  /** Characters (code points) of the view `text`. */
  chars: number;
  /** Lines of the view `text`. */
  lines: number;
  /** Estimated tokens of the view `text`: see `estimate-tokens` of `settings`. */
  estimatedTokens: number;
  /** The `url`, `path`, `query` or the like of the call, else the ids and names among its arguments (`owner_name: a, repo: b`), cut to 300 characters. */
  source?: string;
  /** Where the shown text lies in the stored JSON, when the result was an envelope around it: a JSON pointer such as `/result`. Where the text is of several places, `*` stands for each step that differs (`/content/* /text`), and `/**` for places of different depth. What follows `#` is a place in the text that the pointer before it leads to. `bytes 20-9000` is a part of a text that words stood around, and `all` a text that was written anew as JSON lines. The exact bytes are the view `raw`. */
  envelope?: string;
  /** Characters of the text that stands for it. None when a handle is asked for later. */
  shownChars?: number;
  /** Whether the session had stored the same bytes before. None when a handle is asked for later. */
  isRepeat?: boolean;
}

/**
 * What the store remembers of a blob that is gone.
 */
export interface Tombstone {
  /** Why it is gone: `expired` (not used for as long as the store keeps things), `evicted` (made room for others), `deleted` (someone deleted it) or `corrupt` (its bytes were damaged). */
  reason: string;
  /** The tool to call again. */
  tool: string;
  /** The bytes it had, when known. */
  bytes?: number;
  /** As in a handle: the `url`, `path`, `query` or the like of the call, else its ids and names. */
  source?: string;
  /** SHA-256 of the call's arguments, to tell whether a new call is the same. */
  argumentsDigest?: string;
  /** When it went, in seconds since 1970. */
  goneAt: number;
}

/**
 * A limit that is not a setting.
 */
export interface Limit {
  /** Its name, such as `catalog-tools`. */
  name: string;
  /** What it counts: `bytes`, `chars`, `tools` … */
  measure: string;
  /** Its value. */
  value: number;
}

/**
 * What the component is.
 */
export interface ComponentInfo {
  /** `weir`. */
  name: string;
  /** The version of the code, such as `0.3.0`. */
  version: string;
  /** The package and version of the contract, such as `weir:plugin@0.3.0`. */
  contract: string;
  /** Which of the three files this is, by its world: `results`, `tools` or `plugin`. */
  file: string;
  /** The SPDX expression of the licence. */
  licence: string;
  /** What this file can do: `results`, `tools`, `vectors` (tool search by meaning), `query`, `outline`, `search`, `diff`. Later versions may add words. */
  features: string[];
  /** Limits that are not settings. */
  limits: Limit[];
}

/**
 * One thing that is wrong with settings, and what is used in its place.
 */
export interface Problem {
  /** The key, as in `transform.threshold_chars`. */
  key: string;
  /** What is wrong with it, in words. */
  message: string;
  /** The value that is used instead; none for a key that is ignored. */
  used?: string;
}

/**
 * What became of a result.
 */
export interface Transformed {
  /** Whether `parts` stand in the result's place. If not, show the result as it came. */
  replaced: boolean;
  /** Why. Left as it is: `small` (within its threshold), `excluded` (a rule, `exclude`, or the reading tool's own answer), `waits-for-input`, `already-a-handle` (exactly the text that stands for a stored result which the session can read), `no-gain` (a replacement would not be shorter), `not-stored` (it could not be stored and is short enough to pass). Replaced: `stored`, `cut` (it could not be stored and is too long: head and tail), `never-stored` (a rule forbids storing: head and tail). Later versions may add words. */
  reason: string;
  /** What to show the model: as many parts as came, in their order, unless all their text was stored as one. Empty when a result was left as it is, but for an intake: then all of it. */
  parts: Part[];
  /** What was stored, in the order of the parts that show it. */
  handles: Handle[];
  /** Characters of text before. */
  charsBefore: number;
  /** Characters of text after: never more, and each replacement within its cap. */
  charsAfter: number;
  /** Estimated tokens before. */
  estimatedTokensBefore: number;
  /** Estimated tokens after. */
  estimatedTokensAfter: number;
  /** Why the store refused, when it did. For logs. */
  storeFailure?: string;
}

/**
 * Which bytes of a stored result are meant.
 */
export type View = 'text' | 'raw';

/**
 * What a position counts.
 */
export type Unit = 'lines' | 'bytes' | 'chars';

/**
 * How a page's content is written.
 */
export type Encoding = 'utf8' | 'escaped';

/**
 * A piece of a blob.
 */
export interface Page {
  /** The content. */
  content: string;
  /** How it is written. */
  encoding: Encoding;
  /** What `start`, `end` and `total` count. */
  unit: Unit;
  /** Where the content starts. */
  start: number;
  /** Where it ends: one past the last. For lines, one past the last that is shown in part. */
  end: number;
  /** How many there are in all. */
  total: number;
  /** The first byte. */
  startByte: number;
  /** One past the last byte. */
  endByte: number;
  /** How to go on; none when the page reaches the end of what was asked for. */
  more?: string;
}

/**
 * The facts of a stored result.
 */
export interface BlobStat {
  /** Its name and measures. */
  handle: Handle;
  /** Lines of the exact bytes, where `handle` counts those of the view `text`. */
  rawLines: number;
  /** Characters of the exact bytes. */
  rawChars: number;
  /** When it was stored, in seconds since 1970; none when that is not known any more. */
  storedAt?: number;
  /** When it was last read or stored again, in seconds since 1970. */
  usedAt: number;
  /** When it expires unless somebody reads it, in seconds since 1970; none while it is pinned. */
  expiresAt?: number;
  /** Whether it is kept from expiry and eviction. */
  pinned: boolean;
  /** SHA-256 of the call's arguments. */
  argumentsDigest?: string;
}

/**
 * How letters are compared.
 */
export type CaseMode = 'smart' | 'sensitive' | 'insensitive';

/**
 * A matching line, or a line of context.
 */
export interface GrepLine {
  /** The line's number, from 1. */
  line: number;
  /** The column of the match in bytes, from 1; none for a line of context. */
  column?: number;
  /** The offset in the blob of the match (or of the line) in bytes, from 0. */
  byte: number;
  /** The line, or a window around the match. */
  text: string;
  /** Characters of the line left out before `text`. */
  cutBefore: number;
  /** Characters of the line left out after `text`. */
  cutAfter: number;
}

/**
 * What a grep found.
 */
export interface GrepPage {
  /** Matching lines of this page and their context, in order. */
  lines: GrepLine[];
  /** The bytes that the lines are of. It is `raw` although `text` was asked for where the text has no match, and what it leaves out was searched instead. */
  view: View;
  /** Matches in all that was searched, shown or not, as `grep -o` lists them: exact, whatever the length of lines. */
  matches: number;
  /** Lines with at least one match in all that was searched, as `grep -c` counts them: exact. */
  matchingLines: number;
  /** Whether the end was reached, so that the counts are those of all from `start` on. */
  complete: boolean;
  /** Where the search stopped, in bytes. */
  searchedTo: number;
  /** Bytes in all. */
  totalBytes: number;
  /** What was not searched, in words for a model, when there is any. */
  notSearched?: string;
  /** Whether there is nothing to show yet. */
  pending: boolean;
  /** How to go on. */
  more?: string;
}

/**
 * Stored results of a session.
 */
export interface BlobList {
  /** The results, the last used first. */
  entries: BlobStat[];
  /** How to go on. */
  more?: string;
  /** How many there are. */
  total: number;
}

/**
 * The answer to a query.
 */
export interface QueryPage {
  /** Results as JSON lines, or as a table. Numbers keep all their digits. */
  content: string;
  /** Whether `content` is a table. */
  isTable: boolean;
  /** How many results `content` has. */
  results: number;
  /** What the rows are, in words, such as `rows of a table`, or `items of` and a quoted path. */
  rows: string;
  /** The first row read for this page, from 1; 0 when none was. */
  firstRow: number;
  /** The last row read for this page, from 1; 0 when none was. */
  lastRow: number;
  /** How many rows the program failed on. */
  failedRows: number;
  /** The first of those failures. */
  firstFailure?: string;
  /** What limits did to the answer, in words, such as groups left out. */
  notes: string[];
  /** Whether every row was read. */
  complete: boolean;
  /** Whether there is nothing to show yet: no result, or not yet all rows that a reducer sums up. */
  pending: boolean;
  /** How to go on. */
  more?: string;
}

/**
 * One line of an outline.
 */
export interface OutlineEntry {
  /** The path, column, heading, symbol, file, level or line shape. It comes from the content. */
  label: string;
  /** Types, counts, ranges, distinct values. */
  detail: string;
  /** The arguments of the model's tool, as JSON text, that read this part. */
  call?: string;
}

/**
 * The shape of a blob.
 */
export interface OutlinePage {
  /** What it is, such as `items: 2,000 rows`. */
  about: string;
  /** The entries, in the content's order. */
  entries: OutlineEntry[];
  /** How many entries there are in all. */
  total: number;
  /** Whether every byte was looked at. */
  complete: boolean;
  /** Whether rows are still being counted: what is here is of those so far. */
  pending: boolean;
  /** How to go on. */
  more?: string;
}

/**
 * A passage that a search found.
 */
export interface Passage {
  /** The blob. */
  id: string;
  /** The tool whose result it is. */
  tool: string;
  /** The first line, from 1. */
  firstLine: number;
  /** The last line, from 1. */
  lastLine: number;
  /** The first byte. */
  startByte: number;
  /** One past the last byte. */
  endByte: number;
  /** The text. */
  text: string;
}

/**
 * What a search found.
 */
export interface PassagePage {
  /** The passages, best first. */
  passages: Passage[];
  /** How many passages have a word that was looked for, shown or not. */
  matching: number;
  /** How many stored results were searched. */
  searched: number;
  /** How many there are to search. */
  total: number;
  /** How many could not be read. */
  unreadable: number;
  /** How many bytes were searched. */
  bytes: number;
  /** Whether all of them were searched. */
  complete: boolean;
  /** What of the stored results was not searched, in words for a model, when there is any: what stood beside a text in its envelope, what a terminal would not show of a text, and binary results. */
  notSearched?: string;
  /** Whether there is more to search before the passages are the best of all. */
  pending: boolean;
  /** How to go on. */
  more?: string;
}

/**
 * What differs.
 */
export interface DiffPage {
  /** The id of the older result. */
  older: string;
  /** The id of the newer result. */
  newer: string;
  /** What was compared: `lines`, or `rows by` and a quoted key. */
  compared: string;
  /** How many are only in the newer one. */
  added: number;
  /** How many are only in the older one. */
  removed: number;
  /** How many rows are in both and differ. */
  changed: number;
  /** How many are the same in both. */
  same: number;
  /** Unified hunks, or one line for each row that differs. */
  content: string;
  /** What limits did to the answer, and what else there is to say, in words. */
  notes: string[];
  /** Whether all of it was compared. */
  complete: boolean;
  /** How to go on. */
  more?: string;
}

/**
 * What to show the model in return.
 */
export interface ToolAnswer {
  /** The answer, within `max-chars` of the fetch settings (`full-max-chars` for a full read). */
  text: string;
  /** Whether it says that something is wrong. */
  isError: boolean;
  /** Arguments with which the same work goes on, when a bounded piece of it was done and there is nothing to show yet. `text` is a true answer as it is; a host that has time left may invoke again with these and show the later answer in its place. */
  more?: string;
}

/**
 * How often something was asked for, and what was shown.
 */
export interface UseCount {
  /** What: `put`, or a mode of fetch. */
  what: string;
  /** How often. */
  count: number;
  /** How often the answer was no. */
  refused: number;
  /** Characters that came in (for puts). */
  charsIn: number;
  /** Characters that the model was shown. */
  charsShown: number;
}

/**
 * What is in a store, counted.
 */
export interface Census {
  /** When it was counted, in seconds since 1970. */
  countedAt: number;
  /** Stored results that can be read, over all sessions. */
  handles: number;
  /** Handles that are gone and remembered. */
  tombstones: number;
  /** Sessions that have any. */
  sessions: number;
  /** When the longest unused handle was last used, in seconds since 1970. */
  oldestUsedAt?: number;
}

/**
 * The state of a store.
 */
export interface StoreStatus {
  /** Bytes on disk by the store's own count, in blocks of 4 KiB. */
  usedBytes: number;
  /** Bytes that it may use. */
  maxBytes: number;
  /** What is in it: counted now while there are at most 10,000 handles, else by the last sweep; none before the first. */
  census?: Census;
  /** What it was used for. */
  uses: UseCount[];
  /** Characters kept from models: those of the results put, of each at most `client-max-chars`, less those of what was shown in their place and of all that was fetched back. */
  charsSaved: number;
  /** The same in estimated tokens. */
  estimatedTokensSaved: number;
}

/**
 * What a sweep has done so far.
 */
export interface SweepProgress {
  /** How to go on; none when it is over. */
  more?: string;
  /** Files and directories looked at. */
  seen: number;
  /** Handles that expired. */
  expired: number;
  /** Blobs that made room. */
  evicted: number;
  /** Blobs removed, those included. */
  removedBlobs: number;
  /** Leftovers of interrupted writes removed or put back. */
  leftovers: number;
  /** Handles that are not remembered any longer. */
  droppedTombstones: number;
  /** Sessions that had nothing any more. */
  droppedSessions: number;
  /** Files that are none of the store's; they are left alone. */
  foreign: number;
  /** Files that could not be dealt with; they wait for the next sweep. */
  failed: number;
}

/**
 * What a check has found so far.
 */
export interface CheckProgress {
  /** How to go on; none when it is over. */
  more?: string;
  /** Blobs read and hashed. */
  blobs: number;
  /** Their bytes. */
  bytes: number;
  /** References read. */
  references: number;
  /** Blobs that are not what was stored. */
  corrupt: number;
  /** The digests of the first hundred of them. */
  corruptDigests: string[];
  /** References of which the record cannot be read; their blobs can. */
  damagedRecords: number;
  /** References to blobs that are missing or damaged. */
  deadReferences: number;
  /** Blobs that no session holds. A sweep removes them. */
  unheld: number;
  /** The bytes that they take on disk. */
  unheldBytes: number;
  /** The digests of the first hundred of them. */
  unheldDigests: string[];
  /** Bytes of unfinished writes that nobody goes on with. The next put or sweep removes them. */
  leftoverBytes: number;
  /** Files that are none of the store's. */
  foreign: number;
  /** Blobs and references removed, where repairing was asked for. */
  repaired: number;
  /** Files that could not be looked at. */
  failed: number;
}

/**
 * What deleting a result did.
 */
export interface Forgotten {
  /** Whether the bytes stay because another session holds the same result. For the user of the store: a model is never told of other sessions. */
  heldElsewhere: boolean;
  /** Bytes of files that were erased. */
  erasedBytes: number;
}

/**
 * Something about a tool that its owner or the user should know.
 */
export interface Diagnostic {
  /** The tool's server; empty for none. */
  server: string;
  /** The tool's own name; empty for what was found about the server itself. */
  name: string;
  /** What the catalog calls it; none when it is not in the catalog. */
  id?: string;
  /** What was found: `nameless` (left out), `repeated` (the same definition again; left out), `renamed` (another tool has the name; it goes by `id`), `reserved` (a bridge tool has the name), `confusable` (only case or punctuation tells it from another), `unreadable-schema`, `long-description` (clipped), `many-labels` (more tags, aliases or phrases than are kept), `unusual-name` (it goes by `id`), `suspicious` (a text of it has marks of a chat format, hides characters …; it is clipped and quoted where it is shown, and left out where it describes a server that is not trusted), `unlikely-claim` (its claim to change nothing contradicts its name or description). Later versions may add words. */
  issue: string;
  /** The particulars, in words. */
  detail: string;
}

/**
 * A tool to show directly.
 */
export interface VisibleTool {
  /** What the catalog calls it. */
  id: string;
  /** What its owner calls it. */
  name: string;
  /** Its server; empty for none. */
  server: string;
}

/**
 * The text of a tool, for a host with an embedding model of its own.
 */
export interface ToolText {
  /** 32 hex digits: the same for the same text, in whatever catalog. For a cache of vectors. */
  key: string;
  /** At most 2,000 characters. */
  text: string;
}

/**
 * An argument that was repaired because only one reading was possible.
 */
export interface Repair {
  /** Where, as in `labels[0].name`. */
  path: string;
  /** What was sent, as JSON, clipped to 80 characters. */
  sent: string;
  /** What it was read as, as JSON, clipped; `nothing` when it was left out. */
  takenAs: string;
}
