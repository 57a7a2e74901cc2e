package client

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
)

// Why there is no session is said without the steps of the SDK and the words of Go.
func TestWordsForNoSession(t *testing.T) {
	cause := errors.New("no such host")
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf(`calling "initialize": sending "initialize": %w`, cause), "no such host"},
		{fmt.Errorf(`calling "server/discover": %w`, io.EOF), "it ended before it answered"},
		{fmt.Errorf(`calling "tools": in the middle "calling": %w`, cause), `in the middle "calling": no such host`},
	} {
		got := unreachedFor(c.err)
		if got.Error() != c.want || !errors.Is(got, errors.Unwrap(c.err)) {
			t.Errorf("got %v, want %s", got, c.want)
		}
	}
	if err := unreachedFor(nil); err != nil {
		t.Error(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free.Close()
	_, err = Connect(t.Context(), Server{Name: "gone", URL: "http://" + free.Addr().String(), Transport: StreamableHTTP}, Callbacks{})
	if err == nil || !strings.HasPrefix(err.Error(), `mcp server "gone": http://`+free.Addr().String()+` cannot be reached: dial tcp 127.0.0.1:`) {
		t.Errorf("got %v", err)
	}
	_, err = Connect(t.Context(), Server{Name: "ends", Command: []string{"false"}}, Callbacks{})
	if err == nil || err.Error() != `mcp server "ends": it ended before it answered (exit status 1)` {
		t.Errorf("got %v", err)
	}
}
