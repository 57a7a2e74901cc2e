// Package oauth tests signing in with the command against the authorisation servers of the protocol's conformance scenarios.
package oauth
