package client

// This file defines tests of questions as servers should not ask them.

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
)

const newHandshake = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}`

// asker asks a question with some params in each call, at either era. The answer
// is the call's result.
func asker(version string, params *string) *fake {
	f := &fake{tools: named("ask"), on: map[string]func(*talk, message){}}
	if version == newest {
		f.on[methodDiscover] = answers(newHandshake)
		f.on[methodList] = answers(`{"resultType":"complete","tools":[` + named("ask") + `]}`)
		f.on[methodCall] = func(t *talk, m message) {
			if answer := member(member(m.params, "inputResponses"), "q"); answer != nil {
				t.reply(m, `{"resultType":"complete","structuredContent":`+data.JSON(answer)+`}`)
				return
			}
			t.reply(m, `{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"elicitation/create","params":`+*params+`}}}`)
		}
		return f
	}
	f.on[methodCall] = func(t *talk, m message) {
		t.send(`{"jsonrpc":"2.0","id":"for ` + m.id + `","method":"elicitation/create","params":` + *params + `}`)
	}
	f.on[""] = func(t *talk, m message) { // the answer
		answer := m.answer
		if answer == nil {
			answer = m.whole
		}
		t.reply(message{id: strings.TrimSuffix(strings.TrimPrefix(m.id, `"for `), `"`)}, `{"structuredContent":`+data.JSON(answer)+`}`)
	}
	return f
}

func accepting(content string) func(context.Context, Elicitation) (Answer, error) {
	return func(context.Context, Elicitation) (Answer, error) {
		v, err := data.ParseString(content)
		o, _ := v.(*data.Object)
		return Answer{Action: Accept, Content: o}, err
	}
}

// Schemas that lead to themselves or to others would send a validator in circles
// until the stack of the process is used up.
func TestQuestionsThatAreNoForm(t *testing.T) {
	schemas := map[string]string{
		"itself":       `{"$ref":"#"}`,
		"part":         `{"type":"object","allOf":[{"$ref":"#"}]}`,
		"dynamic":      `{"type":"object","$dynamicRef":"#"}`,
		"field":        `{"type":"object","properties":{"a":{"$ref":"#"}}}`,
		"nested":       `{"type":"object","properties":{"a":{"type":"object","properties":{}}}}`,
		"fields":       `{"type":"object","properties":{"a":{"type":"string","properties":{"b":{}}}}}`,
		"list of all":  `{"type":"object","properties":{"a":{"type":"array","items":{"$ref":"#"}}}}`,
		"list of list": `{"type":"object","properties":{"a":{"type":"array","items":{"type":"array","items":{"type":"string"}}}}}`,
		"choice":       `{"type":"object","properties":{"a":{"oneOf":[{"$ref":"#"}]}}}`,
		"no object":    `{"type":"string"}`,
		"boolean":      `true`,
	}
	for _, version := range []string{legacy, newest} {
		params := ""
		c := connected(t, asker(version, &params).over(), Callbacks{Elicit: func(context.Context, Elicitation) (Answer, error) {
			t.Errorf("%s: a person is asked with %s", version, params)
			return Answer{Action: Decline}, nil
		}})
		p := program(t, c)
		for name, schema := range schemas {
			params = `{"mode":"form","message":"?","requestedSchema":` + schema + `}`
			o := p.Call("fake.ask")
			if version == newest {
				mustSay(t, fmt.Sprint(name, o.Failure), "MCP server fake: ask asked a question that was not answered")
			} else if code := member(member(o.Value, "error"), "code"); code == nil || data.JSON(code) != "-32602" {
				t.Errorf("%s: the server got %v, %v", name, o.Value, o.Failure)
			}
		}
		mustSay(t, troubles(c), "a question of the server was not answered: the schema of the form has $ref", "has allOf, and a form is flat",
			`the field "a" of the form has no type`, "does not describe an object", "is no object")
	}
}

// What is not flat hides behind keywords that a form does not have; they are not
// followed.
func TestFormsKeepWhatFormsMayHave(t *testing.T) {
	params := `{"message":"?","requestedSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{
		"z":{"type":"string","minLength":2,"$ref":"#","not":{"$ref":"#"},"title":"Z"},
		"a":{"type":"integer","default":12345678901234567890},
		"pick":{"type":"string","oneOf":[{"const":"x","title":"X","allOf":[{"$ref":"#"}]}]},
		"many":{"type":"array","items":{"anyOf":[{"const":"u","title":"U"}]}}},"required":["z"],"patternProperties":{"":{"$ref":"#"}}}}`
	params = strings.NewReplacer("\n", "", "\t", "").Replace(params)
	want := `{"type":"object","properties":{"z":{"type":"string","title":"Z","minLength":2},"a":{"type":"integer","default":12345678901234567890},` +
		`"pick":{"type":"string","oneOf":[{"const":"x","title":"X"}]},"many":{"type":"array","items":{"anyOf":[{"const":"u","title":"U"}]}}},"required":["z"]}`
	for _, version := range []string{legacy, newest} {
		content := ""
		c := connected(t, asker(version, &params).over(), Callbacks{Elicit: func(ctx context.Context, e Elicitation) (Answer, error) {
			if got := data.JSON(e.Schema.Document()); got != want {
				t.Errorf("the person is asked with %s", got)
			}
			return accepting(content)(ctx, e)
		}})
		p := program(t, c)
		for _, step := range []struct{ content, want string }{
			{`{"z":"no","many":["u"]}`, `{"action":"accept","content":{"a":12345678901234567890,"many":["u"],"z":"no"}}`},
			{`{"a":-12345678901234567891,"z":"no"}`, `{"action":"accept","content":{"a":-12345678901234567891,"z":"no"}}`},
		} {
			content = step.content
			if o := p.Call("fake.ask"); o.Failure != nil || data.JSON(o.Value) != step.want {
				t.Errorf("%s: the server got %v, %v, want %s", version, o.Value, o.Failure, step.want)
			}
		}
		for _, content = range []string{`{"z":"n"}`, `{}`, `null`, `{"z":"no","pick":"y"}`, `{"z":"no","many":["v"]}`} {
			o := p.Call("fake.ask")
			got := fmt.Sprint(o.Failure)
			if o.Value != nil {
				got = data.JSON(o.Value)
			}
			if strings.Contains(got, `"accept"`) || !strings.Contains(got, "not answered") || version == legacy && !strings.Contains(got, `"code":-32603`) {
				t.Errorf("%s: %s is sent: %s", version, content, got)
			}
		}
		mustSay(t, troubles(c), "the answer does not fit the form: ", "content.z: ")
	}
}

func TestQuestionsOfOddForm(t *testing.T) {
	params := ""
	var asked Elicitation
	c := connected(t, asker(legacy, &params).over(), Callbacks{ElicitURL: true, Elicit: func(_ context.Context, e Elicitation) (Answer, error) {
		asked = e
		return Answer{Action: Accept}, nil
	}})
	p := program(t, c)
	for _, step := range []struct{ params, url, refused string }{
		{`[]`, "", "the params are no object"},
		{`{"message":5}`, "", ""},
		{`{"mode":"weird","message":"x"}`, "", `unknown mode "weird"`},
		{`{"mode":"url","message":"x"}`, "", "the address to open is missing"},
		{`{"mode":"form","url":"https://x.example"}`, "", "a form has no url"},
		{`{"mode":"url","url":"https://x.example","elicitationId":"1","message":"x"}`, "https://x.example", ""},
	} {
		params, asked = step.params, Elicitation{}
		o := p.Call("fake.ask")
		if step.refused != "" {
			mustSay(t, data.JSON(o.Value), "error", data.JSON(data.String(step.refused)))
			mustSay(t, troubles(c), step.refused)
			continue
		}
		if asked.URL != step.url || asked.Server != "fake" || (asked.Schema == nil) != (step.url != "") || text(o.Value, "action") != "accept" {
			t.Errorf("%s: %+v, %v", step.params, asked, o.Value)
		}
	}
	without := connected(t, asker(legacy, &params).over(), Callbacks{Elicit: accepting(`{}`)})
	mustSay(t, data.JSON(program(t, without).Call("fake.ask").Value), "were not offered")
	none := connected(t, asker(legacy, &params).over(), Callbacks{})
	program(t, none).Call("fake.ask")
	mustSay(t, troubles(none), "it asks by elicitation/create, which it was not offered")
}

// Of six hundred questions in one call, those within the bound come to a person,
// each with its form, and the others are refused at once: none waits for its turn
// while the clocks stand.
func TestAFloodOfQuestions(t *testing.T) {
	const flood = 600
	synctest.Test(t, func(t *testing.T) {
		f := &fake{tools: named("ask"), calls: map[string]func(*talk, message){"ask": func(t *talk, m message) {
			for i := range flood {
				t.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"q%d","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}}`, i))
			}
			time.AfterFunc(time.Minute, func() { t.reply(m, `{}`) })
		}}}
		var asked, answered, refused, late atomic.Int32
		f.on = map[string]func(*talk, message){"": func(_ *talk, m message) {
			if e := member(m.whole, "error"); e != nil {
				if data.JSON(member(e, "code")) != "-32603" || !strings.Contains(text(e, "message"), "more than 256 questions of the server are open") {
					t.Errorf("the server got %s", data.JSON(e))
				}
				if refused.Add(1); answered.Load() > 0 {
					late.Add(1)
				}
			}
		}}
		c, err := Connect(t.Context(), f.over(), Callbacks{Elicit: func(ctx context.Context, e Elicitation) (Answer, error) {
			asked.Add(1)
			if len(e.Schema.Properties()) != 1 {
				t.Errorf("the form is %v", e.Schema.Document())
			}
			time.Sleep(time.Second)
			answered.Add(1)
			return Answer{Action: Decline}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer closeClient(t, c)
		if _, err := c.call(t.Context(), c.listing.tools[0], nil); err != nil {
			t.Error(err)
		}
		if asked.Load() != maxAsks || refused.Load() != flood-maxAsks || late.Load() != 0 {
			t.Errorf("%d were asked, %d refused, %d of them late", asked.Load(), refused.Load(), late.Load())
		}
		mustSay(t, troubles(c), "more than 256 questions of the server are open (344 times)")
		if n := c.asking.open.Load(); n != 0 || len(c.session.wire.asks) != 0 {
			t.Errorf("%d questions are open, %d kept", n, len(c.session.wire.asks))
		}
	})
}

// A tool of the newest protocol that asks without end.
func TestQuestionsWithoutEnd(t *testing.T) {
	calls := 0
	f := asker(newest, nil)
	f.on[methodCall] = func(t *talk, m message) {
		calls++
		t.reply(m, `{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"again?"}}}}`)
	}
	c := connected(t, f.over(), Callbacks{Elicit: accepting(`{}`)})
	mustSay(t, program(t, c).Fails(diagnostics.ToolFailure, "fake.ask"),
		fmt.Sprintf("MCP server fake: ask asked for input %d times without coming to an end; it was given up, and may have done some of its work", calls))
	if calls < 2 || len(c.session.wire.asks) != 0 {
		t.Errorf("%d calls, %d questions kept", calls, len(c.session.wire.asks))
	}
}
