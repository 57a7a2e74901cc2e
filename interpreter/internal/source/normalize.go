package source

// normalize finds the program in the submitted text.
func normalize(submitted string, l *layout) (body string, notes []string) {
	return submitted, nil
}
