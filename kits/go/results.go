package weir

/*
#include <stdlib.h>
#include <weir.h>
*/
import "C"

import (
	"encoding/json"
	"strings"
	"unsafe"
)

// Origin is the call that a result came from.
type Origin struct {
	// Session says who may read the result back: 1 to 512 characters that you choose and a model never does.
	Session string `json:"session"`
	Tool    string `json:"tool"`
	// Server is the server or toolset that the tool belongs to.
	Server string `json:"server,omitempty"`
	// Arguments are those of the call: JSON, or a value that becomes JSON.
	Arguments any `json:"arguments,omitempty"`
	// Reader is how the model reads on, when that is not the tool weir_fetch, such as "tool:NAME".
	Reader string `json:"reader,omitempty"`
	// Purpose is what the call was for, in the words of a model or a person: lines that fit it are shown first.
	Purpose string `json:"purpose,omitempty"`
	// MaxChars is the limit that the tool's server states for its own results.
	MaxChars int `json:"maxChars,omitempty"`
	// AlreadyCut is whether the text was cut before it came here.
	AlreadyCut bool `json:"alreadyCut,omitempty"`
}

// Transformed is what became of a result. Show Result, whether it was replaced or not.
type Transformed struct {
	// Replaced is whether Result stands in the result's place.
	Replaced bool `json:"replaced"`
	// Reason is why, or why not: "stored", "small", "excluded", "not-stored" …
	Reason                string     `json:"reason"`
	Result                ToolResult `json:"result"`
	Handles               []Handle   `json:"handles"`
	CharsBefore           int64      `json:"charsBefore"`
	CharsAfter            int64      `json:"charsAfter"`
	EstimatedTokensBefore int64      `json:"estimatedTokensBefore"`
	EstimatedTokensAfter  int64      `json:"estimatedTokensAfter"`
	// StoreFailure is why the store refused, when it did. For logs.
	StoreFailure string `json:"storeFailure,omitempty"`
}

// ToolResult is a result of MCP's tools/call. As JSON it is what it came as, with all that has no field here.
type ToolResult struct {
	Content []Content `json:"content"`
	IsError bool      `json:"isError"`
	whole   json.RawMessage
}

// Content is one part of a result: of the type "text", or another type of MCP.
type Content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// Text is all text of the result.
func (r ToolResult) Text() string {
	made := strings.Builder{}
	for _, one := range r.Content {
		made.WriteString(one.Text)
	}
	return made.String()
}

// UnmarshalJSON reads a result and keeps what has no field here.
func (r *ToolResult) UnmarshalJSON(data []byte) error {
	type plain ToolResult
	var made plain
	if err := json.Unmarshal(data, &made); err != nil {
		return err
	}
	*r = ToolResult(made)
	r.whole = append(json.RawMessage(nil), data...)
	return nil
}

// MarshalJSON is the result as it came, or of the fields of one that is new.
func (r ToolResult) MarshalJSON() ([]byte, error) {
	type plain ToolResult
	if r.whole != nil {
		return r.whole, nil
	}
	return json.Marshal(plain(r))
}

// Tool is a tool to show a model, or one of a catalog: as MCP's tools/list has it.
type Tool struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	// InputSchema is the JSON Schema of its arguments.
	InputSchema json.RawMessage `json:"inputSchema,omitempty"`
	// Annotations are those of MCP, such as readOnlyHint.
	Annotations map[string]any `json:"annotations,omitempty"`
	// What a catalog knows of a tool beside its definition.
	Tags    []string `json:"tags,omitempty"`
	Aliases []string `json:"aliases,omitempty"`
	Phrases []string `json:"phrases,omitempty"`
	Origin  string   `json:"origin,omitempty"`
	Pinned  bool     `json:"pinned,omitempty"`
}

// Show is what to show a model in a text's place: an excerpt with a handle, or the text itself. When Weir fails, the
// text comes back as it is.
func (w *Weir) Show(session, tool, result string) string {
	given, free, err := cTexts(session, tool)
	if err != nil {
		return result
	}
	defer free()
	if w.begin() != nil {
		return result
	}
	defer w.end()
	r := C.CString(result)
	defer C.free(unsafe.Pointer(r))
	var size C.size_t
	shown := C.weir_show_sized(w.weir, given[0], given[1], r, C.size_t(len(result)), &size)
	defer C.weir_free(shown)
	return string(unsafe.Slice((*byte)(unsafe.Pointer(shown)), int(size)))
}

// Transform is the same for a result of MCP's tools/call as JSON, or any text, with all facts.
func (w *Weir) Transform(origin Origin, result string) (Transformed, error) {
	call, err := text(origin)
	if err != nil {
		return Transformed{}, err
	}
	r := C.CString(result)
	defer C.free(unsafe.Pointer(r))
	return typed[Transformed](w.call(func(given []*C.char) *C.char {
		return C.weir_transform(w.weir, given[0], r, C.size_t(len(result)))
	}, call))
}

// ResultTools are the tools over stored results: show them to the model beside its own.
func (w *Weir) ResultTools() ([]Tool, error) {
	listed, err := typed[struct{ Tools []Tool }](w.call(func([]*C.char) *C.char { return C.weir_result_tools(w.weir) }))
	return listed.Tools, err
}

// Invoke is what one of the result tools answers to what a model sent.
func (w *Weir) Invoke(session, name string, arguments any) (ToolResult, error) {
	sent, err := text(arguments)
	if err != nil {
		return ToolResult{}, err
	}
	return typed[ToolResult](w.call(func(given []*C.char) *C.char {
		return C.weir_invoke(w.weir, given[0], given[1], given[2])
	}, session, name, sent))
}

// Intake takes a large result piece by piece, in constant memory. It is an io.WriteCloser.
type Intake struct {
	part
	intake *C.weir_intake
}

// Intake starts one.
func (w *Weir) Intake(origin Origin) (*Intake, error) {
	call, err := text(origin)
	if err != nil {
		return nil, err
	}
	made := &Intake{part: part{weir: w}}
	_, err = w.open(func(given []*C.char, failed **C.char) bool {
		made.intake = C.weir_intake_open(w.weir, given[0], failed)
		return made.intake != nil
	}, call)
	if err != nil {
		return nil, err
	}
	return made, nil
}

// Write takes the next piece, which may end anywhere.
func (i *Intake) Write(piece []byte) (int, error) {
	var at unsafe.Pointer
	if len(piece) > 0 {
		at = unsafe.Pointer(&piece[0])
	}
	_, err := i.call(func([]*C.char) *C.char { return C.weir_intake_write(i.intake, (*C.char)(at), C.size_t(len(piece))) })
	if err != nil {
		return 0, err
	}
	return len(piece), nil
}

// Finish ends it, and answers as Transform.
func (i *Intake) Finish(isError bool) (Transformed, error) {
	made, err := i.call(func([]*C.char) *C.char {
		defer func() { i.intake = nil }() // It is consumed: there is nothing left to drop.
		return C.weir_intake_finish(i.intake, C.bool(isError))
	})
	i.Close()
	return typed[Transformed](made, err)
}

// Close drops an intake that is not finished: it leaves nothing behind.
func (i *Intake) Close() error {
	i.close(func() { C.weir_intake_drop(i.intake) })
	return nil
}
