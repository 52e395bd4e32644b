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
	t.Cleanup(host.Close)
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

func TestAResultInPiecesIsReadBack(t *testing.T) {
	host := open(t)
	intake, err := host.Intake(map[string]any{"session": "alice", "tool": "stream"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprint(intake, "é\n", lines(9000)); err != nil {
		t.Fatal(err)
	}
	answer, err := intake.Finish(false)
	if err != nil {
		t.Fatal(err)
	}
	var stored struct{ Handles []struct{ ID string } }
	if err := json.Unmarshal(answer, &stored); err != nil || len(stored.Handles) != 1 {
		t.Fatalf("%v: %s", err, answer)
	}
	page, err := host.Call("reading.read", map[string]any{"session": "alice", "id": stored.Handles[0].ID, "start": 1, "count": 1})
	if err != nil || !strings.Contains(string(page), `"content":"é\n"`) {
		t.Fatalf("%v: %s", err, page)
	}
	if _, err := intake.Write([]byte("late")); err == nil {
		t.Fatal("a finished intake takes more")
	}
}

func TestARefusalIsAnErrorWithItsCode(t *testing.T) {
	_, err := open(t).Call("reading.stat", map[string]any{"session": "alice", "id": "000000000000"})
	var refused *weir.Error
	if !errors.As(err, &refused) || refused.Code != "unknown" || refused.Message == "" {
		t.Fatalf("%#v", err)
	}
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
	if err != nil || !strings.Contains(string(exported.Tools), `"type":"tool_search_tool_bm25_20251119"`) {
		t.Fatalf("%v: %v", err, exported)
	}
	for seen, names := range exported.Arguments {
		for shown := range names {
			for _, given := range []any{map[string]any{shown: "a", "none": 1}, fmt.Sprintf(`{%q:"a","none":1}`, shown)} {
				name, arguments := exported.Call(seen, given)
				answer, err := catalog.Invoke(name, arguments, nil)
				if err != nil || !strings.Contains(string(answer), `"arguments":{"$filter":"a","none":1}`) {
					t.Fatalf("%v: %s", err, answer)
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
	tools := []map[string]any{}
	for n := 0; n < 2000; n++ {
		description := "Does something"
		if n == 250 {
			description = "Send an invoice to a customer"
		}
		tools = append(tools, map[string]any{"name": fmt.Sprintf("tool_%d", n), "description": description})
	}
	catalog, err := host.Catalog(map[string]any{"servers": []any{map[string]any{"name": "all", "tools": tools}}})
	if err != nil {
		t.Fatal(err)
	}
	defer catalog.Close()
	if assembled, err := catalog.Assemble(nil); err != nil || !strings.Contains(string(assembled), `"active":true`) {
		t.Fatalf("%v: %.300s", err, assembled)
	}
	found, err := catalog.Invoke("tool_search", map[string]any{"query": "send an invoice"}, nil)
	if err != nil || !strings.Contains(string(found), "tool_250") {
		t.Fatalf("%v: %.300s", err, found)
	}
}
