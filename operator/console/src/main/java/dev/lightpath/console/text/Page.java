package dev.lightpath.console.text;

import java.util.ArrayList;
import java.util.List;

/** Tables and lines below each other. */
public final class Page {
    private final List<String> lines = new ArrayList<>();

    /** Rows under headings, after an empty line; nothing without rows. */
    public Page table(List<String> columns, List<List<String>> rows) {
        if (!rows.isEmpty()) {
            gap();
            lines.addAll(Table.of(columns, rows).render().lines().toList());
        }
        return this;
    }

    /** Indented lines under a heading, after an empty line; nothing without lines. */
    public Page section(String heading, List<String> indented) {
        if (!indented.isEmpty()) {
            gap();
            lines.add(heading);
            indented.forEach(line -> lines.add("  " + line));
        }
        return this;
    }

    public Page line(String line) {
        lines.add(line);
        return this;
    }

    private void gap() {
        if (!lines.isEmpty()) {
            lines.add("");
        }
    }

    public Table text() {
        return new Table(List.of(), List.of(), lines);
    }
}
