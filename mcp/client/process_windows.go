package client

// This file defines process trees.

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// inherited are the variables that a child gets without being asked for.
var inherited = []string{"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE",
	"PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR"}

// foldNames says whether names of variables differ in case alone.
const foldNames = true

// ownGroup keeps the console's interrupts from the child.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// interruptGroup does nothing: a process without a window cannot be asked to
// end, beyond closing its input.
func interruptGroup(*os.Process) {}

// killGroup ends the child with what it has started, as far as it is still its
// child.
func killGroup(p *os.Process) {
	if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run() != nil {
		p.Kill()
	}
}
