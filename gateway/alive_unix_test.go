//go:build !windows

package gateway

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// alive reports whether a process is there and not only its end is not asked for.
func alive(p *os.Process) bool {
	if p.Signal(syscall.Signal(0)) != nil {
		return false
	}
	text, err := os.ReadFile("/proc/" + strconv.Itoa(p.Pid) + "/stat")
	return err != nil || !strings.Contains(string(text), ") Z ")
}
