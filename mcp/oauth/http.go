package oauth

// This file defines how authorisation servers are spoken to: their addresses come from a server that may mean ill.

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

const (
	// requestTimeout bounds one request, its reply included.
	requestTimeout = 15 * time.Second
	maxRedirects   = 5
	// maxReply bounds a reply, in bytes; the libraries for the other replies have the same bound.
	maxReply = 1 << 20
)

// newHTTP is the client for what a server points to. A server outside may not point to addresses inside: this machine,
// the private network. The server itself is where the user says.
func newHTTP(ctx context.Context, server *url.URL) (c *http.Client, done func()) {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxResponseHeaderBytes = 256 << 10
	if !proxied(t, server) && !isInside(ctx, server.Hostname()) {
		t.DialContext = (&net.Dialer{Timeout: requestTimeout, Control: refuseInside}).DialContext
	}
	return &http.Client{Transport: t, Timeout: requestTimeout, CheckRedirect: checkRedirect}, t.CloseIdleConnections
}

// proxied reports that a proxy connects, so that addresses are its to judge.
func proxied(t *http.Transport, server *url.URL) bool {
	if t.Proxy == nil {
		return false
	}
	proxy, err := t.Proxy(&http.Request{URL: server})
	return err == nil && proxy != nil
}

func isInside(ctx context.Context, host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return insideIP(ip)
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	for _, ip := range ips {
		if insideIP(ip) {
			return true
		}
	}
	return err == nil && len(ips) == 0
}

// carrier is the space that providers share (RFC 6598).
var carrier = netip.MustParsePrefix("100.64.0.0/10")

func insideIP(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() || ip.IsMulticast() || carrier.Contains(ip)
}

func refuseInside(_, address string, _ syscall.RawConn) error {
	if host, err := netip.ParseAddrPort(address); err != nil || insideIP(host.Addr()) {
		return errors.New("the server points to an address of this machine or the private network")
	}
	return nil
}

// checkRedirect lets what is read be elsewhere, and what is sent go nowhere else: it holds codes and tokens.
func checkRedirect(r *http.Request, via []*http.Request) error {
	switch {
	case via[0].Method != http.MethodGet:
		return errors.New("it answers with a redirect, which is not followed with secrets")
	case len(via) > maxRedirects:
		return fmt.Errorf("it redirects more than %d times", maxRedirects)
	}
	return checkSecure(r.URL.String())
}

// checkSecure reports an address that is neither https nor on this machine.
func checkSecure(address string) error {
	u, err := url.Parse(address)
	if err == nil && (u.Scheme == "https" && u.Host != "" || u.Scheme == "http" && isLoopback(u.Hostname())) {
		return nil
	}
	return fmt.Errorf("%q is no https address", clip(address, 200))
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// bare is an error of a request without its address, which may have a secret in its query.
func bare(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		if outer.Timeout() {
			return errors.New("it does not answer in time")
		}
		return outer.Err
	}
	return err
}
