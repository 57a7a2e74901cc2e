//go:build !windows

package client

// This file defines process groups.

import (
	"os"
	"os/exec"
	"syscall"
)

// inherited are the variables that a child gets without being asked for.
var inherited = []string{"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"}

// foldNames says whether names of variables differ in case alone.
const foldNames = false

// ownGroup makes the child the leader of a process group, which what it starts
// belongs to as well.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func interruptGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGTERM) }

func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }
