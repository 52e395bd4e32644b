package weir

import (
	"encoding/json"
	"time"
)

// requestTime is how long one request goes on over slices of the component's work that each end without an answer.
const requestTime = 10 * time.Second

// of is a stored result of a session.
type of struct {
	Session string `json:"session"`
	ID      string `json:"id"`
}

// ReadOptions say from where on to read. Without them it is read from its first line on.
type ReadOptions struct {
	// View is ViewText, unless it says otherwise.
	View View `json:"view,omitempty"`
	// Unit is UnitLines, unless it says otherwise.
	Unit Unit `json:"unit,omitempty"`
	// Start is the first of these. Lines are counted from 1, the others from 0; a negative one counts from the end.
	Start int64 `json:"start,omitempty"`
	// Count is how many of them at most; 0 for as many as a page holds.
	Count int64 `json:"count,omitempty"`
	// More is that of the page before, with the same other options.
	More string `json:"more,omitempty"`
}

// EndOptions say how much of the end to read.
type EndOptions struct {
	View View `json:"view,omitempty"`
	// Lines is how many; 0 for as many as a page holds.
	Lines int64  `json:"lines,omitempty"`
	More  string `json:"more,omitempty"`
}

// AllOptions say which view to read.
type AllOptions struct {
	View View   `json:"view,omitempty"`
	More string `json:"more,omitempty"`
}

// GrepOptions say how to search for a pattern.
type GrepOptions struct {
	View View `json:"view,omitempty"`
	// Regex is whether the pattern is a regular expression.
	Regex bool `json:"regex,omitempty"`
	// CaseMode is CaseModeSmart, unless it says otherwise.
	CaseMode CaseMode `json:"caseMode,omitempty"`
	Word     bool     `json:"word,omitempty"`
	Invert   bool     `json:"invert,omitempty"`
	// CountOnly leaves the lines out.
	CountOnly bool `json:"countOnly,omitempty"`
	// Before and After are how many lines of context to show.
	Before     int `json:"before,omitempty"`
	After      int `json:"after,omitempty"`
	MaxMatches int `json:"maxMatches,omitempty"`
	// Start is the byte to search from.
	Start int64  `json:"start,omitempty"`
	More  string `json:"more,omitempty"`
}

// QueryOptions say of which rows a question is, and what to make of what comes out.
type QueryOptions struct {
	View View `json:"view,omitempty"`
	// Path is where the rows are: a JSON pointer or a jq path.
	Path string `json:"path,omitempty"`
	// By is the key of a group or of the order: a jq path on the row.
	By string `json:"by,omitempty"`
	// Reduce is what to make of all that came out: "count", "sum", "mean" …
	Reduce string `json:"reduce,omitempty"`
	// Whole runs the program on the whole document.
	Whole      bool   `json:"whole,omitempty"`
	AsTable    bool   `json:"asTable,omitempty"`
	MaxResults int64  `json:"maxResults,omitempty"`
	More       string `json:"more,omitempty"`
}

// OutlineOptions say of what part to give the shape.
type OutlineOptions struct {
	View View   `json:"view,omitempty"`
	Path string `json:"path,omitempty"`
	More string `json:"more,omitempty"`
}

// SearchOptions say in which result to search: ID, else in all of the session's.
type SearchOptions struct {
	ID          string `json:"id,omitempty"`
	MaxPassages int64  `json:"maxPassages,omitempty"`
	More        string `json:"more,omitempty"`
}

// DiffOptions say with what to compare: Older, else the last result of the same call.
type DiffOptions struct {
	Older string `json:"older,omitempty"`
	// Key is the member of a row that it is known by.
	Key     string `json:"key,omitempty"`
	ByLines bool   `json:"byLines,omitempty"`
	More    string `json:"more,omitempty"`
}

// ListOptions say how many entries to list.
type ListOptions struct {
	// MaxEntries is 200, unless it says otherwise.
	MaxEntries int    `json:"maxEntries,omitempty"`
	More       string `json:"more,omitempty"`
}

// Stat is what is known of a stored result.
func (w *Weir) Stat(session, id string) (BlobStat, error) {
	return typed[BlobStat](w.Call("reading.stat", of{session, id}))
}

// Read reads from a position on. More of the page says how to go on: following it gives every byte once. Options of
// this and all following methods may be nil.
func (w *Weir) Read(session, id string, options *ReadOptions) (Page, error) {
	return typed[Page](w.Call("reading.read", struct {
		of
		*ReadOptions
	}{of{session, id}, options}))
}

// ReadEnd reads the last lines; when they are more than one page holds, their end.
func (w *Weir) ReadEnd(session, id string, options *EndOptions) (Page, error) {
	return typed[Page](w.Call("reading.read-end", struct {
		of
		*EndOptions
	}{of{session, id}, options}))
}

// ReadAll reads all of it, up to the setting full_max_chars.
func (w *Weir) ReadAll(session, id string, options *AllOptions) (Page, error) {
	return typed[Page](w.Call("reading.read-all", struct {
		of
		*AllOptions
	}{of{session, id}, options}))
}

// Grep searches line by line. No match is only an answer when Complete is set.
func (w *Weir) Grep(session, id, pattern string, options *GrepOptions) (GrepPage, error) {
	return sliced[GrepPage](w, "reading.grep", struct {
		of
		Pattern string `json:"pattern"`
		*GrepOptions
	}{of{session, id}, pattern, options})
}

// Query asks a question about rows in the jq language.
func (w *Weir) Query(session, id, program string, options *QueryOptions) (QueryPage, error) {
	return sliced[QueryPage](w, "reading.query", struct {
		of
		Program string `json:"program"`
		*QueryOptions
	}{of{session, id}, program, options})
}

// Outline is the shape of a stored result before its content.
func (w *Weir) Outline(session, id string, options *OutlineOptions) (OutlinePage, error) {
	return sliced[OutlinePage](w, "reading.outline", struct {
		of
		*OutlineOptions
	}{of{session, id}, options})
}

// Search finds passages by words, best first.
func (w *Weir) Search(session, words string, options *SearchOptions) (PassagePage, error) {
	return sliced[PassagePage](w, "reading.search", struct {
		Session string `json:"session"`
		Words   string `json:"words"`
		*SearchOptions
	}{session, words, options})
}

// Diff compares a result with an older one.
func (w *Weir) Diff(session, id string, options *DiffOptions) (DiffPage, error) {
	return typed[DiffPage](w.Call("reading.diff", struct {
		of
		*DiffOptions
	}{of{session, id}, options}))
}

// ListBlobs is what a session has stored, the last used first.
func (w *Weir) ListBlobs(session string, options *ListOptions) (BlobList, error) {
	given := ListOptions{MaxEntries: 200}
	if options != nil {
		given.More = options.More
		if options.MaxEntries != 0 {
			given.MaxEntries = options.MaxEntries
		}
	}
	return typed[BlobList](w.Call("reading.list-blobs", struct {
		Session string `json:"session"`
		ListOptions
	}{session, given}))
}

// sliced goes on until there is something to show, or the time of a request is over.
func sliced[T any](w *Weir, function string, request any) (T, error) {
	var made T
	whole, err := text(request)
	if err != nil {
		return made, err
	}
	given, err := typed[map[string]any](json.RawMessage(whole), nil)
	for end := time.Now().Add(requestTime); err == nil; {
		var answer json.RawMessage
		if answer, err = w.Call(function, given); err != nil {
			break
		}
		page, _ := typed[struct {
			Pending bool
			More    string
		}](answer, nil)
		if !page.Pending || page.More == "" || time.Now().After(end) {
			return typed[T](answer, nil)
		}
		given["more"] = page.More
	}
	return made, err
}
