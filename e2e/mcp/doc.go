// Package mcp has the tests of programs over real MCP servers.
package mcp
