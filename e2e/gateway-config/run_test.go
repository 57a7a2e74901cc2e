package gatewayconfig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/e2e/npm"
)

// binary builds the command line.
func binary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "codemode-under-test")
	build := exec.Command("go", "build", "-o", path, "./cmd/codemode")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// configuration is a file in the dialect of VS Code, with comments, variables and one server that does not work.
func configuration(t *testing.T) (file, folder string) {
	t.Helper()
	if err := npm.Install(".."); err != nil {
		t.Fatal(err)
	}
	modules, err := filepath.Abs(filepath.Join("..", "node_modules", ".bin"))
	if err != nil {
		t.Fatal(err)
	}
	if folder, err = filepath.EvalSymlinks(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "notes.txt"), []byte("first\nsecond\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(folder, "mcp.json")
	source := fmt.Sprintf(`{
		// what the tests use
		"servers": {
			"everything": {"type": "stdio", "command": "${env:MODULES}/mcp-server-everything", "codemode": {"include": ["echo", "get-sum", "get-env"]}},
			"files": {"command": "${MODULES}/mcp-server-filesystem", "args": [%q]},
			"memory": {"command": %q, "env": {"MEMORY_FILE_PATH": "${DATA:-%s}/memory.jsonl"}},
			"broken": {"command": "x", "env": {"TOKEN": "${CODEMODE_E2E_NOT_SET}"}},
		},
	}`, folder, modules+"/mcp-server-memory", folder)
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MODULES", modules)
	t.Setenv("E2E_SECRET", "sk-0123456789")
	return file, folder
}

const program = `
const [sum, list] = await Promise.all([tools.everything["get-sum"]({ a: 2, b: 40 }), tools.files.list_directory({ path: input.folder })]);
await tools.memory.create_entities({ entities: [{ name: "Ada", entityType: "person", observations: [] }] });
const graph = await tools.memory.read_graph({});
const env = await tools.everything["get-env"]({});
return { sum, list: list.content, names: graph.entities.map((e) => e.name), all: Object.keys(tools.everything), clean: !String(env).includes("sk-01") };
`

func TestRunOverServers(t *testing.T) {
	file, folder := configuration(t)
	path := filepath.Join(folder, "program.ts")
	if err := os.WriteFile(path, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	bin := binary(t)
	var out, errs bytes.Buffer
	run := exec.Command(bin, "run", "--config", file, "--input", fmt.Sprintf(`{"folder": %q}`, folder), path)
	run.Stdout, run.Stderr = &out, &errs
	if err := run.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	var got struct {
		Sum, List  string
		Names, All []string
		Clean      bool
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Sum != "The sum of 2 and 40 is 42." || !strings.Contains(got.List, "[FILE] notes.txt") || fmt.Sprint(got.Names) != "[Ada]" || fmt.Sprint(got.All) != "[echo get-env get-sum]" || !got.Clean {
		t.Errorf("got %s", out.String())
	}
	if _, err := os.Stat(filepath.Join(folder, "memory.jsonl")); err != nil {
		t.Error(err)
	}
	if want := `mcp.json:7: server "broken": env.TOKEN: the variable CODEMODE_E2E_NOT_SET is not set`; !strings.Contains(errs.String(), want) {
		t.Errorf("got %s, want %s", errs.String(), want)
	}

	doctor := exec.Command(bin, "doctor", "--json", "--config", file)
	text, err := doctor.Output()
	if doctor.ProcessState.ExitCode() != 1 {
		t.Errorf("doctor: got %v, want exit code 1", err)
	}
	var report struct {
		OK      bool
		Servers []struct {
			Name      string
			Reachable bool
			Tools     int
		}
		RawTokens, GivenTokens int
	}
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	if report.OK || len(report.Servers) != 4 || !report.Servers[0].Reachable || report.Servers[0].Tools != 3 || report.Servers[3].Reachable || report.GivenTokens >= report.RawTokens {
		t.Errorf("got %s", text)
	}

	for args, want := range map[string]string{"search sum of numbers": `tools.everything["get-sum"]`, "types memory": "readonly memory: {", "catalog": "COMPLETE", "catalog --tokens": "memory"} {
		text, err := exec.Command(bin, append(strings.Fields(args), "--config", file)...).Output()
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v\n%s", args, err, text)
		}
	}
}
