// Command contention is a worker of ../../contention.py: contention COMPONENT STORE SEED SECONDS CACHE.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
	"time"

	"weir"
)

var (
	host    *weir.Weir
	seed    string
	session string
)

// text is one that its reader can make again; every third is the same for all workers.
func text(of int) string {
	name := seed
	if of%3 == 0 {
		name = "all"
	}
	made := strings.Builder{}
	for n := 0; n < 400+of%7*300; n++ {
		fmt.Fprintf(&made, "%s %d line %d: %s\n", name, of, n, strings.Repeat("x", n%50))
	}
	return made.String()
}

// ask calls a function and reads its answer.
func ask[T any](answer json.RawMessage, err error) T {
	var made T
	if err == nil {
		err = json.Unmarshal(answer, &made)
	}
	if err != nil {
		log.Fatalf("%s: %v", seed, err)
	}
	return made
}

func whole(id string) string {
	made := strings.Builder{}
	given := map[string]any{"session": session, "id": id, "unit": "bytes", "start": 0}
	for {
		page := ask[struct {
			Content string
			More    *string
		}](host.Call("reading.read", given))
		made.WriteString(page.Content)
		if page.More == nil {
			return made.String()
		}
		given["more"] = *page.More
	}
}

func main() {
	component, store, cache := os.Args[1], os.Args[2], os.Args[5]
	seed = os.Args[3]
	session = "session " + seed
	seconds, err := strconv.ParseFloat(os.Args[4], 64)
	if err != nil {
		log.Fatal(err)
	}
	if host, err = weir.Open(component, store, &weir.Options{Cache: cache}); err != nil {
		log.Fatal(err)
	}
	type stored struct {
		id string
		of int
	}
	var kept []stored
	turn := 0
	for until := time.Now().Add(time.Duration(seconds * float64(time.Second))); time.Now().Before(until); {
		turn++
		done := ask[struct {
			Replaced     bool
			StoreFailure string
			Handles      []struct{ ID string }
		}](host.Transform(map[string]string{"session": session, "tool": "tool"}, text(turn)))
		if !done.Replaced || done.StoreFailure != "" {
			log.Fatalf("not stored: %+v", done)
		}
		kept = append(kept, stored{done.Handles[0].ID, turn})
		at := turn * 7919 % len(kept)
		one := kept[at]
		if whole(one.id) != text(one.of) {
			log.Fatalf("%s: %s is not what was stored", seed, one.id)
		}
		if turn%4 == 0 {
			pattern := fmt.Sprintf("%d line 399:", one.of)
			found := ask[struct{ Matches int }](host.Call("reading.grep", map[string]string{"session": session, "id": one.id, "pattern": pattern}))
			if found.Matches != 1 {
				log.Fatalf("%s has %d matches", one.id, found.Matches)
			}
		}
		if turn%5 == 0 {
			if _, err := host.Forget(session, one.id); err != nil {
				log.Fatal(err)
			}
			kept = append(kept[:at], kept[at+1:]...)
		}
		if turn%10 == 0 {
			swept := ask[struct{ Foreign, Expired int }](host.Sweep())
			if swept.Foreign != 0 || swept.Expired != 0 {
				log.Fatalf("%+v", swept)
			}
		}
	}
	for _, one := range kept {
		if whole(one.id) != text(one.of) {
			log.Fatalf("%s: %s is lost", seed, one.id)
		}
	}
	fmt.Printf("{\"turns\": %d}\n", turn)
	host.Close()
}
