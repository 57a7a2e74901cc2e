// This file defines the formats that are enforced in schemas of Go types,
// because decoding needs them. In other schemas formats are descriptions.

package schema

import (
	"encoding/base64"
	"fmt"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// enforced are the formats and encodings by keyword and value.
var enforced = map[string]func(string) bool{
	"format date-time": func(s string) bool {
		return new(time.Time).UnmarshalText([]byte(s)) == nil
	},
	"contentEncoding base64": func(s string) bool {
		_, err := base64.StdEncoding.DecodeString(s)
		return err == nil
	},
}

// unenforced are the formats that the validator knows and that stay
// descriptions.
var unenforced = []string{"regex", "uuid", "ipv4", "ipv6", "hostname", "email", "date", "time", "duration", "json-pointer", "relative-json-pointer",
	"uri", "uri-reference", "uri-template", "iri", "iri-reference", "idn-email", "idn-hostname", "period", "semver"}

func enforceFormats(c *jsonschema.Compiler) {
	for _, name := range unenforced {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
	c.RegisterFormat(&jsonschema.Format{Name: "date-time", Validate: func(v any) error {
		if s, ok := v.(string); ok && !enforced["format date-time"](s) {
			return fmt.Errorf("not an RFC 3339 time")
		}
		return nil
	}})
	c.AssertFormat()
	c.AssertContent()
}
