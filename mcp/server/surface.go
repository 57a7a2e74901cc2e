package server

// This file defines which tools clients are shown, and how that follows the registry.

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

// surface is what the SDK's server has been given.
type surface struct {
	mu       sync.Mutex
	made     bool
	revision uint64
	tools    map[string]string // by name: what it looked like
	own      own
	changed  chan struct{} // asks for a look at the registry; capacity 1
}

// own are the names of the server's own tools; empty is none.
type own struct{ search, more string }

// changeDelay gathers changes of the registry that come close together.
const changeDelay = 20 * time.Millisecond

// watch has the surface follow the registry.
func (s *Server) watch() {
	s.surface.changed = make(chan struct{}, 1)
	s.unwatch = s.registry.OnChange(func(uint64) {
		select {
		case s.surface.changed <- struct{}{}:
		default:
		}
	})
	s.scope.Fork("follow the registry", func(ctx context.Context) error {
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-s.surface.changed:
			}
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(changeDelay):
			}
			if err := s.refresh(); err != nil {
				s.options.Log.Error("the tools could not be listed", "error", err)
			}
		}
	})
}

// refresh has the SDK list the tools as they are now. It tells clients if something has changed.
func (s *Server) refresh() error {
	s.surface.mu.Lock()
	defer s.surface.mu.Unlock()
	if s.surface.made && s.surface.revision == s.registry.Revision() {
		return nil
	}
	snapshot, err := s.snapshot(nil)
	if err != nil {
		return err
	}
	list := snapshot.Tools()
	s.surface.own = s.ownNames(list)
	offered := make([]*mcp.Tool, 0, len(list)+2)
	for _, t := range list {
		offered = append(offered, offer(t, snapshot))
	}
	offered = append(offered, s.ownTools(snapshot)...)
	s.put(offered)
	s.surface.made, s.surface.revision = true, snapshot.Revision()
	return nil
}

// put replaces what has changed.
func (s *Server) put(offered []*mcp.Tool) {
	before := s.surface.tools
	s.surface.tools = map[string]string{}
	for _, t := range offered {
		text, err := json.Marshal(t)
		if err == nil && before[t.Name] == string(text) {
			s.surface.tools[t.Name] = string(text)
			continue
		}
		if err == nil {
			// The SDK panics on what it does not take.
			err = scope.Protect(func() error { s.sdk.AddTool(t, s.serve); return nil })
		}
		if err != nil {
			s.options.Log.Warn("a direct tool is left out", "tool", t.Name, "error", err)
			continue
		}
		s.surface.tools[t.Name] = string(text)
	}
	var gone []string
	for name := range before {
		if _, still := s.surface.tools[name]; !still {
			gone = append(gone, name)
		}
	}
	if len(gone) > 0 {
		s.sdk.RemoveTools(gone...)
	}
}

// snapshot is the tools for one run, whose hooks it tells; nil is for a look.
func (s *Server) snapshot(r *run) (*registry.Snapshot, error) {
	step := s.options.Step
	if step.Ask == nil {
		step.Ask = func(ctx context.Context, q registry.Question) (registry.Decision, error) {
			return s.permit(ctx, r, q)
		}
	}
	if r != nil {
		r.observe(&step)
		if r.memory > 0 {
			step.Limits.MaxMemoryBytes = new(int(min(r.memory, math.MaxInt32)))
		}
	}
	return s.registry.Snapshot(step)
}

// offer is a tool as clients are shown it.
func offer(t registry.Tool, snapshot *registry.Snapshot) *mcp.Tool {
	o := &mcp.Tool{Name: t.Name, Description: t.Description, InputSchema: objectSchema(t.InputSchema)}
	if t.Path == nil {
		o.Annotations = &mcp.ToolAnnotations{Title: "Run a program", ReadOnlyHint: onlyReads(snapshot)}
		return o
	}
	o.Annotations = &mcp.ToolAnnotations{
		ReadOnlyHint: t.Annotations.ReadOnly, IdempotentHint: t.Annotations.Idempotent, DestructiveHint: &t.Annotations.Destructive,
	}
	if describesObject(t.OutputSchema) {
		o.OutputSchema = json.RawMessage(data.JSON(t.OutputSchema.Document()))
	}
	return o
}

// onlyReads reports that no program can change anything.
func onlyReads(snapshot *registry.Snapshot) bool {
	return !slices.ContainsFunc(snapshot.View().Tools().All(), func(e tool.Entry) bool { return !e.Tool.Annotations().ReadOnly })
}

// describesObject reports whether what fits a schema is always an object, which is all that older clients take.
func describesObject(s *schema.Schema) bool {
	if s == nil {
		return false
	}
	kind, _ := s.Object().Get("type")
	return kind == data.String("object")
}

// objectSchema is a schema in the form the protocol wants: its type is object, in so many words.
func objectSchema(s *schema.Schema) json.RawMessage {
	if describesObject(s) {
		return json.RawMessage(data.JSON(s.Document()))
	}
	members := []data.Member{{Key: "type", Value: data.String("object")}}
	for key, v := range s.Object().All() {
		if key != "type" {
			members = append(members, data.Member{Key: key, Value: v})
		}
	}
	return json.RawMessage(data.JSON(data.NewObject(members)))
}

// ownNames chooses names that no direct tool has.
func (s *Server) ownNames(list []registry.Tool) (names own) {
	taken := map[string]bool{}
	execute := registry.DefaultExecuteName
	for _, t := range list {
		taken[t.Name] = true
		if t.Path == nil {
			execute = t.Name
		}
	}
	free := func(name string) string {
		for taken[name] {
			name = "codemode_" + name
		}
		taken[name] = true
		return name
	}
	if s.options.Search {
		names.search = free("search")
	}
	if s.options.MaxRest > 0 {
		names.more = free(execute + "_more")
	}
	return names
}

// ownTools are the tools that are the server's own. There is nothing to search or to read on without a program.
func (s *Server) ownTools(snapshot *registry.Snapshot) (list []*mcp.Tool) {
	if s.surface.own.search != "" && snapshot.View() != nil {
		list = append(list, searchTool(s.surface.own.search))
	}
	if s.surface.own.more != "" && len(snapshot.Tools()) > 0 {
		list = append(list, moreTool(s.surface.own.more))
	}
	return list
}

// intercept brings the list up to date before it is read, and tells a model that calls what it was not given how to get
// it.
func (s *Server) intercept(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
		switch method {
		case "tools/list":
			s.awaitReady(ctx)
			if err := s.refresh(); err != nil {
				s.options.Log.Error("the tools could not be listed", "error", err)
			}
		case "tools/call":
			s.awaitReady(ctx)
			if call, ok := request.(*mcp.CallToolRequest); ok {
				if hint := s.hint(ctx, call.Params.Name); hint != nil {
					return hint, nil
				}
			}
		case "subscriptions/listen": // is not answered until it ends
			if extra := request.GetExtra(); extra != nil && extra.Header != nil {
				s.traffic.add(-1)
				defer s.traffic.add(1)
			}
		}
		result, err := next(ctx, method, request)
		return result, coded(err)
	}
}

// awaitReady waits until the tools are there, at most as long after the start as the options say.
func (s *Server) awaitReady(ctx context.Context) {
	if s.options.Ready == nil {
		return
	}
	select {
	case <-s.options.Ready:
		return
	default:
	}
	late := time.NewTimer(time.Until(s.started.Add(s.options.ReadyWithin)))
	defer late.Stop()
	select {
	case <-s.options.Ready:
	case <-late.C:
	case <-ctx.Done():
	case <-s.scope.Context().Done():
	}
}

// hint is for a call of a tool that is for programs; nil for all others.
func (s *Server) hint(ctx context.Context, name string) *mcp.CallToolResult {
	s.surface.mu.Lock()
	_, listed := s.surface.tools[name]
	s.surface.mu.Unlock()
	if listed {
		return nil
	}
	snapshot, err := s.snapshot(nil)
	if err != nil {
		return nil
	}
	if _, known := snapshot.Tool(name); known { // it is newer than the list
		if err := s.refresh(); err != nil {
			s.options.Log.Error("the tools could not be listed", "error", err)
		}
		return nil
	}
	out, err := snapshot.Call(ctx, "", name, nil)
	if err != nil || strings.HasPrefix(out.Text, "there is no tool ") {
		return nil // the protocol has an error for that
	}
	return refused(out.Text)
}

// isProgram reports whether a tool is the one that runs programs.
func (s *Server) isProgram(name string) bool { return name == s.registry.ExecuteName() }

// ownName says which of the server's own tools a name is.
func (s *Server) ownName(name string) (search, more bool) {
	s.surface.mu.Lock()
	defer s.surface.mu.Unlock()
	return name == s.surface.own.search, name == s.surface.own.more
}

// moreName is the name of the tool that reads on, or empty.
func (s *Server) moreName() string {
	s.surface.mu.Lock()
	defer s.surface.mu.Unlock()
	return s.surface.own.more
}
