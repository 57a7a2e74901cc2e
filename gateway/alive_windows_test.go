package gateway

import "os"

// alive reports whether a process is there: here a process that is not cannot be found.
func alive(*os.Process) bool { return true }
