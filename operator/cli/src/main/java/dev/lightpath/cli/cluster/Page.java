package dev.lightpath.cli.cluster;

import dev.lightpath.cli.Table;
import java.util.ArrayList;
import java.util.List;

/** Tables and lines below each other. */
final class Page {
    private final List<String> lines = new ArrayList<>();

    /** Rows under headings, after an empty line; nothing without rows. */
    Page table(List<String> columns, List<List<String>> rows) {
        if (!rows.isEmpty()) {
            gap();
            lines.addAll(Table.of(columns, rows).render().lines().toList());
        }
        return this;
    }

    /** Indented lines under a heading, after an empty line; nothing without lines. */
    Page section(String heading, List<String> indented) {
        if (!indented.isEmpty()) {
            gap();
            lines.add(heading);
            indented.forEach(line -> lines.add("  " + line));
        }
        return this;
    }

    Page line(String line) {
        lines.add(line);
        return this;
    }

    private void gap() {
        if (!lines.isEmpty()) {
            lines.add("");
        }
    }

    Table text() {
        return new Table(List.of(), List.of(), lines);
    }
}
