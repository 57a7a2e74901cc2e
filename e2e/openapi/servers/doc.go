// Package servers has the tests of the OpenAPI adapter against programs that have
// to be installed: rclone, and PowerDNS with its SQLite backend.
package servers
