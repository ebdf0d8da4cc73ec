//go:build tools

// Package trainer pins the controller of TrainJobs.
package trainer

import _ "github.com/kubeflow/trainer/v2/cmd/trainer-controller-manager"
