// Package servers has the tests of the OpenAPI adapter against programs that have
// to be installed: rclone, PowerDNS with its SQLite backend, and Prism from npm.
package servers
