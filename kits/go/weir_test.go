package weir_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"weir"
)

func open(t *testing.T) *weir.Weir {
	t.Helper()
	component := os.Getenv("WEIR_COMPONENT")
	if component == "" {
		t.Skip("WEIR_COMPONENT does not name the component")
	}
	host, err := weir.Open(component, t.TempDir()+"/store", &weir.Options{Cache: os.Getenv("WEIR_TEST_CACHE")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	return host
}

func lines(count int) string {
	made := strings.Builder{}
	for n := 1; n <= count; n++ {
		fmt.Fprintf(&made, "%d: all is well\n", n)
	}
	return made.String()
}

func TestGoroutinesShareOneWeir(t *testing.T) {
	host := open(t)
	var wait sync.WaitGroup
	for n := 0; n < 8; n++ {
		wait.Add(1)
		go func(n int) {
			defer wait.Done()
			session := fmt.Sprintf("session %d", n)
			if shown := host.Show(session, "read_log", lines(3000+n)); !strings.Contains(shown, "excerpt") {
				t.Errorf("no excerpt: %.200s", shown)
			}
			if shown := host.Show(session, "tool", "a\x00b"); shown != "a\x00b" {
				t.Errorf("a text with a NUL became %q", shown)
			}
			if shown := host.Show(session, "read_log", "small"); shown != "small" {
				t.Errorf("changed: %s", shown)
			}
		}(n)
	}
	wait.Wait()
}

func TestAResultIsTransformedAndReadBack(t *testing.T) {
	host := open(t)
	image := `{"type":"image","data":"AAAA","mimeType":"image/png"}`
	given := fmt.Sprintf(`{"content":[{"type":"text","text":%q},%s],"_meta":{"cost":1.5}}`, lines(9000), image)
	origin := weir.Origin{Session: "alice", Tool: "read_log", Server: "files", Arguments: map[string]any{"path": "/var/log/x"}}
	shown, err := host.Transform(origin, given)
	if err != nil || !shown.Replaced || shown.Reason != "stored" || len(shown.Handles) != 1 {
		t.Fatalf("%v: %+v", err, shown)
	}
	if handle := shown.Handles[0]; handle.Source != "/var/log/x" || handle.Lines != 9000 {
		t.Fatalf("%+v", handle)
	}
	if whole, err := json.Marshal(shown.Result); err != nil || !strings.Contains(string(whole), image) || !strings.Contains(string(whole), `"_meta":{"cost":1.5}`) {
		t.Fatalf("%v: %s", err, whole)
	}
	tools, err := host.ResultTools()
	if err != nil || len(tools) != 1 || tools[0].Name != "weir_fetch" || tools[0].Description == "" || !json.Valid(tools[0].InputSchema) {
		t.Fatalf("%v: %+v", err, tools)
	}
	listed, err := host.ListBlobs("alice", nil)
	if err != nil || len(listed.Entries) != 1 || !strings.Contains(shown.Result.Text(), listed.Entries[0].Handle.ID) {
		t.Fatalf("%v: %+v", err, listed)
	}
	answer, err := host.Invoke("alice", tools[0].Name, map[string]any{"id": listed.Entries[0].Handle.ID, "mode": "grep", "pattern": "^4321:", "regex": true})
	if err != nil || answer.IsError || !strings.Contains(answer.Text(), "4321: all is well") {
		t.Fatalf("%v: %+v", err, answer)
	}
	if answer, err := host.Invoke("alice", "weir_fetch", "no JSON"); err != nil || !answer.IsError {
		t.Fatalf("%v: %+v", err, answer)
	}
	if answer, err := host.Invoke("ali\x00ce", "weir_fetch", nil); code(err) != "arguments" {
		t.Fatalf("%v: %+v", err, answer)
	}
}

func code(err error) string {
	var refused *weir.Error
	if !errors.As(err, &refused) {
		return ""
	}
	return refused.Code
}

func store(t *testing.T, host *weir.Weir, result string) string {
	t.Helper()
	shown, err := host.Transform(weir.Origin{Session: "alice", Tool: "tool"}, result)
	if err != nil || len(shown.Handles) != 1 {
		t.Fatalf("%v: %+v", err, shown)
	}
	return shown.Handles[0].ID
}

func TestQuestionsToAResultHaveTypedAnswers(t *testing.T) {
	host := open(t)
	id := store(t, host, lines(9000))
	made, options := strings.Builder{}, weir.ReadOptions{Unit: weir.UnitBytes}
	for {
		page, err := host.Read("alice", id, &options)
		if err != nil {
			t.Fatal(err)
		}
		made.WriteString(page.Content)
		if options.More = page.More; options.More == "" {
			break
		}
	}
	if made.String() != lines(9000) {
		t.Fatal("the pages are not what was stored")
	}
	if page, err := host.Read("alice", id, &weir.ReadOptions{Start: 4321, Count: 1}); err != nil || page.Content != "4321: all is well\n" || page.Unit != weir.UnitLines {
		t.Fatalf("%v: %+v", err, page)
	}
	if page, err := host.ReadEnd("alice", id, &weir.EndOptions{Lines: 1}); err != nil || page.Content != "9000: all is well\n" {
		t.Fatalf("%v: %+v", err, page)
	}
	if page, err := host.ReadAll("alice", id, nil); code(err) != "too-large" {
		t.Fatalf("%v: %+v", err, page)
	}
	if found, err := host.Grep("alice", id, "^432[01]:", &weir.GrepOptions{Regex: true, Before: 1}); err != nil || !found.Complete || found.Matches != 2 || len(found.Lines) != 3 || *found.Lines[1].Column != 1 {
		t.Fatalf("%v: %+v", err, found)
	}
	if stat, err := host.Stat("alice", id); err != nil || stat.Handle.ID != id || stat.Pinned || stat.ExpiresAt == nil {
		t.Fatalf("%v: %+v", err, stat)
	}
	if found, err := host.Search("alice", "4321", &weir.SearchOptions{ID: id}); err != nil || len(found.Passages) == 0 {
		t.Fatalf("%v: %+v", err, found)
	}
	newer := store(t, host, lines(9001))
	if diff, err := host.Diff("alice", newer, &weir.DiffOptions{Older: id}); err != nil || diff.Added != 1 || diff.Removed != 0 {
		t.Fatalf("%v: %+v", err, diff)
	}
	rows := strings.Builder{}
	for n := 0; n < 4000; n++ {
		fmt.Fprintf(&rows, "{\"n\": %d, \"name\": \"row\"}\n", n)
	}
	table := store(t, host, rows.String())
	if most, err := host.Query("alice", table, ".n", &weir.QueryOptions{Reduce: "max"}); err != nil || strings.TrimSpace(most.Content) != "3999" {
		t.Fatalf("%v: %+v", err, most)
	}
	if shape, err := host.Outline("alice", table, nil); err != nil || len(shape.Entries) == 0 || !shape.Complete {
		t.Fatalf("%v: %+v", err, shape)
	}
	if list, err := host.ListBlobs("alice", &weir.ListOptions{MaxEntries: 2}); err != nil || len(list.Entries) != 2 || list.Total != 3 || list.More == "" {
		t.Fatalf("%v: %+v", err, list)
	}
}

func TestAResultInPiecesIsReadBack(t *testing.T) {
	host := open(t)
	intake, err := host.Intake(weir.Origin{Session: "alice", Tool: "stream"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprint(intake, "é\n", lines(9000)); err != nil {
		t.Fatal(err)
	}
	stored, err := intake.Finish(false)
	if err != nil || len(stored.Handles) != 1 {
		t.Fatalf("%v: %+v", err, stored)
	}
	page, err := host.Read("alice", stored.Handles[0].ID, &weir.ReadOptions{Count: 1})
	if err != nil || page.Content != "é\n" {
		t.Fatalf("%v: %+v", err, page)
	}
	if _, err := intake.Write([]byte("late")); !errors.Is(err, weir.ErrClosed) {
		t.Fatalf("a finished intake takes more: %v", err)
	}
	if _, err := intake.Finish(false); !errors.Is(err, weir.ErrClosed) {
		t.Fatalf("it is finished twice: %v", err)
	}
}

func TestTheStoreIsLookedAfter(t *testing.T) {
	host := open(t)
	id := store(t, host, lines(9000))
	about, err := host.About()
	if err != nil || about.Contract != "weir:plugin@0.3.0" || about.Version == "" || len(about.Limits) == 0 {
		t.Fatalf("%v: %+v", err, about)
	}
	if err := host.Pin("alice", id, true); err != nil {
		t.Fatal(err)
	}
	if stat, err := host.Stat("alice", id); err != nil || !stat.Pinned || stat.ExpiresAt != nil {
		t.Fatalf("%v: %+v", err, stat)
	}
	if status, err := host.Status(); err != nil || status.UsedBytes == 0 || status.MaxBytes == 0 || len(status.Uses) == 0 {
		t.Fatalf("%v: %+v", err, status)
	}
	if swept, err := host.Sweep(); err != nil || swept.Seen == 0 || swept.Expired != 0 || swept.More != "" {
		t.Fatalf("%v: %+v", err, swept)
	}
	if checked, err := host.Check(false); err != nil || checked.Blobs != 1 || checked.Corrupt != 0 {
		t.Fatalf("%v: %+v", err, checked)
	}
	if gone, err := host.Forget("alice", id); err != nil || gone.HeldElsewhere {
		t.Fatalf("%v: %+v", err, gone)
	}
	_, err = host.Stat("alice", id)
	var refused *weir.Error
	if !errors.As(err, &refused) || refused.Code != "gone" || refused.Gone == nil || refused.Gone.Reason != "deleted" || refused.Gone.Tool != "tool" {
		t.Fatalf("%#v", err)
	}
}

func TestARefusalIsAnErrorWithItsCode(t *testing.T) {
	host := open(t)
	_, err := host.Call("reading.stat", map[string]any{"session": "alice", "id": "000000000000"})
	var refused *weir.Error
	if !errors.As(err, &refused) || refused.Code != "unknown" || refused.Message == "" || len(refused.Answer) == 0 {
		t.Fatalf("%#v", err)
	}
	if _, err := host.Transform(weir.Origin{Tool: "tool"}, lines(9000)); code(err) != "bad-session" {
		t.Fatalf("%v", err)
	}
	if _, err := host.Intake(weir.Origin{Tool: "tool"}); code(err) != "bad-session" {
		t.Fatalf("%v", err)
	}
	if _, err := weir.Open(os.Getenv("WEIR_COMPONENT")+".none", "", nil); code(err) != "open" || !strings.Contains(err.Error(), ".none") {
		t.Fatalf("%v", err)
	}
}

func TestWhatIsClosedSaysSo(t *testing.T) {
	host := open(t)
	catalog, err := host.Catalog(weir.Snapshot{Tools: []weir.Tool{{Name: "one"}}})
	if err != nil {
		t.Fatal(err)
	}
	instance, err := host.Instance()
	if err != nil {
		t.Fatal(err)
	}
	intake, err := host.Intake(weir.Origin{Session: "alice", Tool: "stream"})
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for _, call := range []func() error{
		func() error { _, err := host.Status(); return err },
		func() error { _, err := host.Instance(); return err },
		func() error { _, err := host.Intake(weir.Origin{Session: "alice", Tool: "stream"}); return err },
		func() error { _, err := host.Catalog("{}"); return err },
		func() error { _, err := catalog.Assemble(nil); return err },
		func() error { _, err := instance.Call("json.about", "[]"); return err },
		func() error { _, err := intake.Write([]byte("late")); return err },
	} {
		if err := call(); !errors.Is(err, weir.ErrClosed) {
			t.Errorf("%v", err)
		}
		wait.Add(1)
		go func(call func() error) { defer wait.Done(); call() }(call)
	}
	if shown := host.Show("alice", "read_log", lines(9000)); shown != lines(9000) {
		t.Error("the text does not come back as it is")
	}
	for _, one := range []interface{ Close() error }{catalog, instance, intake, host, catalog, instance, intake, host} {
		if err := one.Close(); err != nil {
			t.Error(err)
		}
	}
	wait.Wait()
}

func TestACallToAnExportedToolLeadsBack(t *testing.T) {
	schema := map[string]any{"type": "object", "properties": map[string]any{"$filter": map[string]any{"type": "string"}}}
	tools := []any{map[string]any{"name": "list.files", "inputSchema": schema}, map[string]any{"name": "send", "pinned": true}}
	catalog, err := open(t).Catalog(map[string]any{"servers": []any{map[string]any{"name": "files", "tools": tools}}})
	if err != nil {
		t.Fatal(err)
	}
	defer catalog.Close()
	exported, err := catalog.Export("openai-search", map[string]any{"pin": []string{"send"}})
	if err != nil || len(exported.Names) != 2 {
		t.Fatalf("%v: %v", err, exported)
	}
	exported, err = catalog.Export("anthropic-bm25", nil)
	if err != nil || !strings.Contains(string(exported.Tools[0]), `"type":"tool_search_tool_bm25_20251119"`) {
		t.Fatalf("%v: %v", err, exported)
	}
	for seen, names := range exported.Arguments {
		for shown := range names {
			for _, given := range []any{map[string]any{shown: "a", "none": 1}, fmt.Sprintf(`{%q:"a","none":1}`, shown)} {
				name, arguments := exported.Call(seen, given)
				answer, err := catalog.Invoke(name, arguments, nil)
				if err != nil || len(answer.Calls) != 1 || string(answer.Calls[0].Arguments) != `{"$filter":"a","none":1}` {
					t.Fatalf("%v: %+v", err, answer)
				}
			}
			if name, arguments := exported.Call(seen, "no JSON"); name != "list.files" || arguments != "no JSON" {
				t.Fatalf("%s %v", name, arguments)
			}
		}
	}
	if len(exported.Arguments) != 1 {
		t.Fatalf("%v", exported.Arguments)
	}
	if name, arguments := exported.Call("nowhere", nil); name != "nowhere" || arguments != nil {
		t.Fatalf("%s %v", name, arguments)
	}
	var refused *weir.Error
	if _, err := catalog.Export("bedrock", nil); !errors.As(err, &refused) || refused.Code != "invalid" || !strings.Contains(refused.Message, "there is no form 'bedrock'") {
		t.Fatalf("%v", err)
	}
	if _, err := catalog.Export("openai", map[string]any{"pinn": 1}); !errors.As(err, &refused) || !strings.Contains(refused.Message, "did you mean `pin`") {
		t.Fatalf("%v", err)
	}
}

func TestACatalogIsSearched(t *testing.T) {
	host := open(t)
	schema := json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"},"count":{"type":"integer"}},"required":["to"]}`)
	tools := []weir.Tool{}
	for n := 0; n < 2000; n++ {
		tool := weir.Tool{Name: fmt.Sprintf("tool_%d", n), Description: "Does something"}
		if n == 250 {
			tool.Description, tool.InputSchema = "Send an invoice to a customer", schema
		}
		tools = append(tools, tool)
	}
	catalog, err := host.Catalog(weir.Snapshot{Servers: []weir.Server{{Name: "all", Tools: tools}}})
	if err != nil {
		t.Fatal(err)
	}
	defer catalog.Close()
	if shown, err := catalog.Assemble(nil); err != nil || !shown.Active || shown.Deferred != 2000 || len(shown.Tools) != 3 || shown.Tools[0].Name != "tool_search" {
		t.Fatalf("%v: %.300v", err, shown)
	}
	if shown, err := catalog.Assemble(map[string]any{"mode": "off"}); err != nil || len(shown.Visible) != 2000 || shown.Visible[250] != (weir.VisibleTool{ID: "tool_250", Name: "tool_250", Server: "all"}) {
		t.Fatalf("%v: %.300v", err, shown)
	}
	conversation := &weir.Conversation{RevealFirst: true}
	call := map[string]any{"name": "tool_250", "arguments": map[string]any{"to": "a", "count": "7"}}
	if refused, err := catalog.Invoke("tool_call", call, conversation); err != nil || !refused.IsError || refused.Text == "" {
		t.Fatalf("%v: %+v", err, refused)
	}
	found, err := catalog.Invoke("tool_search", map[string]any{"query": "send an invoice"}, conversation)
	if err != nil || found.IsError || !strings.Contains(found.Text, "tool_250") {
		t.Fatalf("%v: %+v", err, found)
	}
	if described, err := catalog.Invoke("tool_describe", map[string]any{"names": []string{"tool_250"}}, conversation); err != nil || !strings.Contains(described.Text, "count") {
		t.Fatalf("%v: %+v", err, described)
	}
	kept, err := json.Marshal(conversation)
	if err != nil {
		t.Fatal(err)
	}
	conversation = &weir.Conversation{}
	if err := json.Unmarshal(kept, conversation); err != nil || !conversation.RevealFirst {
		t.Fatalf("%v: %s", err, kept)
	}
	resolved, err := catalog.Invoke("tool_call", call, conversation)
	if err != nil || len(resolved.Calls) != 1 {
		t.Fatalf("%v: %+v", err, resolved)
	}
	if one := resolved.Calls[0]; one.Server != "all" || one.Name != "tool_250" || string(one.Arguments) != `{"count":7,"to":"a"}` || len(one.Repairs) != 1 || one.Repairs[0].Path == "" {
		t.Fatalf("%+v %s", one, one.Arguments)
	}
	conversation.Compacted()
	if refused, err := catalog.Invoke("tool_call", call, conversation); err != nil || !refused.IsError {
		t.Fatalf("%v: %+v", err, refused)
	}
	if len(catalog.Digest) != 64 {
		t.Fatalf("%+v", catalog)
	}
}
