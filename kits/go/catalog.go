package weir

// #include <weir.h>
import "C"

import "encoding/json"

// Snapshot is all tools of all servers, for Catalog.
type Snapshot struct {
	Servers []Server `json:"servers,omitempty"`
	// Tools are those of no server.
	Tools []Tool `json:"tools,omitempty"`
	// Names are what the bridge tools are called, when that is not tool_search, tool_describe and tool_call.
	Names *BridgeNames `json:"names,omitempty"`
}

// Server is a server with its tools.
type Server struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Tools       []Tool `json:"tools"`
	// Trusted is whether what the server writes about its tools is shown without screening.
	Trusted bool `json:"trusted,omitempty"`
	// State and Reason say how the server is, when it is not ready.
	State  string `json:"state,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// BridgeNames are the names of the three bridge tools.
type BridgeNames struct {
	Search   string `json:"search"`
	Describe string `json:"describe"`
	Call     string `json:"call"`
}

// Catalog is a catalog of tools, which does not change: a change of tools is a new one.
type Catalog struct {
	part
	catalog *C.weir_catalog
	// Digest is 64 hex digits: the same for the same tools, servers and bridge names.
	Digest string
	// Diagnostics are what was found about the tools.
	Diagnostics []Diagnostic
}

// Catalog builds one of a Snapshot, or of other JSON of that shape, such as one result of tools/list.
func (w *Weir) Catalog(snapshot any) (*Catalog, error) {
	given, err := text(snapshot)
	if err != nil {
		return nil, err
	}
	made := &Catalog{part: part{weir: w}}
	facts, err := typed[struct {
		Digest      string
		Diagnostics []Diagnostic
	}](w.open(func(texts []*C.char, opened **C.char) bool {
		made.catalog = C.weir_catalog_open(w.weir, texts[0], C.size_t(len(given)), opened)
		return made.catalog != nil
	}, given))
	if err != nil {
		return nil, err
	}
	made.Digest, made.Diagnostics = facts.Digest, facts.Diagnostics
	return made, nil
}

// Assembly is what a model is shown.
type Assembly struct {
	// Active is whether tools are deferred. If not, show your own list as it is.
	Active bool `json:"active"`
	// Reason is why, or why not.
	Reason string `json:"reason"`
	// Tools are the whole list to show, bridge tools last.
	Tools []Tool `json:"tools"`
	// Block is the listing, when it stands in a text of its own (the setting placement is block).
	Block   string        `json:"block"`
	Visible []VisibleTool `json:"visible"`
	// Deferred is how many tools are deferred.
	Deferred        int      `json:"deferred"`
	Listing         string   `json:"listing"`
	DeferredTokens  int64    `json:"deferredTokens"`
	TotalTokens     int64    `json:"totalTokens"`
	BridgeTokens    int64    `json:"bridgeTokens"`
	ThresholdTokens int64    `json:"thresholdTokens"`
	Warnings        []string `json:"warnings"`
}

// Assemble decides what a model sees. settings are assemble.settings of json.schema.json, such as
// map[string]any{"context_tokens": 200_000}; they may be nil. One that is not known is an Error with the code invalid.
func (c *Catalog) Assemble(settings any) (Assembly, error) {
	given, err := text(settings)
	if err != nil {
		return Assembly{}, err
	}
	return typed[Assembly](c.call(func(given []*C.char) *C.char { return C.weir_catalog_assemble(c.catalog, given[0]) }, given))
}

// Conversation is what is known of one conversation: what the model was shown, and what it searched for. Keep one for
// each and give it to every Invoke. As JSON it can be kept between runs.
type Conversation struct {
	// Visible are the names of the tools that the model has directly.
	Visible []string
	// Strict refuses a visible tool sent through the bridge, and a deferred one called by its name.
	Strict bool
	// RevealFirst refuses a call unless the tool's parameters were shown before.
	RevealFirst bool
	state       map[string]json.RawMessage
}

// Compacted forgets what was shown: call it when the model's context was compacted.
func (c *Conversation) Compacted() { delete(c.state, "shown") }

// MarshalJSON is all that is known.
func (c *Conversation) MarshalJSON() ([]byte, error) {
	whole := map[string]any{}
	for name, one := range c.state {
		whole[name] = one
	}
	if len(c.Visible) > 0 {
		whole["visible"] = c.Visible
	}
	whole["strict"], whole["revealFirst"] = c.Strict, c.RevealFirst
	return json.Marshal(whole)
}

// UnmarshalJSON takes it over, beside what it does not say.
func (c *Conversation) UnmarshalJSON(data []byte) error {
	var said struct {
		Visible             *[]string
		Strict, RevealFirst *bool
	}
	if err := json.Unmarshal(data, &said); err != nil {
		return err
	}
	if said.Visible != nil {
		c.Visible = *said.Visible
	}
	if said.Strict != nil {
		c.Strict = *said.Strict
	}
	if said.RevealFirst != nil {
		c.RevealFirst = *said.RevealFirst
	}
	return json.Unmarshal(data, &c.state)
}

// BridgeAnswer is what to do about a model's call to a bridge tool: show Text, or dispatch Calls.
type BridgeAnswer struct {
	Text    string
	IsError bool
	Calls   []ResolvedCall
}

// ResolvedCall is a call for you to dispatch, under your own policy, hooks and approvals.
type ResolvedCall struct {
	ID string `json:"id"`
	// Tool is what the catalog calls the tool; Name what its owner does: dispatch that.
	Tool   string `json:"tool"`
	Name   string `json:"name"`
	Server string `json:"server"`
	// Arguments are an object, checked and repaired.
	Arguments json.RawMessage `json:"arguments"`
	// Risk is "read-only", "writes", "destructive", "open-world" or "unknown".
	Risk   string `json:"risk"`
	Origin string `json:"origin"`
	// Cold is whether the server must be started first.
	Cold        bool            `json:"cold"`
	Schema      string          `json:"schema"`
	Routed      string          `json:"routed"`
	Annotations map[string]bool `json:"annotations"`
	// Repairs are arguments that were repaired because only one reading was possible.
	Repairs   []Repair `json:"repairs"`
	Unchecked string   `json:"unchecked,omitempty"`
	// WaitFor are earlier calls of the batch that this one must wait for.
	WaitFor     []int `json:"waitFor"`
	DuplicateOf *int  `json:"duplicateOf,omitempty"`
}

// Invoke answers a model's call to a bridge tool. conversation is brought up to date; nil for a call that stands alone.
func (c *Catalog) Invoke(name string, arguments any, conversation *Conversation) (BridgeAnswer, error) {
	var made BridgeAnswer
	sent, err := text(arguments)
	if err != nil {
		return made, err
	}
	if conversation == nil {
		conversation = &Conversation{}
	}
	known, err := text(conversation)
	if err != nil {
		return made, err
	}
	answer, err := typed[struct {
		Result       *ToolResult
		Calls        []ResolvedCall
		Conversation json.RawMessage
	}](c.call(func(given []*C.char) *C.char {
		return C.weir_catalog_invoke(c.catalog, given[0], given[1], given[2])
	}, name, sent, known))
	if err != nil {
		return made, err
	}
	made.Calls = answer.Calls
	if answer.Result != nil {
		made.Text, made.IsError = answer.Result.Text(), answer.Result.IsError
	}
	if len(answer.Conversation) > 0 {
		err = json.Unmarshal(answer.Conversation, conversation)
	}
	return made, err
}

// Export is the tools of a request to a model API, and the way back from the model's call.
type Export struct {
	// Tools are the request's tools, each in the shape of its API.
	Tools []json.RawMessage `json:"tools"`
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
	made, err := typed[Export](c.call(func(given []*C.char) *C.char {
		return C.weir_catalog_export(c.catalog, given[0], given[1])
	}, form, given))
	if err != nil {
		return nil, err
	}
	return &made, nil
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

// Close drops it.
func (c *Catalog) Close() error {
	c.close(func() { C.weir_catalog_drop(c.catalog) })
	return nil
}
