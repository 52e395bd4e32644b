// Code generated from the contract by kits/generate.py; DO NOT EDIT.

package weir

// A text or bool that may be left out is then empty or false, anything else that may be is then nil.

// The name of a stored content and its measures.
type Handle struct {
	// The name that a model uses: the first 12 or more hex digits of the digest, as many as tell it apart from every other blob of the session.
	ID string `json:"id"`
	// SHA-256 of the stored bytes, 64 hex digits.
	Digest string `json:"digest"`
	// `weir://blob/` and the id, for clients that read resources.
	URI string `json:"uri"`
	// The tool whose result it is.
	Tool string `json:"tool"`
	// What the content was recognized as: `json`, `ndjson`, `csv`, `tsv`, `yaml`, `sql`, `html`, `xml`, `markdown`, `diff`, `log`, `code`, `text` or `binary`. Later versions may add words: treat an unknown one as `text`.
	Kind string `json:"kind"`
	// The media type.
	MediaType string `json:"mediaType"`
	// Stored bytes.
	Bytes int64 `json:"bytes"`
	// Characters (code points) of the view `text`.
	Chars int64 `json:"chars"`
	// Lines of the view `text`.
	Lines int64 `json:"lines"`
	// Estimated tokens of the view `text`: see `estimate-tokens` of `settings`.
	EstimatedTokens int64 `json:"estimatedTokens"`
	// The `url`, `path`, `query` or the like of the call, else the ids and names among its arguments (`owner_name: a, repo: b`), cut to 300 characters.
	Source string `json:"source,omitempty"`
	// Where the shown text lies in the stored JSON, when the result was an envelope around it: a JSON pointer such as `/result`. Where the text is of several places, `*` stands for each step that differs (`/content/*/text`), and `/**` for places of different depth. What follows `#` is a place in the text that the pointer before it leads to. `bytes 20-9000` is a part of a text that words stood around, and `all` a text that was written anew as JSON lines. The exact bytes are the view `raw`.
	Envelope string `json:"envelope,omitempty"`
	// Characters of the text that stands for it. None when a handle is asked for later.
	ShownChars *int64 `json:"shownChars,omitempty"`
	// Whether the session had stored the same bytes before. None when a handle is asked for later.
	IsRepeat bool `json:"isRepeat,omitempty"`
}

// What the store remembers of a blob that is gone.
type Tombstone struct {
	// Why it is gone: `expired` (not used for as long as the store keeps things), `evicted` (made room for others), `deleted` (someone deleted it) or `corrupt` (its bytes were damaged).
	Reason string `json:"reason"`
	// The tool to call again.
	Tool string `json:"tool"`
	// The bytes it had, when known.
	Bytes *int64 `json:"bytes,omitempty"`
	// As in a handle: the `url`, `path`, `query` or the like of the call, else its ids and names.
	Source string `json:"source,omitempty"`
	// SHA-256 of the call's arguments, to tell whether a new call is the same.
	ArgumentsDigest string `json:"argumentsDigest,omitempty"`
	// When it went, in seconds since 1970.
	GoneAt int64 `json:"goneAt"`
}

// A limit that is not a setting.
type Limit struct {
	// Its name, such as `catalog-tools`.
	Name string `json:"name"`
	// What it counts: `bytes`, `chars`, `tools` …
	Measure string `json:"measure"`
	// Its value.
	Value int64 `json:"value"`
}

// What the component is.
type ComponentInfo struct {
	// `weir`.
	Name string `json:"name"`
	// The version of the code, such as `0.3.0`.
	Version string `json:"version"`
	// The package and version of the contract, such as `weir:plugin@0.3.0`.
	Contract string `json:"contract"`
	// Which of the three files this is, by its world: `results`, `tools` or `plugin`.
	File string `json:"file"`
	// The SPDX expression of the licence.
	Licence string `json:"licence"`
	// What this file can do: `results`, `tools`, `vectors` (tool search by meaning), `query`, `outline`, `search`, `diff`. Later versions may add words.
	Features []string `json:"features"`
	// Limits that are not settings.
	Limits []Limit `json:"limits"`
}

// One thing that is wrong with settings, and what is used in its place.
type Problem struct {
	// The key, as in `transform.threshold_chars`.
	Key string `json:"key"`
	// What is wrong with it, in words.
	Message string `json:"message"`
	// The value that is used instead; none for a key that is ignored.
	Used string `json:"used,omitempty"`
}

// Which bytes of a stored result are meant.
type View string

const (
	// The text for reading: what was inside the envelope when the result was one, decoded, and without terminal control.
	ViewText View = "text"
	// The exact bytes as they came.
	ViewRaw View = "raw"
)

// What a position counts.
type Unit string

const (
	// Lines, from 1. A line ends with a line feed and nothing else.
	UnitLines Unit = "lines"
	// Bytes, from 0.
	UnitBytes Unit = "bytes"
	// Characters (code points), from 0.
	UnitChars Unit = "chars"
)

// How a page's content is written.
type Encoding string

const (
	// As it is.
	EncodingUtf8 Encoding = "utf8"
	// The bytes are not UTF-8: each bad byte is `\x` and two hex digits, each backslash `\\`.
	EncodingEscaped Encoding = "escaped"
)

// A piece of a blob.
type Page struct {
	// The content.
	Content string `json:"content"`
	// How it is written.
	Encoding Encoding `json:"encoding"`
	// What `start`, `end` and `total` count.
	Unit Unit `json:"unit"`
	// Where the content starts.
	Start int64 `json:"start"`
	// Where it ends: one past the last. For lines, one past the last that is shown in part.
	End int64 `json:"end"`
	// How many there are in all.
	Total int64 `json:"total"`
	// The first byte.
	StartByte int64 `json:"startByte"`
	// One past the last byte.
	EndByte int64 `json:"endByte"`
	// How to go on; none when the page reaches the end of what was asked for.
	More string `json:"more,omitempty"`
}

// The facts of a stored result.
type BlobStat struct {
	// Its name and measures.
	Handle Handle `json:"handle"`
	// Lines of the exact bytes, where `handle` counts those of the view `text`.
	RawLines int64 `json:"rawLines"`
	// Characters of the exact bytes.
	RawChars int64 `json:"rawChars"`
	// When it was stored, in seconds since 1970; none when that is not known any more.
	StoredAt *int64 `json:"storedAt,omitempty"`
	// When it was last read or stored again, in seconds since 1970.
	UsedAt int64 `json:"usedAt"`
	// When it expires unless somebody reads it, in seconds since 1970; none while it is pinned.
	ExpiresAt *int64 `json:"expiresAt,omitempty"`
	// Whether it is kept from expiry and eviction.
	Pinned bool `json:"pinned"`
	// SHA-256 of the call's arguments.
	ArgumentsDigest string `json:"argumentsDigest,omitempty"`
}

// How letters are compared.
type CaseMode string

const (
	// As `insensitive`, unless the pattern has a capital letter.
	CaseModeSmart CaseMode = "smart"
	// `a` is not `A`.
	CaseModeSensitive CaseMode = "sensitive"
	// `a` is `A`, by Unicode's simple case folding.
	CaseModeInsensitive CaseMode = "insensitive"
)

// A matching line, or a line of context.
type GrepLine struct {
	// The line's number, from 1.
	Line int64 `json:"line"`
	// The column of the match in bytes, from 1; none for a line of context.
	Column *int64 `json:"column,omitempty"`
	// The offset in the blob of the match (or of the line) in bytes, from 0.
	Byte int64 `json:"byte"`
	// The line, or a window around the match.
	Text string `json:"text"`
	// Characters of the line left out before `text`.
	CutBefore int64 `json:"cutBefore"`
	// Characters of the line left out after `text`.
	CutAfter int64 `json:"cutAfter"`
}

// What a grep found.
type GrepPage struct {
	// Matching lines of this page and their context, in order.
	Lines []GrepLine `json:"lines"`
	// The bytes that the lines are of. It is `raw` although `text` was asked for where the text has no match, and what it leaves out was searched instead.
	View View `json:"view"`
	// Matches in all that was searched, shown or not, as `grep -o` lists them: exact, whatever the length of lines.
	Matches int64 `json:"matches"`
	// Lines with at least one match in all that was searched, as `grep -c` counts them: exact.
	MatchingLines int64 `json:"matchingLines"`
	// Whether the end was reached, so that the counts are those of all from `start` on.
	Complete bool `json:"complete"`
	// Where the search stopped, in bytes.
	SearchedTo int64 `json:"searchedTo"`
	// Bytes in all.
	TotalBytes int64 `json:"totalBytes"`
	// What was not searched, in words for a model, when there is any.
	NotSearched string `json:"notSearched,omitempty"`
	// Whether there is nothing to show yet.
	Pending bool `json:"pending"`
	// How to go on.
	More string `json:"more,omitempty"`
}

// Stored results of a session.
type BlobList struct {
	// The results, the last used first.
	Entries []BlobStat `json:"entries"`
	// How to go on.
	More string `json:"more,omitempty"`
	// How many there are.
	Total int64 `json:"total"`
}

// The answer to a query.
type QueryPage struct {
	// Results as JSON lines, or as a table. Numbers keep all their digits.
	Content string `json:"content"`
	// Whether `content` is a table.
	IsTable bool `json:"isTable"`
	// How many results `content` has.
	Results int64 `json:"results"`
	// What the rows are, in words, such as `rows of a table`, or `items of` and a quoted path.
	Rows string `json:"rows"`
	// The first row read for this page, from 1; 0 when none was.
	FirstRow int64 `json:"firstRow"`
	// The last row read for this page, from 1; 0 when none was.
	LastRow int64 `json:"lastRow"`
	// How many rows the program failed on.
	FailedRows int64 `json:"failedRows"`
	// The first of those failures.
	FirstFailure string `json:"firstFailure,omitempty"`
	// What limits did to the answer, in words, such as groups left out.
	Notes []string `json:"notes"`
	// Whether every row was read.
	Complete bool `json:"complete"`
	// Whether there is nothing to show yet: no result, or not yet all rows that a reducer sums up.
	Pending bool `json:"pending"`
	// How to go on.
	More string `json:"more,omitempty"`
}

// One line of an outline.
type OutlineEntry struct {
	// The path, column, heading, symbol, file, level or line shape. It comes from the content.
	Label string `json:"label"`
	// Types, counts, ranges, distinct values.
	Detail string `json:"detail"`
	// The arguments of the model's tool, as JSON text, that read this part.
	Call string `json:"call,omitempty"`
}

// The shape of a blob.
type OutlinePage struct {
	// What it is, such as `items: 2,000 rows`.
	About string `json:"about"`
	// The entries, in the content's order.
	Entries []OutlineEntry `json:"entries"`
	// How many entries there are in all.
	Total int64 `json:"total"`
	// Whether every byte was looked at.
	Complete bool `json:"complete"`
	// Whether rows are still being counted: what is here is of those so far.
	Pending bool `json:"pending"`
	// How to go on.
	More string `json:"more,omitempty"`
}

// A passage that a search found.
type Passage struct {
	// The blob.
	ID string `json:"id"`
	// The tool whose result it is.
	Tool string `json:"tool"`
	// The first line, from 1.
	FirstLine int64 `json:"firstLine"`
	// The last line, from 1.
	LastLine int64 `json:"lastLine"`
	// The first byte.
	StartByte int64 `json:"startByte"`
	// One past the last byte.
	EndByte int64 `json:"endByte"`
	// The text.
	Text string `json:"text"`
}

// What a search found.
type PassagePage struct {
	// The passages, best first.
	Passages []Passage `json:"passages"`
	// How many passages have a word that was looked for, shown or not.
	Matching int64 `json:"matching"`
	// How many stored results were searched.
	Searched int64 `json:"searched"`
	// How many there are to search.
	Total int64 `json:"total"`
	// How many could not be read.
	Unreadable int64 `json:"unreadable"`
	// How many bytes were searched.
	Bytes int64 `json:"bytes"`
	// Whether all of them were searched.
	Complete bool `json:"complete"`
	// What of the stored results was not searched, in words for a model, when there is any: what stood beside a text in its envelope, what a terminal would not show of a text, and binary results.
	NotSearched string `json:"notSearched,omitempty"`
	// Whether there is more to search before the passages are the best of all.
	Pending bool `json:"pending"`
	// How to go on.
	More string `json:"more,omitempty"`
}

// What differs.
type DiffPage struct {
	// The id of the older result.
	Older string `json:"older"`
	// The id of the newer result.
	Newer string `json:"newer"`
	// What was compared: `lines`, or `rows by` and a quoted key.
	Compared string `json:"compared"`
	// How many are only in the newer one.
	Added int64 `json:"added"`
	// How many are only in the older one.
	Removed int64 `json:"removed"`
	// How many rows are in both and differ.
	Changed int64 `json:"changed"`
	// How many are the same in both.
	Same int64 `json:"same"`
	// Unified hunks, or one line for each row that differs.
	Content string `json:"content"`
	// What limits did to the answer, and what else there is to say, in words.
	Notes []string `json:"notes"`
	// Whether all of it was compared.
	Complete bool `json:"complete"`
	// How to go on.
	More string `json:"more,omitempty"`
}

// How often something was asked for, and what was shown.
type UseCount struct {
	// What: `put`, or a mode of fetch.
	What string `json:"what"`
	// How often.
	Count int64 `json:"count"`
	// How often the answer was no.
	Refused int64 `json:"refused"`
	// Characters that came in (for puts).
	CharsIn int64 `json:"charsIn"`
	// Characters that the model was shown.
	CharsShown int64 `json:"charsShown"`
}

// What is in a store, counted.
type Census struct {
	// When it was counted, in seconds since 1970.
	CountedAt int64 `json:"countedAt"`
	// Stored results that can be read, over all sessions.
	Handles int64 `json:"handles"`
	// Handles that are gone and remembered.
	Tombstones int64 `json:"tombstones"`
	// Sessions that have any.
	Sessions int64 `json:"sessions"`
	// When the longest unused handle was last used, in seconds since 1970.
	OldestUsedAt *int64 `json:"oldestUsedAt,omitempty"`
}

// The state of a store.
type StoreStatus struct {
	// Bytes on disk by the store's own count, in blocks of 4 KiB.
	UsedBytes int64 `json:"usedBytes"`
	// Bytes that it may use.
	MaxBytes int64 `json:"maxBytes"`
	// What is in it: counted now while there are at most 10,000 handles, else by the last sweep; none before the first.
	Census *Census `json:"census,omitempty"`
	// What it was used for.
	Uses []UseCount `json:"uses"`
	// Characters kept from models: those of the results put, of each at most `client-max-chars`, less those of what was shown in their place and of all that was fetched back.
	CharsSaved int64 `json:"charsSaved"`
	// The same in estimated tokens.
	EstimatedTokensSaved int64 `json:"estimatedTokensSaved"`
}

// What a sweep has done so far.
type SweepProgress struct {
	// How to go on; none when it is over.
	More string `json:"more,omitempty"`
	// Files and directories looked at.
	Seen int64 `json:"seen"`
	// Handles that expired.
	Expired int64 `json:"expired"`
	// Blobs that made room.
	Evicted int64 `json:"evicted"`
	// Blobs removed, those included.
	RemovedBlobs int64 `json:"removedBlobs"`
	// Leftovers of interrupted writes removed or put back.
	Leftovers int64 `json:"leftovers"`
	// Handles that are not remembered any longer.
	DroppedTombstones int64 `json:"droppedTombstones"`
	// Sessions that had nothing any more.
	DroppedSessions int64 `json:"droppedSessions"`
	// Files that are none of the store's; they are left alone.
	Foreign int64 `json:"foreign"`
	// Files that could not be dealt with; they wait for the next sweep.
	Failed int64 `json:"failed"`
}

// What a check has found so far.
type CheckProgress struct {
	// How to go on; none when it is over.
	More string `json:"more,omitempty"`
	// Blobs read and hashed.
	Blobs int64 `json:"blobs"`
	// Their bytes.
	Bytes int64 `json:"bytes"`
	// References read.
	References int64 `json:"references"`
	// Blobs that are not what was stored.
	Corrupt int64 `json:"corrupt"`
	// The digests of the first hundred of them.
	CorruptDigests []string `json:"corruptDigests"`
	// References of which the record cannot be read; their blobs can.
	DamagedRecords int64 `json:"damagedRecords"`
	// References to blobs that are missing or damaged.
	DeadReferences int64 `json:"deadReferences"`
	// Blobs that no session holds. A sweep removes them.
	Unheld int64 `json:"unheld"`
	// The bytes that they take on disk.
	UnheldBytes int64 `json:"unheldBytes"`
	// The digests of the first hundred of them.
	UnheldDigests []string `json:"unheldDigests"`
	// Bytes of unfinished writes that nobody goes on with. The next put or sweep removes them.
	LeftoverBytes int64 `json:"leftoverBytes"`
	// Files that are none of the store's.
	Foreign int64 `json:"foreign"`
	// Blobs and references removed, where repairing was asked for.
	Repaired int64 `json:"repaired"`
	// Files that could not be looked at.
	Failed int64 `json:"failed"`
}

// What deleting a result did.
type Forgotten struct {
	// Whether the bytes stay because another session holds the same result. For the user of the store: a model is never told of other sessions.
	HeldElsewhere bool `json:"heldElsewhere"`
	// Bytes of files that were erased.
	ErasedBytes int64 `json:"erasedBytes"`
}

// Something about a tool that its owner or the user should know.
type Diagnostic struct {
	// The tool's server; empty for none.
	Server string `json:"server"`
	// The tool's own name; empty for what was found about the server itself.
	Name string `json:"name"`
	// What the catalog calls it; none when it is not in the catalog.
	ID string `json:"id,omitempty"`
	// What was found: `nameless` (left out), `repeated` (the same definition again; left out), `renamed` (another tool has the name; it goes by `id`), `reserved` (a bridge tool has the name), `confusable` (only case or punctuation tells it from another), `unreadable-schema`, `long-description` (clipped), `many-labels` (more tags, aliases or phrases than are kept), `unusual-name` (it goes by `id`), `suspicious` (a text of it has marks of a chat format, hides characters …; it is clipped and quoted where it is shown, and left out where it describes a server that is not trusted), `unlikely-claim` (its claim to change nothing contradicts its name or description). Later versions may add words.
	Issue string `json:"issue"`
	// The particulars, in words.
	Detail string `json:"detail"`
}

// A tool to show directly.
type VisibleTool struct {
	// What the catalog calls it.
	ID string `json:"id"`
	// What its owner calls it.
	Name string `json:"name"`
	// Its server; empty for none.
	Server string `json:"server"`
}

// An argument that was repaired because only one reading was possible.
type Repair struct {
	// Where, as in `labels[0].name`.
	Path string `json:"path"`
	// What was sent, as JSON, clipped to 80 characters.
	Sent string `json:"sent"`
	// What it was read as, as JSON, clipped; `nothing` when it was left out.
	TakenAs string `json:"takenAs"`
}
