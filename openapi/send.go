package openapi

// This file defines how requests are sent: again where the host says so, and
// after redirects.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/codemode-go/codemode/tool"
)

// Attempt is one sending of a request.
type Attempt struct {
	Operation Operation
	Number    int         // from 1
	Status    int         // 0 if there was no response
	Header    http.Header // of the response; must not be changed
	Err       error       // why there was none
}

// Retry decides after an attempt without a response of the classes 2xx and 3xx
// whether the request is sent again, and after which wait. Bodies are written
// again from the start.
type Retry func(a Attempt) (wait time.Duration, again bool)

// maxRetryWait bounds what a server may ask for with Retry-After.
const maxRetryWait = 30 * time.Second

// RetrySafe sends requests again that change nothing (GET, HEAD, OPTIONS), up to
// attempts times in all: when there was no response, and at the states 429, 502,
// 503 and 504. It waits as long as Retry-After says, up to 30 seconds, or half a
// second, doubled each time.
func RetrySafe(attempts int) Retry {
	return func(a Attempt) (time.Duration, bool) {
		switch a.Operation.Method {
		case "GET", "HEAD", "OPTIONS":
		default:
			return 0, false
		}
		switch a.Status {
		case 0, 429, 502, 503, 504:
		default:
			return 0, false
		}
		wait := time.Second / 2 << min(a.Number-1, 6)
		if asked, ok := retryAfter(a.Header, time.Now()); ok {
			wait = asked
		}
		return wait, a.Number < attempts
	}
}

// retryAfter is how long a server wants to be left alone, in seconds or until a
// date (RFC 9110, 10.2.3), within bounds. The server's own clock counts.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	value := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, int(maxRetryWait/time.Second))) * time.Second, true
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return min(max(until.Sub(now), 0), maxRetryWait), true
}

// send sends a request until there is an answer to keep.
func (p *plan) send(ctx context.Context, r *request) (*http.Response, error) {
	for number := 1; ; number++ {
		response, err := p.exchange(ctx, r)
		if ctx.Err() != nil {
			if err == nil {
				response.Body.Close()
			}
			return nil, context.Cause(ctx)
		}
		a := Attempt{Operation: p.op, Number: number, Err: err}
		if err == nil {
			a.Status, a.Header = response.StatusCode, response.Header
		}
		if p.settings.Retry == nil || err == nil && a.Status < 400 || isRefusal(err) {
			return response, err
		}
		wait, again := p.settings.Retry(a)
		if !again {
			return response, err
		}
		if err == nil {
			response.Body.Close()
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(max(wait, 0))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// refused is a failure that sending again cannot mend.
type refused struct{ error }

func isRefusal(err error) bool {
	var r refused
	return errors.As(err, &r)
}

func (r refused) Unwrap() error { return r.error }

// maxRedirects is how many redirects are followed, as browsers' clients do.
const maxRedirects = 10

// exchange sends a request and follows redirects. Within the origin a redirect is
// followed as the method allows; to another origin only where nothing is changed
// there, and without anything of the host's or the program's but the address.
func (p *plan) exchange(ctx context.Context, r *request) (*http.Response, error) {
	req, err := r.build(ctx)
	if err != nil {
		return nil, p.unopened(err)
	}
	home, away := originOf(req.URL), false
	for range maxRedirects + 1 {
		response, err := p.settings.Transport.RoundTrip(req)
		if err != nil {
			return nil, p.unreachable(ctx, err)
		}
		target := redirect(req, response)
		if target == nil {
			return response, nil
		}
		drain(response)
		away = away || originOf(target) != home
		req, err = p.next(ctx, r, req, response.StatusCode, target, away)
		if err != nil {
			return nil, err
		}
	}
	return nil, refused{tool.Errorf("%s was redirected more than %d times", p.op, maxRedirects)}
}

// unreachable words the failure of a transport. Its text may have addresses of
// the host's network, so only the kind is told.
func (p *plan) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if wrong, ok := errors.AsType[*fileError](err); ok {
		return refused{&tool.Error{Message: fmt.Sprintf("%s was not sent as a whole: %s", p.op, wrong.text), Err: err}}
	}
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) && timeout.Timeout() {
		return &tool.Error{Message: fmt.Sprintf("%s: the server did not answer in time", p.op), Err: err}
	}
	return &tool.Error{Message: fmt.Sprintf("%s: the server could not be reached", p.op), Err: err}
}

// redirect is where a response leads, or nil.
func redirect(req *http.Request, response *http.Response) *url.URL {
	switch response.StatusCode {
	case 301, 302, 303, 307, 308:
	default:
		return nil
	}
	location := response.Header.Get("Location")
	if location == "" {
		return nil
	}
	target, err := req.URL.Parse(location)
	if err != nil || target.Scheme != "http" && target.Scheme != "https" || target.Host == "" {
		return nil
	}
	return target
}

// next is the request after a redirect.
func (p *plan) next(ctx context.Context, r *request, req *http.Request, status int, target *url.URL, away bool) (*http.Request, error) {
	safe := req.Method == "GET" || req.Method == "HEAD"
	switch {
	case req.URL.Scheme == "https" && target.Scheme == "http":
		return nil, refused{tool.Errorf("%s was redirected to an address without encryption, which is not followed", p.op)}
	case away && (!safe || req.Body != nil):
		return nil, refused{tool.Errorf("%s was redirected to another origin, which is not followed: it would get the data of the request", p.op)}
	case !safe && (status == 301 || status == 302):
		return nil, refused{tool.Errorf("%s was redirected (HTTP %d) so that its method would be lost; that is not followed", p.op, status)}
	}
	next := (&http.Request{Method: req.Method, URL: target, Host: target.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}).WithContext(ctx)
	next.URL.User = nil
	if away {
		next.Header = http.Header{"Accept": {p.accept}, "User-Agent": {userAgent}}
		return next, nil
	}
	next.Header = req.Header.Clone()
	if !safe && status == 303 {
		next.Method = "GET"
		next.Header.Del("Content-Type")
		return next, nil
	}
	if req.Body == nil { // it was lost on the way here
		return next, nil
	}
	if err := r.open(next); err != nil {
		return nil, p.unopened(err)
	}
	return next, nil
}

// unopened words that the body could not be opened.
func (p *plan) unopened(err error) error {
	if wrong, ok := errors.AsType[*fileError](err); ok {
		return refused{&tool.Error{Message: fmt.Sprintf("%s was not sent: %s", p.op, wrong.text), Err: err}}
	}
	return refused{&tool.Error{Message: fmt.Sprintf("%s was not sent: the host could not make the request", p.op), Err: err}}
}

// drain reads a little of what nobody wants, so that the connection can be used
// again.
func drain(response *http.Response) {
	io.CopyN(io.Discard, response.Body, 4<<10)
	response.Body.Close()
}
