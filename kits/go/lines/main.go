// Command lines serves ../../conformance/lines.py: lines COMPONENT [CACHE].
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"weir"
)

func exported(host *weir.Weir, given string) (json.RawMessage, error) {
	form, snapshot, _ := strings.Cut(given, " ")
	catalog, err := host.Catalog(snapshot)
	if err != nil {
		return nil, err
	}
	defer catalog.Close()
	made, err := catalog.Export(form, nil)
	if err != nil {
		return nil, err
	}
	return json.Marshal(made)
}

// again is a typed answer as JSON, which must say all that the answer did.
func again[T any](answer T, err error) (json.RawMessage, error) {
	var refused *weir.Error
	if errors.As(err, &refused) {
		return refused.Answer, err
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

func main() {
	var options weir.Options
	if len(os.Args) > 2 {
		options.Cache = os.Args[2]
	}
	var host *weir.Weir
	var instance *weir.Instance
	drop := func() {
		if instance != nil {
			instance.Close()
			instance = nil
		}
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			break
		}
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		var answer json.RawMessage
		switch {
		case name == "store":
			drop()
			if host != nil {
				host.Close()
			}
			if host, err = weir.Open(os.Args[1], rest, &options); err != nil {
				log.Fatal(err)
			}
			continue
		case name == "fresh":
			drop()
			continue
		case name == "export":
			answer, err = exported(host, rest)
		case name == "maintenance.sweep":
			answer, err = again(host.Sweep())
		case name == "maintenance.check":
			answer, err = again(host.Check(false))
		case strings.HasPrefix(name, "json."):
			if instance == nil {
				if instance, err = host.Instance(); err != nil {
					log.Fatal(err)
				}
			}
			answer, err = instance.Call(name, rest)
		default:
			answer, err = host.Call(name, rest)
		}
		var refused *weir.Error
		if err != nil && !errors.As(err, &refused) {
			log.Fatal(err)
		}
		fmt.Println(string(answer))
	}
	drop()
	if host != nil {
		host.Close()
	}
}
