// Package openapi has the tests of the OpenAPI adapter against other
// implementations: a reader of documents, an encoder of parameters, and servers
// that decode requests. Package servers has those against programs that the
// system has to have installed.
package openapi
