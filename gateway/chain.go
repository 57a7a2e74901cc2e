package gateway

// This file defines how a gateway finds out that it was started by itself, through whatever wrapper.

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// chainVariable has the marks of the gateways that a process was started by, separated by commas.
const chainVariable = "CODEMODE_GATEWAY"

// chainOf is the value of the variable for the servers of files. The error says that a gateway of the same files is
// among those that started this process: it would start itself for ever.
func chainOf(files []string) (string, error) {
	if len(files) == 0 {
		return os.Getenv(chainVariable), nil
	}
	hash := sha256.New()
	for _, file := range files {
		if full, err := filepath.Abs(file); err == nil {
			file = full
		}
		hash.Write([]byte(file + "\x00"))
	}
	mark := hex.EncodeToString(hash.Sum(nil)[:8])
	var marks []string
	if earlier := os.Getenv(chainVariable); earlier != "" {
		marks = strings.Split(earlier, ",")
	}
	if slices.Contains(marks, mark) {
		return "", errors.New("gateway: this process was started as a server of the very configuration it is to run; take the entry that starts it out of " + strings.Join(files, ", "))
	}
	return strings.Join(append(marks, mark), ","), nil
}
