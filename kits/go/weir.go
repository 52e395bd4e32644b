// Package weir keeps large tool results out of a model's context, and searches over many tools. It is a layer over
// libweir (kits/c), found by pkg-config. docs/embedding/go.md is the guide.
package weir

/*
#cgo pkg-config: weir
#include <stdlib.h>
#include <weir.h>
*/
import "C"

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unsafe"
)

// Error is what the component or the library refused, with a code of the contract or of weir.h.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Reason  string `json:"reason"`
	// Answer is the whole answer, with what else the error says.
	Answer json.RawMessage `json:"-"`
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Message) }

// Options for Open. The zero value is fine.
type Options struct {
	// Cache is a directory for compiled code. Without it each start compiles for some seconds.
	Cache string
	// Settings are the tables transform, fetch and store.
	Settings any
}

// Weir is a store and the compiled component. Any number of goroutines may use it: their calls run side by side.
type Weir struct{ weir *C.weir }

// Open opens the store in directory, which is made with mode 0700 if needed; "" for tool search alone. component is
// the file weir.wasm.
func Open(component, directory string, options *Options) (*Weir, error) {
	var given C.weir_options
	if options != nil && options.Cache != "" {
		given.cache = C.CString(options.Cache)
		defer C.free(unsafe.Pointer(given.cache))
	}
	if options != nil && options.Settings != nil {
		settings, err := text(options.Settings)
		if err != nil {
			return nil, err
		}
		given.settings = C.CString(settings)
		defer C.free(unsafe.Pointer(given.settings))
	}
	file := C.CString(component)
	defer C.free(unsafe.Pointer(file))
	var store *C.char
	if directory != "" {
		store = C.CString(directory)
		defer C.free(unsafe.Pointer(store))
	}
	var failed *C.char
	made := C.weir_open(file, store, &given, &failed)
	if made == nil {
		return nil, errors.New(taken(failed))
	}
	return &Weir{made}, nil
}

// Close closes it. Its instances, catalogs and intakes must be closed before.
func (w *Weir) Close() { C.weir_close(w.weir); w.weir = nil }

// Show is what to show a model in a text's place: an excerpt with a handle, or the text itself. When Weir fails, the
// text comes back as it is.
func (w *Weir) Show(session, tool, result string) string {
	if strings.ContainsRune(session+tool, 0) {
		return result // C would take the names up to there, which are others.
	}
	s, t, r := C.CString(session), C.CString(tool), C.CString(result)
	defer free(s, t, r)
	var size C.size_t
	shown := C.weir_show_sized(w.weir, s, t, r, C.size_t(len(result)), &size)
	defer C.weir_free(shown)
	return string(C.GoBytes(unsafe.Pointer(shown), C.int(size)))
}

// Transform is the same for a result of MCP's tools/call, or any text. call is {"session", "tool", …}. Show result of
// the answer.
func (w *Weir) Transform(call any, result string) (json.RawMessage, error) {
	given, err := text(call)
	if err != nil {
		return nil, err
	}
	c, r := C.CString(given), C.CString(result)
	defer free(c, r)
	return answer(C.weir_transform(w.weir, c, r, C.size_t(len(result))))
}

// ResultTools are the tools over stored results, as MCP lists them: {"tools"}.
func (w *Weir) ResultTools() (json.RawMessage, error) { return answer(C.weir_result_tools(w.weir)) }

// ToolResult is a result of MCP's tools/call.
type ToolResult struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	IsError bool `json:"isError"`
}

// Text is all text of the result.
func (r ToolResult) Text() string {
	made := ""
	for _, part := range r.Content {
		made += part.Text
	}
	return made
}

// Invoke is what one of the result tools answers to what a model sent.
func (w *Weir) Invoke(session, name string, arguments any) (ToolResult, error) {
	var result ToolResult
	given, err := text(arguments)
	if err != nil {
		return result, err
	}
	s, n, a := C.CString(session), C.CString(name), C.CString(given)
	defer free(s, n, a)
	made, err := answer(C.weir_invoke(w.weir, s, n, a))
	if err == nil {
		err = json.Unmarshal(made, &result)
	}
	return result, err
}

// Pin keeps a stored result from expiry and eviction, or no longer.
func (w *Weir) Pin(session, id string, pinned bool) error {
	s, i := C.CString(session), C.CString(id)
	defer free(s, i)
	_, err := answer(C.weir_pin(w.weir, s, i, C.bool(pinned)))
	return err
}

// Forget deletes a stored result.
func (w *Weir) Forget(session, id string) (json.RawMessage, error) {
	s, i := C.CString(session), C.CString(id)
	defer free(s, i)
	return answer(C.weir_forget(w.weir, s, i))
}

// About is what the component is: name, version, contract, features, limits.
func (w *Weir) About() (json.RawMessage, error) { return answer(C.weir_about(w.weir)) }

// Status is the state of the store.
func (w *Weir) Status() (json.RawMessage, error) { return answer(C.weir_status(w.weir)) }

// Sweep sweeps the whole store: at start and once an hour.
func (w *Weir) Sweep() (json.RawMessage, error) { return answer(C.weir_sweep(w.weir)) }

// Check reads every stored byte and compares; with repair, puts right what can be.
func (w *Weir) Check(repair bool) (json.RawMessage, error) {
	return answer(C.weir_check(w.weir, C.bool(repair)))
}

// Call calls any function of the contract, such as reading.grep, with its arguments by name in camel case.
func (w *Weir) Call(function string, arguments any) (json.RawMessage, error) {
	given, err := text(arguments)
	if err != nil {
		return nil, err
	}
	f, a := C.CString(function), C.CString(given)
	defer free(f, a)
	return answer(C.weir_call(w.weir, f, a))
}

// Instance serves many calls, one after another.
type Instance struct{ instance *C.weir_instance }

// Instance makes an instance.
func (w *Weir) Instance() (*Instance, error) {
	var failed *C.char
	made := C.weir_instance_new(w.weir, &failed)
	if made == nil {
		_, err := answer(failed)
		return nil, err
	}
	return &Instance{made}, nil
}

// Call is as Call of a Weir.
func (i *Instance) Call(function string, arguments any) (json.RawMessage, error) {
	given, err := text(arguments)
	if err != nil {
		return nil, err
	}
	f, a := C.CString(function), C.CString(given)
	defer free(f, a)
	return answer(C.weir_instance_call(i.instance, f, a))
}

// Close drops it.
func (i *Instance) Close() { C.weir_instance_drop(i.instance); i.instance = nil }

// Intake takes a large result piece by piece, in constant memory. It is an io.Writer.
type Intake struct {
	lock   sync.Mutex
	intake *C.weir_intake
}

// Intake starts one. call is as for Transform.
func (w *Weir) Intake(call any) (*Intake, error) {
	given, err := text(call)
	if err != nil {
		return nil, err
	}
	c := C.CString(given)
	defer free(c)
	var failed *C.char
	made := C.weir_intake_open(w.weir, c, &failed)
	if made == nil {
		_, err := answer(failed)
		return nil, err
	}
	return &Intake{intake: made}, nil
}

// Write takes the next piece, which may end anywhere.
func (i *Intake) Write(piece []byte) (int, error) {
	i.lock.Lock()
	defer i.lock.Unlock()
	if i.intake == nil {
		return 0, errors.New("the intake is finished")
	}
	if len(piece) == 0 {
		return 0, nil
	}
	_, err := answer(C.weir_intake_write(i.intake, (*C.char)(unsafe.Pointer(&piece[0])), C.size_t(len(piece))))
	if err != nil {
		return 0, err
	}
	return len(piece), nil
}

// Finish ends it. Answers as Transform.
func (i *Intake) Finish(isError bool) (json.RawMessage, error) {
	i.lock.Lock()
	defer i.lock.Unlock()
	if i.intake == nil {
		return nil, errors.New("the intake is finished")
	}
	made := C.weir_intake_finish(i.intake, C.bool(isError))
	i.intake = nil
	return answer(made)
}

// Close drops an intake that is not finished: it leaves nothing behind.
func (i *Intake) Close() error {
	i.lock.Lock()
	defer i.lock.Unlock()
	C.weir_intake_drop(i.intake)
	i.intake = nil
	return nil
}

// Catalog is a catalog of tools.
type Catalog struct {
	catalog *C.weir_catalog
	// Opened is the digest and the diagnostics.
	Opened json.RawMessage
}

// Catalog builds one of {"servers": [{"name", "tools"}]}, or of one result of tools/list.
func (w *Weir) Catalog(snapshot any) (*Catalog, error) {
	given, err := text(snapshot)
	if err != nil {
		return nil, err
	}
	s := C.CString(given)
	defer free(s)
	var opened *C.char
	made := C.weir_catalog_open(w.weir, s, C.size_t(len(given)), &opened)
	return catalog(made, opened)
}

// LoadCatalog opens what Save gave.
func (w *Weir) LoadCatalog(saved string) (*Catalog, error) {
	s := C.CString(saved)
	defer free(s)
	var opened *C.char
	made := C.weir_catalog_load(w.weir, s, C.size_t(len(saved)), &opened)
	return catalog(made, opened)
}

func catalog(made *C.weir_catalog, opened *C.char) (*Catalog, error) {
	facts, err := answer(opened)
	if made == nil {
		return nil, err
	}
	return &Catalog{made, facts}, nil
}

// Assemble is what to show a model: {"active", "tools", …}. settings may be nil.
func (c *Catalog) Assemble(settings any) (json.RawMessage, error) {
	given, err := text(settings)
	if err != nil {
		return nil, err
	}
	s := C.CString(given)
	defer free(s)
	return answer(C.weir_catalog_assemble(c.catalog, s))
}

// Invoke answers a call to a bridge tool: {"result"} to show, or {"calls"} to dispatch, with conversation to hand in
// the next time; nil at first.
func (c *Catalog) Invoke(name string, arguments, conversation any) (json.RawMessage, error) {
	given, err := text(arguments)
	if err != nil {
		return nil, err
	}
	earlier, err := text(conversation)
	if err != nil {
		return nil, err
	}
	n, a, e := C.CString(name), C.CString(given), C.CString(earlier)
	defer free(n, a, e)
	return answer(C.weir_catalog_invoke(c.catalog, n, a, e))
}

// Export is the tools of a request to a model API, and the way back from the model's call.
type Export struct {
	// Tools are the request's tools: a list.
	Tools json.RawMessage `json:"tools"`
	// Block is the listing, when it stands in a text of its own (the setting placement is block).
	Block string `json:"block"`
	// Names are what the catalog calls each tool, by the name that the model sees.
	Names map[string]string `json:"names"`
	// Arguments are what a tool calls its arguments, by the names that the model sees, where these differ.
	Arguments map[string]map[string]string `json:"arguments"`
}

// Export is the tools as a model API takes them, in the tools of a request to it: with the provider's own search
// (anthropic-bm25, anthropic-regex, openai-search), or with the bridge tools (anthropic, gemini, openai for Responses,
// openai-chat for Chat Completions and what is like it, mcp). settings are those of Assemble, with mode on unless they
// say otherwise; they may be nil.
//
// Give a model's call to Invoke by Export.Call, whatever the form. An Error has the code invalid for another form, and
// too-many-tools for more than the API takes.
func (c *Catalog) Export(form string, settings any) (*Export, error) {
	given, err := text(settings)
	if err != nil {
		return nil, err
	}
	f, s := C.CString(form), C.CString(given)
	defer free(f, s)
	made, err := answer(C.weir_catalog_export(c.catalog, f, s))
	if err != nil {
		return nil, err
	}
	exported := &Export{}
	return exported, json.Unmarshal(made, exported)
}

// Call is a model's call as the catalog knows it, for Invoke. Whatever was not exported stays as it is: Invoke answers
// it.
func (e *Export) Call(name string, arguments any) (string, any) {
	given, err := text(arguments)
	var named map[string]json.RawMessage
	if own := e.Arguments[name]; own != nil && err == nil && json.Unmarshal([]byte(given), &named) == nil {
		for shown, key := range own {
			if value, ok := named[shown]; ok {
				delete(named, shown)
				named[key] = value
			}
		}
		arguments = named
	}
	if id, ok := e.Names[name]; ok {
		name = id
	}
	return name, arguments
}

// Save is the catalog as text.
func (c *Catalog) Save() (string, error) {
	made, err := answer(C.weir_catalog_save(c.catalog))
	if err != nil {
		return "", err
	}
	var saved struct{ Saved string }
	err = json.Unmarshal(made, &saved)
	return saved.Saved, err
}

// Close drops it.
func (c *Catalog) Close() { C.weir_catalog_drop(c.catalog); c.catalog = nil }

// text is a text as it is, or a value as JSON; nil is {}.
func text(value any) (string, error) {
	switch given := value.(type) {
	case nil:
		return "{}", nil
	case string:
		return given, nil
	case json.RawMessage:
		return string(given), nil
	}
	made, err := json.Marshal(value)
	return string(made), err
}

func free(texts ...*C.char) {
	for _, one := range texts {
		C.free(unsafe.Pointer(one))
	}
}

func taken(made *C.char) string {
	defer C.weir_free(made)
	return C.GoString(made)
}

func answer(made *C.char) (json.RawMessage, error) {
	whole := json.RawMessage(taken(made))
	var failed struct{ Error *Error }
	if err := json.Unmarshal(whole, &failed); err == nil && failed.Error != nil {
		failed.Error.Answer = whole
		return whole, failed.Error
	}
	return whole, nil
}
