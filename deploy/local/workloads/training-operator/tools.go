//go:build tools

// Package trainingoperator pins the controller of PyTorchJobs and MPIJobs.
package trainingoperator

import _ "github.com/kubeflow/training-operator/cmd/training-operator.v1"
