package client

// This file defines what the SDK is given in place of results: the members it
// needs, in the types it wants.

import (
	"strings"

	"github.com/codemode-go/codemode/data"
)

// fields builds an object of those members that are there.
type fields []data.Member

func (f *fields) add(key string, v data.Value) {
	if v != nil {
		*f = append(*f, data.Member{Key: key, Value: v})
	}
}

// str copies a member that is a string.
func (f *fields) str(from data.Value, key string) {
	if s, ok := member(from, key).(data.String); ok {
		f.add(key, s)
	}
}

func (f fields) object() *data.Object { return data.NewObject(f) }

// plainCall stands for the result of a call, which is read elsewhere.
func plainCall(result data.Value) data.Value {
	f := fields{{Key: "content", Value: data.NewArray(nil)}}
	f.str(result, "resultType")
	return f.object()
}

// plainList has the names, and the schemas of those tools that want parameters
// in HTTP headers, which the SDK writes.
func plainList(result data.Value) data.Value {
	var tools []data.Value
	list, _ := member(result, "tools").(data.Array)
	for _, v := range list.All() {
		name, ok := member(v, "name").(data.String)
		if !ok {
			continue
		}
		schema, ok := member(v, "inputSchema").(*data.Object)
		if !ok || !strings.Contains(data.JSON(schema), "x-mcp-header") {
			schema = data.NewObject([]data.Member{{Key: "type", Value: data.String("object")}})
		}
		tools = append(tools, data.NewObject([]data.Member{{Key: "name", Value: name}, {Key: "inputSchema", Value: schema}}))
	}
	f := fields{{Key: "tools", Value: data.NewArray(tools)}}
	f.str(result, "nextCursor")
	f.str(result, "resultType")
	return f.object()
}

// serverInfoKey is where the newest protocol has the server's name.
const serverInfoKey = "io.modelcontextprotocol/serverInfo"

// plainHandshake is the result of initialize or server/discover.
func plainHandshake(result data.Value) data.Value {
	if _, ok := result.(*data.Object); !ok {
		return result
	}
	var f fields
	f.str(result, "protocolVersion")
	f.str(result, "instructions")
	f.str(result, "resultType")
	f.add("capabilities", plainCapabilities(member(result, "capabilities")))
	f.add("serverInfo", plainPeer(member(result, "serverInfo")))
	if list, ok := member(result, "supportedVersions").(data.Array); ok {
		var versions []data.Value
		for _, v := range list.All() {
			if s, ok := v.(data.String); ok {
				versions = append(versions, s)
			}
		}
		f.add("supportedVersions", data.NewArray(versions))
	}
	if info := plainPeer(member(member(result, "_meta"), serverInfoKey)); info != nil {
		f.add("_meta", data.NewObject([]data.Member{{Key: serverInfoKey, Value: info}}))
	}
	return f.object()
}

// plainCapabilities is whether the server announces changes of its tools.
func plainCapabilities(v data.Value) data.Value {
	var tools fields
	if announces, ok := member(member(v, "tools"), "listChanged").(data.Bool); ok {
		tools.add("listChanged", announces)
	}
	return data.NewObject([]data.Member{{Key: "tools", Value: tools.object()}})
}

// plainPeer is what a server calls itself.
func plainPeer(v data.Value) data.Value {
	if _, ok := v.(*data.Object); !ok {
		return nil
	}
	var f fields
	for _, key := range []string{"name", "title", "description", "version"} {
		f.str(v, key)
	}
	return f.object()
}
