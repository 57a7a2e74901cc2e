package server

// This file defines what is wrong with the parameters of a request, in the protocol's words. The SDK says it in those of Go, and of
// initialize with the code 0.

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// paramsOf make room for the parameters of each request that the SDK takes.
var paramsOf = map[string]func() any{
	"initialize":               func() any { return new(mcp.InitializeParams) },
	"ping":                     func() any { return new(mcp.PingParams) },
	"tools/list":               func() any { return new(mcp.ListToolsParams) },
	"tools/call":               func() any { return new(mcp.CallToolParamsRaw) },
	"prompts/list":             func() any { return new(mcp.ListPromptsParams) },
	"prompts/get":              func() any { return new(mcp.GetPromptParams) },
	"resources/list":           func() any { return new(mcp.ListResourcesParams) },
	"resources/templates/list": func() any { return new(mcp.ListResourceTemplatesParams) },
	"resources/read":           func() any { return new(mcp.ReadResourceParams) },
	"resources/subscribe":      func() any { return new(mcp.SubscribeParams) },
	"resources/unsubscribe":    func() any { return new(mcp.UnsubscribeParams) },
	"subscriptions/listen":     func() any { return new(mcp.SubscriptionsListenParams) },
	"logging/setLevel":         func() any { return new(levelParams) },
	"completion/complete":      func() any { return new(mcp.CompleteParams) },
	"server/discover":          func() any { return new(mcp.DiscoverParams) },
}

// levelParams are those of logging/setLevel, which the SDK still takes.
type levelParams struct {
	Meta  map[string]any `json:"_meta"`
	Level string         `json:"level"`
}

// coded gives an error of the SDK the code that JSON-RPC wants, where it has none: it comes of a request out of order, or of what
// should not happen.
func coded(err error) error {
	var wire *jsonrpc.Error
	switch {
	case err == nil, errors.As(err, &wire) && wire.Code != 0:
		return err
	case strings.HasSuffix(err.Error(), " is invalid during session initialization"):
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the session has not begun: send initialize first"}
	case strings.HasPrefix(err.Error(), `duplicate "initialize`):
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the session has begun already: initialize is sent once"}
	case errors.Is(err, context.Canceled), err.Error() == context.Canceled.Error():
		return &jsonrpc.Error{Code: codeCancelled, Message: "the request was cancelled"}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}

// codeCancelled is of those that JSON-RPC 2.0 §5.1 leaves to implementations.
const codeCancelled = -32000

// misfit says what is wrong with the form of a request's parameters, "" for nothing that could be found.
func misfit(request *jsonrpc.Request) string {
	room := paramsOf[request.Method]
	if !request.IsCall() || room == nil || len(request.Params) == 0 {
		return ""
	}
	if why := responsesMisfit(request.Params); why != "" && request.Method == "tools/call" {
		return why
	}
	err := json.Unmarshal(request.Params, room())
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &wrong):
		return "the params are not what " + request.Method + " takes"
	}
	return mismatch("params", wrong)
}

// mismatch words a value of a wrong kind.
func mismatch(at string, wrong *json.UnmarshalTypeError) string {
	got, _, _ := strings.Cut(wrong.Value, " ")
	if got == "bool" {
		got = "boolean"
	}
	return strings.TrimSuffix(at+"."+wrong.Field, ".") + ": expected " + jsonKind(wrong.Type) + ", got " + got
}

// responsesMisfit says what is wrong with the answers to questions in the parameters of a call, "" for nothing that could be found.
func responsesMisfit(params json.RawMessage) string {
	var p struct {
		InputResponses map[string]json.RawMessage `json:"inputResponses"`
	}
	if json.Unmarshal(params, &p) != nil {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(p.InputResponses)) {
		at := "params.inputResponses." + clip(name, maxShownName)
		var members map[string]json.RawMessage
		err := json.Unmarshal(p.InputResponses[name], &members)
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return mismatch(at, wrong)
		}
		if members == nil {
			return at + ": expected object, got null"
		}
		if members["role"] != nil || members["roots"] != nil { // answers to what is not asked here
			continue
		}
		if members["action"] == nil {
			return at + ".action: required"
		}
		if err := json.Unmarshal(p.InputResponses[name], new(mcp.ElicitResult)); errors.As(err, &wrong) {
			return mismatch(at, wrong)
		}
	}
	return ""
}

// maxShownName bounds what a message shows of a name that a client has given, in characters.
const maxShownName = 100

// jsonKind is what JSON calls the values that a type takes.
func jsonKind(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Struct, reflect.Map, reflect.Interface:
		return "object"
	case reflect.Slice, reflect.Array:
		return "array"
	}
	return "number"
}
