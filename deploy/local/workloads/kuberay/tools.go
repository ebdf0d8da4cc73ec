//go:build tools

// Package kuberay pins the controller of RayClusters.
package kuberay

import _ "github.com/ray-project/kuberay/ray-operator"
