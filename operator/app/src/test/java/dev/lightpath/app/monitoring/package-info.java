/**
 * Dashboards, generated from what operator, driver and emulator export, and alerts: every query is built from a scrape,
 * so none can name a series or a label that is not there. {@code DashboardsTest} writes the files, {@code DashboardsIT}
 * asks a real Prometheus.
 */
package dev.lightpath.app.monitoring;
