//go:build tools

// Package program pins the helm that checks the chart.
package program

import _ "helm.sh/helm/v4/cmd/helm"
