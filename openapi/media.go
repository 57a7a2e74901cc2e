package openapi

// This file defines kinds of media types.

import (
	"mime"
	"slices"
	"strings"
)

// essence is a media type without parameters, in lower case.
func essence(mediaType string) string {
	if t, _, err := mime.ParseMediaType(mediaType); err == nil {
		return t
	}
	t, _, _ := strings.Cut(mediaType, ";")
	return strings.ToLower(strings.TrimSpace(t))
}

// isJSON reports that a body of the type is one JSON value.
func isJSON(mediaType string) bool {
	t := essence(mediaType)
	return t == "application/json" || t == "text/json" || strings.HasSuffix(t, "+json")
}

// isLines reports that a body of the type is JSON values, one a line.
func isLines(mediaType string) bool {
	return slices.Contains([]string{"application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines", "application/json-lines",
		"application/jsonlines", "application/json-seq"}, essence(mediaType))
}

// isEvents reports that a body of the type is a stream without end.
func isEvents(mediaType string) bool { return essence(mediaType) == "text/event-stream" }

var textTypes = []string{"application/xml", "application/yaml", "application/x-yaml", "application/toml", "application/javascript", "application/ecmascript",
	"application/graphql", "application/sql", "application/csv", "application/jwt", "application/jose", urlencodedType}

// isTextual reports that a body of the type is text, of whatever language.
func isTextual(mediaType string) bool {
	t := essence(mediaType)
	return (strings.HasPrefix(t, "text/") && !isEvents(t)) || strings.HasSuffix(t, "+xml") || strings.HasSuffix(t, "+yaml") || slices.Contains(textTypes, t)
}

// isRange reports that the type leaves the choice of a type open.
func isRange(mediaType string) bool { return strings.Contains(essence(mediaType), "*") }

// allowsJSON reports that a range contains JSON.
func allowsJSON(mediaType string) bool {
	t := essence(mediaType)
	return t == "*/*" || t == "application/*" || t == "*"
}
