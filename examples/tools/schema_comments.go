// Code generated from the comments of this package. DO NOT EDIT.

package main

// SchemaComments describes Issue and its fields in schemas.
func (Issue) SchemaComments() map[string]string {
	return map[string]string{
		"Issue":        "Issue is a report about a repository.",
		"Issue.Closed": "by whom, null while it is open",
	}
}

// SchemaComments describes ListIn and its fields in schemas.
func (ListIn) SchemaComments() map[string]string {
	return map[string]string{
		"ListIn":      "ListIn asks for issues.",
		"ListIn.Repo": "Repo is written owner/name.",
	}
}

// SchemaComments describes IssueIn and its fields in schemas.
func (IssueIn) SchemaComments() map[string]string {
	return map[string]string{
		"IssueIn": "IssueIn names one issue.",
	}
}

// SchemaComments describes CloseIn and its fields in schemas.
func (CloseIn) SchemaComments() map[string]string {
	return map[string]string{
		"CloseIn": "CloseIn closes an issue.",
	}
}
