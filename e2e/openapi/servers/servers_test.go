package servers

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
)

// freePort is a port that nobody listened on a moment ago.
func freePort(t *testing.T) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// start runs a server until the test ends, and waits until url answers.
func start(t *testing.T, url string, cmd *exec.Cmd) {
	t.Helper()
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("the server said:\n%s", log.String())
		}
	})
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		response, err := http.Get(url)
		if err == nil {
			response.Body.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server does not answer: %v", err)
		}
	}
}

// execute runs a program and returns its value as JSON.
func execute(t *testing.T, tree tool.Tree, src string, input any) string {
	t.Helper()
	rt, err := codemode.New(codemode.Options{Tools: tree})
	if err != nil {
		t.Fatal(err)
	}
	v, err := data.From(input)
	if err != nil {
		t.Fatal(err)
	}
	r, err := rt.ExecuteWith(context.Background(), src, codemode.ExecOptions{Input: v})
	if err != nil {
		t.Fatal(err)
	}
	if r.Error != nil {
		t.Fatalf("%s: %s", r.Error.Kind, r.Error.Message)
	}
	return data.JSON(r.Value)
}

// A program lists, copies and stores files through rclone, which wants a login
// that its document does not mention.
func TestRclone(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"in/a.txt": "alpha", "in/b.txt": "beta!", "in/sub/c.txt": "c"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	start(t, "http://"+address, exec.Command("rclone", "rcd", "--config", filepath.Join(dir, "rclone.conf"), "--rc-addr", address, "--rc-user", "user", "--rc-pass", "pass word"))
	login := openapi.Basic("user", "pass word")
	load := func(c *openapi.Credential) tool.Tree {
		tree, skipped, err := openapi.Load(fixture.Text("openapi/rclone-1.75.openapi.json"), openapi.Options{BaseURL: "http://" + address, Undeclared: c})
		if err != nil || len(skipped) > 0 {
			t.Fatal(err, skipped)
		}
		return tool.Tree{"rclone": tree}
	}
	got := execute(t, load(&login), `
		const { list } = await tools.rclone.operationsList({ fs: input.dir, remote: "in", opt: '{"recurse":true}' });
		const files = list.filter((f) => !f.IsDir).map((f) => f.Name + " " + f.Size).sort();
		await Promise.all(["a.txt", "b.txt"].map((name) => tools.rclone.operationsCopyfile({ srcFs: input.dir + "/in", srcRemote: name, dstFs: input.dir + "/out", dstRemote: "copy of " + name })));
		const { count, bytes } = await tools.rclone.operationsSize({ fs: input.dir + "/out" });
		let refused = "";
		try { await tools.rclone.operationsDeletefile({ fs: input.dir, remote: "nothing" }); } catch (e) { refused = e.kind + ": " + e.message; }
		return { files, count, bytes, refused: refused.includes("answered 404") || refused.includes("answered 500") ? "yes" : refused };
	`, map[string]string{"dir": dir})
	if want := `{"files":["a.txt 5","b.txt 5","c.txt 1"],"count":2,"bytes":10,"refused":"yes"}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if content, err := os.ReadFile(filepath.Join(dir, "out", "copy of a.txt")); err != nil || string(content) != "alpha" {
		t.Errorf("the copy is %q, %v", content, err)
	}
	got = execute(t, load(nil), `try { await tools.rclone.coreVersion({}); return "let in" } catch (e) { return e.message }`, nil)
	if !strings.HasPrefix(got, `"POST /core/version answered 401 Unauthorized`) {
		t.Errorf("got %s", got)
	}
}

const key = "a-long-api-key"

// powerDNS starts a server and returns the address of its API.
func powerDNS(t *testing.T) string {
	dir := t.TempDir()
	database := filepath.Join(dir, "pdns.sqlite3")
	schema, err := os.ReadFile("/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql")
	if err != nil {
		t.Fatal(err)
	}
	make := exec.Command("sqlite3", database)
	make.Stdin = bytes.NewReader(schema)
	if out, err := make.CombinedOutput(); err != nil {
		t.Fatalf("sqlite3: %v\n%s", err, out)
	}
	port := freePort(t)
	settings := fmt.Sprintf(`launch=gsqlite3
gsqlite3-database=%s
local-address=127.0.0.1
local-port=%d
api=yes
api-key=%s
webserver=yes
webserver-address=127.0.0.1
webserver-port=%d
webserver-allow-from=127.0.0.1
socket-dir=%s
`, database, freePort(t), key, port, dir)
	if err := os.WriteFile(filepath.Join(dir, "pdns.conf"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	url := fmt.Sprintf("http://127.0.0.1:%d", port)
	start(t, url, exec.Command("pdns_server", "--config-dir="+dir, "--guardian=no", "--daemon=no", "--disable-syslog"))
	return url
}

// One program creates a zone, reads it, changes it and deletes it, by the Swagger
// document that the server itself has.
func TestPowerDNS(t *testing.T) {
	url := powerDNS(t)
	for name, document := range map[string][]byte{"served": served(t, url+"/api/docs"), "fixture": fixture.Text("openapi/powerdns-4.7.swagger.yaml")} {
		tree, skipped, err := openapi.Load(document, openapi.Options{DocumentURL: url + "/api/docs", Credentials: openapi.Static(map[string]openapi.Credential{"APIKeyHeader": openapi.APIKey(key)})})
		if err != nil || len(skipped) > 0 {
			t.Fatal(err, skipped)
		}
		got := execute(t, tool.Tree{"dns": tree}, `
			const server_id = "localhost", zone_id = "example.org.";
			const before = await tools.dns.listZones({ server_id });
			const zone = { body: { name: zone_id, kind: "Native", nameservers: ["ns1.example.org."] } };
			const created = await tools.dns.createZone({ server_id, ...zone });
			const record = (ttl, content) => ({ rrsets: [{ name: "www.example.org.", type: "A", ttl, changetype: "REPLACE", records: [{ content, disabled: false }] }] });
			const changed = await tools.dns.patchZone({ server_id, zone_id, body: record(60, "192.0.2.1") });
			await tools.dns.patchZone({ server_id, zone_id, body: record(120, "192.0.2.2") });
			const read = await tools.dns.listZone({ server_id, zone_id });
			const www = read.rrsets.find((r) => r.type === "A");
			const found = await tools.dns.searchData({ server_id, q: "*www*", max: 10 });
			let refused = "";
			try { await tools.dns.createZone({ server_id, ...zone }); } catch (e) { refused = e.message; }
			const deleted = await tools.dns.deleteZone({ server_id, zone_id });
			let gone = "";
			try { await tools.dns.listZone({ server_id, zone_id }); } catch (e) { gone = e.message; }
			return { before, created: created.name, changed, ttl: www.ttl, address: www.records[0].content, found: found.length, refused: refused.slice(0, 55), deleted, gone: gone.slice(0, 57) };
		`, nil)
		want := `{"before":[],"created":"example.org.","changed":null,"ttl":120,"address":"192.0.2.2","found":1,"refused":"POST /servers/{server_id}/zones answered 409 Conflict: ","deleted":null,"gone":"GET /servers/{server_id}/zones/{zone_id} answered 404 Not"}`
		if got != want {
			t.Errorf("%s: got  %s\nwant %s", name, got, want)
		}
	}
}

// A wrong key is told without the key.
func TestPowerDNSWithAWrongKey(t *testing.T) {
	url := powerDNS(t)
	tree, _, err := openapi.Load(fixture.Text("openapi/powerdns-4.7.swagger.yaml"), openapi.Options{BaseURL: url + "/api/v1", Credentials: openapi.Static(map[string]openapi.Credential{"APIKeyHeader": openapi.APIKey("another-key")})})
	if err != nil {
		t.Fatal(err)
	}
	got := execute(t, tree, `try { return await tools.listServers({}) } catch (e) { return e.message }`, nil)
	if !strings.HasPrefix(got, `"GET /servers answered 401 Unauthorized`) || strings.Contains(got, "another-key") {
		t.Errorf("got %s", got)
	}
}

func served(t *testing.T, url string) []byte {
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-API-Key", key)
	request.Header.Set("Accept", "application/x-yaml")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != 200 {
		t.Fatal(err, response.Status, string(text))
	}
	return text
}
