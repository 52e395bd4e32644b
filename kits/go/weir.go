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

// Error is what the component or the library refused. Match on Code; show Message.
type Error struct {
	// Code is a word of the contract or of weir.h, or "open" when Open fails.
	Code    string `json:"code"`
	Message string `json:"message"`
	// Reason is why a call was stopped (the code trapped): "fuel", "deadline", "stack", "memory" or "fault".
	Reason string `json:"reason,omitempty"`
	// Argument is the argument that is wrong.
	Argument string `json:"argument,omitempty"`
	// Names are the ids or names that belong to the code.
	Names []string `json:"names,omitempty"`
	// Total is the number that belongs to the code.
	Total *int64 `json:"total,omitempty"`
	// Gone is what is remembered of a stored result that is gone.
	Gone *Tombstone `json:"gone,omitempty"`
	// Answer is the whole answer.
	Answer json.RawMessage `json:"-"`
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Message) }

// ErrClosed is the error of every call after Close, and of an intake after Finish.
var ErrClosed = errors.New("weir: it is closed: open another")

// Options for Open. The zero value is fine.
type Options struct {
	// Cache is a directory for compiled code. Without it each start compiles for some seconds.
	Cache string
	// Settings are the tables transform, fetch and store.
	Settings any
}

// Weir is a store and the compiled component. Any number of goroutines may use it: their calls run side by side.
type Weir struct {
	lock   sync.Mutex
	weir   *C.weir
	closed bool
	// Calls under way, and instances, catalogs and intakes that are open: C wants all of them gone at its close.
	users int
}

// Open opens the store in directory, which is made with mode 0700 if needed; "" for tool search alone. component is
// the file weir.wasm, or weir-results.wasm where no tools are searched.
func Open(component, directory string, options *Options) (*Weir, error) {
	if options == nil {
		options = &Options{}
	}
	settings := ""
	if options.Settings != nil {
		var err error
		if settings, err = text(options.Settings); err != nil {
			return nil, err
		}
	}
	given, free, err := cTexts(component, directory, options.Cache, settings)
	if err != nil {
		return nil, err
	}
	defer free()
	orNone := func(n int, value string) *C.char {
		if value == "" {
			return nil
		}
		return given[n]
	}
	rest := C.weir_options{cache: orNone(2, options.Cache), settings: orNone(3, settings)}
	var failed *C.char
	made := C.weir_open(given[0], orNone(1, directory), &rest, &failed)
	if made == nil {
		return nil, &Error{Code: "open", Message: taken(failed)}
	}
	return &Weir{weir: made}, nil
}

// Close closes it. Every later call to it, its instances, catalogs and intakes is ErrClosed; the memory is freed when
// the calls under way have ended and these are closed as well.
func (w *Weir) Close() error {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.closed = true
	w.free()
	return nil
}

// begin keeps it open until end.
func (w *Weir) begin() error {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.closed {
		return ErrClosed
	}
	w.users++
	return nil
}

func (w *Weir) end() {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.users--
	w.free()
}

func (w *Weir) free() {
	if w.closed && w.users == 0 {
		C.weir_close(w.weir) // NULL is fine
		w.weir = nil
	}
}

// call runs a function of the library on texts.
func (w *Weir) call(work func(given []*C.char) *C.char, texts ...string) (json.RawMessage, error) {
	given, free, err := cTexts(texts...)
	if err != nil {
		return nil, err
	}
	defer free()
	if err := w.begin(); err != nil {
		return nil, err
	}
	defer w.end()
	return answer(work(given))
}

// About is what the component is: name, version, contract, features, limits.
func (w *Weir) About() (ComponentInfo, error) {
	return typed[ComponentInfo](w.call(func([]*C.char) *C.char { return C.weir_about(w.weir) }))
}

// Pin keeps a stored result from expiry and eviction, or no longer.
func (w *Weir) Pin(session, id string, pinned bool) error {
	_, err := w.call(func(given []*C.char) *C.char { return C.weir_pin(w.weir, given[0], given[1], C.bool(pinned)) }, session, id)
	return err
}

// Forget deletes a stored result.
func (w *Weir) Forget(session, id string) (Forgotten, error) {
	return typed[Forgotten](w.call(func(given []*C.char) *C.char { return C.weir_forget(w.weir, given[0], given[1]) }, session, id))
}

// Status is the state of the store.
func (w *Weir) Status() (StoreStatus, error) {
	return typed[StoreStatus](w.call(func([]*C.char) *C.char { return C.weir_status(w.weir) }))
}

// Sweep sweeps the whole store: at start and once an hour.
func (w *Weir) Sweep() (SweepProgress, error) {
	return typed[SweepProgress](w.call(func([]*C.char) *C.char { return C.weir_sweep(w.weir) }))
}

// Check reads every stored byte and compares; with repair, puts right what can be.
func (w *Weir) Check(repair bool) (CheckProgress, error) {
	return typed[CheckProgress](w.call(func([]*C.char) *C.char { return C.weir_check(w.weir, C.bool(repair)) }))
}

// Call calls any function of the contract, such as reading.grep, with its arguments by name in camel case: what has no
// method of its own.
func (w *Weir) Call(function string, arguments any) (json.RawMessage, error) {
	given, err := text(arguments)
	if err != nil {
		return nil, err
	}
	return w.call(func(given []*C.char) *C.char { return C.weir_call(w.weir, given[0], given[1]) }, function, given)
}

// part is what an instance, a catalog and an intake have in common: one call at a time, none after the close.
type part struct {
	lock   sync.Mutex
	weir   *Weir
	closed bool
}

// open makes a part of a Weir: made is NULL when that fails.
func (w *Weir) open(work func(given []*C.char, left **C.char) bool, texts ...string) (json.RawMessage, error) {
	given, free, err := cTexts(texts...)
	if err != nil {
		return nil, err
	}
	defer free()
	if err := w.begin(); err != nil {
		return nil, err
	}
	var left *C.char
	made := work(given, &left)
	facts, err := json.RawMessage(nil), error(nil)
	if left != nil {
		facts, err = answer(left)
	}
	if !made {
		w.end()
	}
	return facts, err
}

func (p *part) call(work func(given []*C.char) *C.char, texts ...string) (json.RawMessage, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.closed {
		return nil, ErrClosed
	}
	return p.weir.call(work, texts...)
}

// close is the end of a part; drop releases it, unless that is done.
func (p *part) close(drop func()) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if !p.closed {
		p.closed = true
		drop()
		p.weir.end()
	}
}

// Instance serves many calls, one after another.
type Instance struct {
	part
	instance *C.weir_instance
}

// Instance makes an instance.
func (w *Weir) Instance() (*Instance, error) {
	made := &Instance{part: part{weir: w}}
	_, err := w.open(func(_ []*C.char, failed **C.char) bool {
		made.instance = C.weir_instance_new(w.weir, failed)
		return made.instance != nil
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// Call is as Call of a Weir.
func (i *Instance) Call(function string, arguments any) (json.RawMessage, error) {
	given, err := text(arguments)
	if err != nil {
		return nil, err
	}
	return i.call(func(given []*C.char) *C.char { return C.weir_instance_call(i.instance, given[0], given[1]) }, function, given)
}

// Close drops it.
func (i *Instance) Close() error {
	i.close(func() { C.weir_instance_drop(i.instance) })
	return nil
}

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

// cTexts are texts as C takes them, and what frees them. C would take a text with a zero byte up to there.
func cTexts(texts ...string) ([]*C.char, func(), error) {
	made := make([]*C.char, 0, len(texts))
	for _, one := range texts {
		if strings.IndexByte(one, 0) >= 0 {
			return nil, nil, &Error{Code: "arguments", Message: "a text has a zero byte: leave it out"}
		}
	}
	for _, one := range texts {
		made = append(made, C.CString(one))
	}
	return made, func() {
		for _, one := range made {
			C.free(unsafe.Pointer(one))
		}
	}, nil
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

// typed is an answer as the type that it has.
func typed[T any](given json.RawMessage, err error) (T, error) {
	var made T
	if err == nil {
		err = json.Unmarshal(given, &made)
	}
	return made, err
}
