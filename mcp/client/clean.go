package client

// This file defines how the host's secrets are taken out of what a server sends.

import (
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
)

// protocolKeys are the members whose texts are the protocol's own words, or name
// something that is given back to the server.
var protocolKeys = []string{"jsonrpc", "id", "method", "protocolVersion", "type", "name", "role", "mimeType", "action", "mode", "level",
	"progressToken", "requestId", "requestState", "nextCursor", "elicitationId", "required", "resultType", "cacheScope", "$ref", "$schema", "$id"}

// unclean reports whether a message may have something to be taken out. Texts that
// are written with escapes are looked at one by one.
func (w *wire) unclean(line string) bool {
	return strings.Contains(line, `\u`) || strings.Contains(line, `\/`) || w.clean(line) != line
}

// foreignKeys are the members in which all words are the server's.
var foreignKeys = []string{"structuredContent", "data"}

// cleaned is a message with its texts cleaned; foreign is that none of its words are the protocol's. Its depth is bounded by
// the parser.
func cleaned(v data.Value, foreign bool, clean func(string) string) data.Value {
	switch v := v.(type) {
	case data.String:
		return data.String(clean(string(v)))
	case data.Array:
		var items []data.Value
		for _, item := range v.All() {
			items = append(items, cleaned(item, foreign, clean))
		}
		return data.NewArray(items)
	case *data.Object:
		var members []data.Member
		for key, value := range v.All() {
			if foreign || !isProtocols(key, value) {
				value = cleaned(value, foreign || slices.Contains(foreignKeys, key), clean)
			}
			members = append(members, data.Member{Key: key, Value: value})
		}
		return data.NewObject(members)
	}
	return v
}

// isProtocols reports whether a member is left as it is: a text, or a list of
// texts, under one of the protocol's keys.
func isProtocols(key string, v data.Value) bool {
	if _, object := v.(*data.Object); object {
		return false
	}
	return slices.Contains(protocolKeys, key)
}
