//go:build tools

// Package program pins what judges the bundle: the validation of the Operator Framework.
package program

import _ "github.com/operator-framework/api/cmd/operator-verify"
