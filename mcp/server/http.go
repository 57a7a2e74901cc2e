package server

// This file defines serving over HTTP: who may speak to the server, and how both eras share one address.

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/scope"
)

// Path is where the protocol is spoken.
const Path = "/mcp"

// HTTPOptions configure serving over HTTP.
type HTTPOptions struct {
	// Addr is where to listen, host:port. Without a Token it has to be a loopback address.
	Addr string
	// Token is what clients send as Authorization: Bearer. Empty asks for none.
	Token string
	// Stateless keeps no sessions for clients of the older era, so that any process may answer any request. They cannot be
	// asked questions then and are not told of changes. Clients of the newer era need no sessions.
	Stateless bool
	// AllowedHosts are further names under which the server may be addressed, such as that of a proxy in front of it. Without
	// any, one that listens on a loopback address takes loopback names only, and others take all.
	AllowedHosts []string
	// AllowedOrigins are origins of web pages that may speak to the server, as "https://example.com". None may otherwise.
	AllowedOrigins []string
	// MaxBody bounds a request, in bytes. Zero is 4 MiB. It has 30 s to come.
	MaxBody int64
	// MaxSessions bounds the sessions of the older era; a further one takes the place of that which has been idle for the
	// longest time, and is refused if none is idle. Zero is 1,000.
	MaxSessions int
	// SessionIdle ends a session that has sent nothing for so long. Zero is 24 hours.
	SessionIdle time.Duration
	// Listening, if it is not nil, is told the address once it listens.
	Listening func(net.Addr)
}

func (o HTTPOptions) withDefaults() HTTPOptions {
	o.MaxBody, o.MaxSessions = or(o.MaxBody, mcp.DefaultMaxRequestBodyBytes), or(o.MaxSessions, 1000)
	o.SessionIdle = or(o.SessionIdle, 24*time.Hour)
	return o
}

// Handler speaks the protocol at [Path] and says "ok" at /healthz. The error names the field that is wrong. Addr and
// Listening do not count.
func (s *Server) Handler(o HTTPOptions) (http.Handler, error) {
	o = o.withDefaults()
	if o.MaxBody < 0 || o.MaxSessions < 0 || o.SessionIdle < 0 {
		return nil, errors.New("server: HTTPOptions.MaxBody, MaxSessions, SessionIdle: want 0 or more")
	}
	origins := http.NewCrossOriginProtection()
	for _, origin := range o.AllowedOrigins {
		if err := origins.AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("server: HTTPOptions.AllowedOrigins: got %q: %w", origin, err)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.Handle(Path, slow(o.allowed(origins.Handler(s.counted(gathered(s.eras(o), o.MaxBody))))))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "nothing is here; the protocol is spoken at "+Path, http.StatusNotFound)
	})
	return mux, nil
}

// allowed lets requests through that name the server rightly, come from no foreign page, and have the token.
func (o HTTPOptions) allowed(next http.Handler) http.Handler {
	want := sha256.Sum256([]byte(o.Token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !o.hostAllowed(r) {
			http.Error(w, "the server is not known by this name", http.StatusForbidden)
			return
		}
		// The protection of the standard library lets other pages read.
		if origin := r.Header.Get("Origin"); origin != "" && !slices.Contains(o.AllowedOrigins, origin) && !sameHost(origin, r.Host) {
			http.Error(w, "pages of this origin may not speak to the server", http.StatusForbidden)
			return
		}
		if o.Token != "" {
			scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
			got := sha256.Sum256([]byte(strings.TrimSpace(token)))
			if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
				w.Header().Set("WWW-Authenticate", "Bearer")
				http.Error(w, "the token is missing or wrong", http.StatusUnauthorized)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

func sameHost(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Host == host
}

// hostAllowed guards against names of others that lead here, by which foreign pages would speak to a local server.
func (o HTTPOptions) hostAllowed(r *http.Request) bool {
	name := r.Host
	if host, _, err := net.SplitHostPort(name); err == nil {
		name = host
	}
	name = strings.Trim(name, "[]")
	if slices.ContainsFunc(o.AllowedHosts, func(h string) bool { return strings.EqualFold(h, name) || strings.EqualFold(h, r.Host) }) {
		return true
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if local != nil && IsLoopback(hostOf(local.String())) {
		return IsLoopback(name)
	}
	return len(o.AllowedHosts) == 0
}

func hostOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	return host
}

// IsLoopback reports whether a host, without its port, is this machine and none other can reach it.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// eras sends requests of the newer era, which are complete in themselves, and those of the older one to their handlers.
func (s *Server) eras(o HTTPOptions) http.Handler {
	get := func(*http.Request) *mcp.Server {
		if s.isClosing() {
			return nil
		}
		return s.sdk
	}
	options := mcp.StreamableHTTPOptions{
		Stateless: true, Logger: quiet(s.options.Log), MaxRequestBodyBytes: o.MaxBody, PropagateRequestCancellation: true,
		// Hosts are checked above.
		DisableLocalhostProtection: true,
	}
	stateless := carried(mcp.NewStreamableHTTPHandler(get, &options))
	if o.Stateless {
		return stateless
	}
	withSessions := options
	withSessions.Stateless, withSessions.SessionTimeout = false, o.SessionIdle
	stateful := mcp.NewStreamableHTTPHandler(get, &withSessions)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("Mcp-Session-Id")
		switch {
		case id == "" && r.Header.Get("Mcp-Protocol-Version") >= modernEra:
			stateless.ServeHTTP(w, r)
			return
		case id == "" && r.Method == http.MethodPost && !begins(requestIn(r.Context())):
			body, _ := io.ReadAll(r.Body) // it is in memory
			refuseRequest(w, body, http.StatusBadRequest, jsonrpc.CodeInvalidRequest, noSession)
			return
		case id == "" && r.Method == http.MethodPost && !s.makeRoom(o.MaxSessions):
			http.Error(w, "there are too many sessions, and all are busy; try again later", http.StatusServiceUnavailable)
			return
		case r.Method == http.MethodDelete:
			s.deleted(id)
		}
		defer s.guests.enter(id)()
		stateful.ServeHTTP(w, r)
		if id == "" {
			s.guests.enter(w.Header().Get("Mcp-Session-Id"))() // that has just begun
		}
	})
}

// noSession answers what comes without a session and is not its beginning, as the transport of 2025-11-25 wants it.
const noSession = "there is no session: send initialize first, and then its Mcp-Session-Id with each request; " +
	"or requests of " + modernEra + " with the headers Mcp-Protocol-Version and Mcp-Method, which need none"

func begins(request *jsonrpc.Request) bool { return request != nil && request.Method == "initialize" }

// counted counts the requests that are to be answered.
func (s *Server) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			s.traffic.add(1)
			defer s.traffic.add(-1)
		}
		next.ServeHTTP(w, r)
	})
}

// carried has what a request starts end with it. The SDK does so for the newer era only.
func carried(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), carrierKey{}, r.Context())))
	})
}

// How long programs go on when a server over HTTP is to end, and how long their results may take to go out then. What stands
// behind the server has to end after that, all within 3 seconds.
const (
	shutdownGrace = 500 * time.Millisecond
	shutdownLate  = 400 * time.Millisecond
)

// ListenAndServe serves over HTTP until ctx is done; then it takes no more requests, gives programs under way half a
// second, interrupts the rest, sends the results and closes the Server, within a second. The error is why it cannot listen, or why ctx is done.
func (s *Server) ListenAndServe(ctx context.Context, o HTTPOptions) error {
	handler, err := s.Handler(o)
	if err != nil {
		return err
	}
	if host := hostOf(o.Addr); o.Token == "" && !IsLoopback(host) {
		return fmt.Errorf("server: HTTPOptions.Addr: got %q, which others can reach; want a loopback address, or a Token", o.Addr)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.Addr)
	if err != nil {
		return fmt.Errorf("server: %w", err)
	}
	if o.Listening != nil {
		o.Listening(listener.Addr())
	}
	web := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(s.options.Log.Handler(), slog.LevelWarn),
	}
	serving := scope.Open(context.WithoutCancel(ctx), scope.Options{Name: "http"})
	defer serving.Close(scope.Exit{})
	fiber := serving.Fork("serve", func(context.Context) error { return web.Serve(listener) })
	select {
	case <-fiber.Done():
		exit, _ := fiber.Await(context.Background())
		return fmt.Errorf("server: %w", exit.Err())
	case <-ctx.Done():
	}
	s.shutDown(web)
	return context.Cause(ctx)
}

// shutDown ends a web server: first what runs is given time, then streams, which do not end by themselves, are closed.
func (s *Server) shutDown(web *http.Server) {
	ctx, stop := context.WithTimeout(context.Background(), shutdownGrace)
	defer stop()
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.awaitRuns(ctx)
	late, stop := context.WithTimeout(context.Background(), shutdownLate)
	defer stop()
	if err := s.Close(late); err != nil {
		s.options.Log.Warn("not all has ended", "error", err)
	}
	if err := web.Shutdown(late); err != nil {
		_ = web.Close()
	}
}
