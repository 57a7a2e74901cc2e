package config

// This file defines inputs: values that a file has a person asked for.

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// input is the value of an input; a person is asked once for each of a file.
func (m *merger) input(declared *node, file, id string) (string, error) {
	key := file + "\x00" + id
	if a, known := m.inputs[key]; known {
		return a.value, a.err
	}
	value, err := m.ask(declared, id)
	if m.inputs == nil {
		m.inputs = map[string]answer{}
	}
	m.inputs[key] = answer{value, err}
	return value, err
}

func (m *merger) ask(declared *node, id string) (string, error) {
	input, known, err := declaration(declared, id)
	if err != nil {
		return "", err
	}
	if value, set := m.options.Lookup(inputVariable(id)); set {
		return input.check(value)
	}
	if m.options.Prompt != nil {
		value, err := m.options.Prompt(input)
		if err != nil {
			return "", fmt.Errorf("the input %s was asked for: %w", id, err)
		}
		return input.check(value)
	}
	if input.Default != "" {
		return input.Default, nil
	}
	if !known {
		return "", fmt.Errorf("the file does not declare the input %s, and there is nobody to ask for it; declare it in inputs, or set the variable %s", id, inputVariable(id))
	}
	return "", fmt.Errorf("there is nobody to ask for the input %s; set the variable %s", id, inputVariable(id))
}

func (i Input) check(value string) (string, error) {
	if i.Choices != nil && !slices.Contains(i.Choices, value) {
		return "", fmt.Errorf("the value of the input %s is none of its options: %s", i.ID, strings.Join(i.Choices, ", "))
	}
	return value, nil
}

// inputVariable is the variable that has the value of an input for those who cannot be asked.
func inputVariable(id string) string {
	return "CODEMODE_INPUT_" + strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, id)
}

// declaration finds the input of an id. One that is not declared is asked for all the same, as a password.
func declaration(declared *node, id string) (i Input, known bool, err error) {
	if id == "" {
		return Input{}, false, errors.New("${input:} has no id")
	}
	if declared.is(array) {
		for _, n := range declared.items {
			if n.get("id").is(text) && n.get("id").text == id {
				i, err = inputOf(id, n)
				return i, true, err
			}
		}
	}
	return Input{ID: id, Password: true}, false, nil
}

func inputOf(id string, n *node) (Input, error) {
	i := Input{ID: id}
	word := func(key string) string {
		if v := n.get(key); v != nil {
			return v.text
		}
		return ""
	}
	i.Description, i.Default, i.Password = word("description"), word("default"), word("password") == "true"
	switch word("type") {
	case "", "promptString":
	case "pickString":
		i.Choices = []string{}
		if options := n.get("options"); options.is(array) {
			for _, o := range options.items {
				if v := o.get("value"); v != nil {
					o = v
				}
				i.Choices = append(i.Choices, o.text)
			}
		}
	default:
		return i, fmt.Errorf("the input %s is of the type %s, which only its own client has", id, word("type"))
	}
	return i, nil
}
