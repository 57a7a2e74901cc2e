package syntax

// Op is an operator.
type Op uint8

// The operators. Unary operators that share a sign with a binary one have their own value.
const (
	OpNone Op = iota
	OpAdd
	OpSub
	OpMul
	OpDiv
	OpMod
	OpExp
	OpShl
	OpShr
	OpUshr
	OpBitAnd
	OpBitOr
	OpBitXor
	OpEq
	OpNe
	OpStrictEq
	OpStrictNe
	OpLt
	OpLe
	OpGt
	OpGe
	OpIn
	OpInstanceof
	OpAnd
	OpOr
	OpNullish
	OpNeg
	OpPlus
	OpNot
	OpBitNot
	OpTypeof
	OpVoid
	OpDelete
	OpInc
	OpDec
)

var opText = [...]string{
	"", "+", "-", "*", "/", "%", "**", "<<", ">>", ">>>", "&", "|", "^", "==", "!=", "===", "!==", "<", "<=", ">", ">=",
	"in", "instanceof", "&&", "||", "??", "-", "+", "!", "~", "typeof", "void", "delete", "++", "--",
}

// String returns the operator's source text.
func (o Op) String() string { return opText[o] }
