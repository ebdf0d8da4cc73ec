//go:build tools

// Package lws pins the controller of LeaderWorkerSets.
package lws

import _ "sigs.k8s.io/lws/cmd"
