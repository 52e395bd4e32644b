// Command contention is a worker of ../../contention.py: contention COMPONENT STORE SEED SECONDS CACHE.
package main

import (
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

// must ends the worker when a call fails.
func must[T any](answer T, err error) T {
	if err != nil {
		log.Fatalf("%s: %v", seed, err)
	}
	return answer
}

func whole(id string) string {
	made := strings.Builder{}
	given := weir.ReadOptions{Unit: weir.UnitBytes}
	for {
		page := must(host.Read(session, id, &given))
		made.WriteString(page.Content)
		if page.More == "" {
			return made.String()
		}
		given.More = page.More
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
		done := must(host.Transform(weir.Origin{Session: session, Tool: "tool"}, text(turn)))
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
			if found := must(host.Grep(session, one.id, pattern, nil)); found.Matches != 1 {
				log.Fatalf("%s has %d matches", one.id, found.Matches)
			}
		}
		if turn%5 == 0 {
			must(host.Forget(session, one.id))
			kept = append(kept[:at], kept[at+1:]...)
		}
		if turn%10 == 0 {
			if swept := must(host.Sweep()); swept.Foreign != 0 || swept.Expired != 0 {
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
