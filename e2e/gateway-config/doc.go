// Package gatewayconfig has the tests of the command line over real servers that a configuration file names.
package gatewayconfig
