package server_test

const childMode = "CODEMODE_TEST_CHILD"

func child() {}
