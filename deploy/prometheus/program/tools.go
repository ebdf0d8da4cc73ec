//go:build tools

// Package program pins the Prometheus that proves dashboards and alerts.
package program

import (
	_ "github.com/prometheus/prometheus/cmd/prometheus"
	_ "github.com/prometheus/prometheus/cmd/promtool"
)
