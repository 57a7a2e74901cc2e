package source

type guard struct{}

func scanBody(body string) *guard                           { return &guard{} }
func (g *guard) check(l *layout, body string) []problem     { return nil }
func explain(ps []problem, body string, g *guard) []problem { return ps }
