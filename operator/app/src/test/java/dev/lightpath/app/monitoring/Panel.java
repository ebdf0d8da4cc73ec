package dev.lightpath.app.monitoring;

import dev.lightpath.app.monitoring.Metric.Query;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One picture of a dashboard. Built step by step; then it does not change. */
final class Panel {
    enum Kind {
        STAT,
        GRAPH,
        TABLE
    }

    /** Whether a fabric with jobs and repairs always has something to show. */
    enum Data {
        ALWAYS,
        SOMETIMES
    }

    /** @param name of the column of a table, or the words of a legend */
    record Target(Query query, String name) {}

    /** From a value on. */
    record Step(double from, String colour) {}

    /** @param url with Grafana's variables in it */
    record Link(String title, String url) {}

    final Kind kind;
    final String title;
    final String description;
    final List<Target> targets = new ArrayList<>();
    final List<Step> steps = new ArrayList<>();
    final List<Link> links = new ArrayList<>();
    final List<String> runbooks = new ArrayList<>();
    final List<String> columns = new ArrayList<>();
    String unit = "short";
    Data data = Data.ALWAYS;
    int width;

    private Panel(Kind kind, String title, String description, int width) {
        this.kind = kind;
        this.title = title;
        this.description = description;
        this.width = width;
    }

    /** One figure. */
    static Panel stat(String title, String description, Query query) {
        Panel panel = new Panel(Kind.STAT, title, description, 3);
        panel.targets.add(new Target(query, ""));
        return panel;
    }

    static Panel graph(String title, String description) {
        return new Panel(Kind.GRAPH, title, description, 8);
    }

    /** Rows that are alike in these labels; each target is a column. */
    static Panel table(String title, String description, String... labels) {
        Panel panel = new Panel(Kind.TABLE, title, description, 24);
        panel.columns.addAll(List.of(labels));
        return panel;
    }

    Panel show(Query query, String name) {
        targets.add(new Target(query, name));
        return this;
    }

    Panel unit(String of) {
        unit = of;
        return this;
    }

    Panel wide(int columns) {
        width = columns;
        return this;
    }

    /** There may be nothing to show, which is no defect. */
    Panel sometimes() {
        data = Data.SOMETIMES;
        return this;
    }

    Panel warnAt(double from) {
        steps.add(new Step(from, "orange"));
        return this;
    }

    Panel alarmAt(double from) {
        steps.add(new Step(from, "red"));
        return this;
    }

    Panel runbook(String alert) {
        runbooks.add(alert);
        return this;
    }

    /** A click on a row or line leads there. */
    Panel to(Dashboard.Uid dashboard, String... labels) {
        StringBuilder url = new StringBuilder("/d/" + dashboard.uid() + "?${datasource:queryparam}");
        for (String label : labels) {
            url.append("&var-").append(label).append("=").append(clicked(label));
        }
        links.add(new Link(dashboard.title(), url + "&${__url_time_range}"));
        return this;
    }

    /**
     * A click on a row or line leads to a view of the console.
     *
     * @param view its address (docs/console.md), with %s for each label
     */
    Panel console(String view, String... labels) {
        Object[] values = Arrays.stream(labels).map(this::clicked).toArray();
        links.add(new Link("Console", GrafanaJson.CONSOLE + "/#/" + view.formatted(values)));
        return this;
    }

    private String clicked(String label) {
        if (kind == Kind.TABLE && !columns.contains(label)) {
            throw new IllegalArgumentException("the table " + title + " has no column " + label);
        }
        return "${__" + (kind == Kind.TABLE ? "data.fields." : "field.labels.") + label + "}";
    }
}
