package gateway

// This file defines the servers of the tests: this binary, started again under a behaviour.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/gateway/config"
	"github.com/codemode-go/codemode/registry"
)

// behaviour makes the test binary a server.
const behaviour = "CODEMODE_TEST_SERVER"

func TestMain(m *testing.M) {
	if how := os.Getenv(behaviour); how != "" {
		pretend(how)
		return
	}
	goleak.VerifyTestMain(m)
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string
		Arguments map[string]any
	} `json:"params"`
}

// pretend is a server until its input ends.
func pretend(how string) {
	switch how {
	case "crash":
		fmt.Fprintln(os.Stderr, "cannot log in with", os.Getenv("SECRET"))
		os.Exit(4)
	case "gated": // until the test lets it go on
		c, err := net.Dial("tcp", os.Getenv("GATE"))
		if err != nil {
			os.Exit(5)
		}
		io.ReadAll(c)
	case "stubborn":
		defer func() { select {} }()
	}
	tools := []string{"echo", "grow", "die", "env", "pid"}
	if how == "dotted" {
		tools = []string{"git.echo", "git.own"}
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m message
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil || how == "mute" {
			continue
		}
		switch m.Method {
		case "initialize":
			reply(m.ID, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"pretender","version":"7"},"instructions":"`+said(how)+`"}`)
		case "tools/list":
			reply(m.ID, `{"tools":[`+strings.Join(listed(how, tools), ",")+`]}`)
		case "tools/call":
			if how == "leaky" {
				leak(m)
				continue
			}
			answer := call(m, &tools)
			reply(m.ID, `{"content":[{"type":"text","text":`+data.JSON(data.String(answer))+`}]}`)
		default:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`+"\n", m.ID)
		}
	}
}

// said is what a server quotes its secret in.
func said(how string) string {
	if how != "leaky" {
		return ""
	}
	return " Log in with " + os.Getenv("SERVICE_TOKEN") + "."
}

// leak answers a call with the server's environment.
func leak(m message) {
	token := os.Getenv("SERVICE_TOKEN")
	switch m.Params.Name {
	case "echo":
		reply(m.ID, `{"isError":true,"content":[{"type":"text","text":"refused `+token+`"}]}`)
	case "die":
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"no `+token+`"}}`+"\n", m.ID)
	case "env":
		reply(m.ID, `{"content":[{"type":"text","text":"\u0073k-service-0123 `+os.Getenv("WORD")+`"}],"structuredContent":{"id":"`+token+`","type":["`+os.Getenv("PIN")+`"],"root":"`+
			os.Getenv("ROOT")+`/a.txt","word":"`+os.Getenv("WORD")+`","key":"`+os.Getenv("API_KEY")+`"}}`)
	}
}

func listed(how string, tools []string) (list []string) {
	for _, name := range tools {
		list = append(list, fmt.Sprintf(`{"name":%q,"description":"It is %s.`+said(how)+`","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}`, name, name))
	}
	if how == "odd" {
		list = append(list, `{"name":"wrong","inputSchema":{"type":"object","properties":{"a":{"type":"nonsense"}}}}`, `{"inputSchema":{}}`)
	}
	return list
}

func call(m message, tools *[]string) string {
	switch m.Params.Name {
	case "grow":
		*tools = append(*tools, "grown")
		fmt.Println(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	case "die":
		os.Exit(6)
	case "env":
		return os.Getenv(fmt.Sprint(m.Params.Arguments["text"]))
	case "pid":
		return fmt.Sprint(os.Getpid())
	}
	return fmt.Sprint(m.Params.Name, " ", m.Params.Arguments["text"])
}

func reply(id json.RawMessage, result string) {
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result)
}

// entry is the configuration of such a server.
func entry(how string, more ...string) string {
	env := append([]string{fmt.Sprintf(`%q: %q, "GORACE": "atexit_sleep_ms=0"`, behaviour, how)}, more...)
	return fmt.Sprintf(`{"command": %q, "args": ["-test.run=^$"], "env": {%s}}`, os.Args[0], strings.Join(env, ", "))
}

// parsed is a configuration of entries, each a name and an object.
func parsed(t *testing.T, entries ...string) *config.Config {
	t.Helper()
	var list []string
	for i := 0; i < len(entries); i += 2 {
		list = append(list, fmt.Sprintf("%q: %s", entries[i], entries[i+1]))
	}
	file := filepath.Join(t.TempDir(), "servers.json")
	source := `{"mcpServers": {` + strings.Join(list, ",\n") + `}}`
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load([]string{file}, config.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// opened is a gateway that the test's end closes.
func opened(t *testing.T, c *config.Config) *Gateway {
	t.Helper()
	g, err := Open(t.Context(), c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closed(t, g) })
	return g
}

func closed(t *testing.T, g *Gateway) {
	t.Helper()
	start := time.Now()
	if err := g.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > CloseWithin {
		t.Errorf("closing took %v", took)
	}
}

// within is a context with a bound that no test should meet.
func within(t *testing.T) context.Context {
	ctx, stop := context.WithTimeout(t.Context(), 60*time.Second)
	t.Cleanup(stop)
	return ctx
}

func waited(t *testing.T, g *Gateway) {
	t.Helper()
	if err := g.Wait(within(t)); err != nil {
		t.Fatal(err)
	}
}

// run runs a program over the tools as they are and gives its text.
func run(t *testing.T, g *Gateway, code string) string {
	t.Helper()
	s, err := g.Registry().Snapshot(registry.Step{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Call(within(t), "1", registry.DefaultExecuteName, data.NewObject([]data.Member{{Key: "code", Value: data.String(code)}}))
	if err != nil {
		t.Fatal(err)
	}
	return out.Text
}

func statusOf(t *testing.T, g *Gateway, name string) Status {
	t.Helper()
	for _, s := range g.Status() {
		if s.Name == name {
			return s
		}
	}
	t.Fatal("no server", name)
	return Status{}
}
