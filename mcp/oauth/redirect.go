package oauth

// This file defines where the browser brings the answer: a listener on this machine, or what a person pastes.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/codemode-go/codemode/scope"
)

// redirect is the address that the browser is sent to in the end.
type redirect struct {
	address   string
	path      string
	listeners []net.Listener
	outcome   chan bool // whether there is a token
	once      sync.Once
	scope     *scope.Scope
	server    *http.Server
}

// callback is the path of our own addresses.
const callback = "/callback"

// listen makes the place for the answer. It takes the port of the last login if that is free, since the client may have
// been registered with it (RFC 8252 §7.3 lets any port be; not all servers do).
func (l *login) listen() (*redirect, error) {
	r := &redirect{outcome: make(chan bool, 1), path: callback}
	if l.RedirectURL != "" {
		return r, r.listenAt(l.RedirectURL, l.options.Paste != nil)
	}
	if l.earlier != nil && l.earlier.Client.RedirectURL != "" && l.ClientID == "" {
		if u, err := url.Parse(l.earlier.Client.RedirectURL); err == nil && u.Hostname() == "127.0.0.1" && u.Path == callback {
			if ln, err := net.Listen("tcp", u.Host); err == nil {
				r.address, r.listeners = l.earlier.Client.RedirectURL, []net.Listener{ln}
				return r, nil
			}
		}
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("there is no port for the answer: %w", err)
	}
	r.address, r.listeners = "http://"+ln.Addr().String()+callback, []net.Listener{ln}
	return r, nil
}

// listenAt makes the place that is configured.
func (r *redirect) listenAt(address string, canPaste bool) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Fragment != "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("the redirect address is %q, want an absolute http or https address", clip(address, 200))
	}
	r.address, r.path = address, u.Path
	if u.Scheme != "http" || !isLoopback(u.Hostname()) {
		if canPaste {
			return nil
		}
		return fmt.Errorf("the redirect address %s is not on this machine: use --no-browser, and paste the address that the browser was sent to", address)
	}
	port := u.Port()
	if port == "" {
		port = "80"
	}
	hosts := []string{u.Hostname()}
	if strings.EqualFold(u.Hostname(), "localhost") { // which the browser looks up as it likes
		hosts = []string{"127.0.0.1", "::1"}
	}
	for _, host := range hosts {
		ln, listening := net.Listen("tcp", net.JoinHostPort(host, port))
		if listening == nil {
			r.listeners = append(r.listeners, ln)
		} else if err == nil {
			err = listening
		}
	}
	if len(r.listeners) == 0 {
		return fmt.Errorf("the redirect address %s cannot be listened to: %w", address, err)
	}
	return nil
}

// serve waits for the browser. take is given each answer and says whether it is the first.
func (r *redirect) serve(take func(*answer) bool) {
	if len(r.listeners) == 0 {
		return
	}
	r.server = &http.Server{ReadHeaderTimeout: requestTimeout, MaxHeaderBytes: 64 << 10, Handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.handle(w, q, take)
	})}
	r.scope = scope.Open(context.Background(), scope.Options{Name: "redirect", Grace: linger})
	for _, ln := range r.listeners {
		r.scope.Fork("listen", func(context.Context) error {
			if err := r.server.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		})
	}
}

// linger is how long the browser has to read the page about the outcome.
const linger = 2 * time.Second

func (r *redirect) handle(w http.ResponseWriter, q *http.Request, take func(*answer) bool) {
	a := answerOf(q.URL.Query())
	if q.Method != http.MethodGet || q.URL.Path != r.path && r.path+q.URL.Path != "/" || a.code == "" && a.refusal == "" {
		http.NotFound(w, q)
		return
	}
	page := "This sign-in has been answered already."
	if take(a) {
		select {
		case signedIn := <-r.outcome:
			page = "The sign-in did not succeed. The terminal says why."
			if signedIn {
				page = "Signed in. This page can be closed."
			}
		case <-q.Context().Done():
			return
		}
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", "default-src 'none'")
	h.Set("Connection", "close")
	io.WriteString(w, "<!doctype html><title>codemode</title><p>"+page+"</p>")
}

// tell tells the browser how it went.
func (r *redirect) tell(signedIn bool) {
	r.once.Do(func() { r.outcome <- signedIn })
}

func (r *redirect) close() {
	r.tell(false)
	if r.server == nil {
		for _, ln := range r.listeners {
			ln.Close()
		}
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), linger)
	defer cancel()
	_ = r.server.Shutdown(ctx)
	_ = r.server.Close()
	r.scope.Close(scope.Exit{})
}

func answerOf(q url.Values) *answer {
	a := &answer{code: q.Get("code"), state: q.Get("state"), issuer: q.Get("iss")}
	if code := q.Get("error"); code != "" {
		a.code, a.refusal = "", refusal(code, q.Get("error_description"))
	}
	return a
}

// pasted reads an address with the answer in its query, such a query, or a code. The latter two are taken from a person
// who looked at what they copied.
func pasted(text string) *answer {
	text = strings.TrimSpace(text)
	query := text
	if _, after, found := strings.Cut(text, "?"); found {
		query, _, _ = strings.Cut(after, "#")
	} else if strings.Contains(text, "://") {
		return &answer{pasted: true}
	}
	if q, err := url.ParseQuery(query); err == nil && (q.Get("code") != "" || q.Get("error") != "") {
		return answerOf(q)
	}
	if strings.ContainsAny(text, " \t?&") {
		text = ""
	}
	return &answer{code: text, pasted: true}
}
