//go:build tools

// Package kueue pins Kueue's controller.
package kueue

import _ "sigs.k8s.io/kueue/cmd/kueue"
