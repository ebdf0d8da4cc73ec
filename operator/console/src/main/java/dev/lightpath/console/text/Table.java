package dev.lightpath.console.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Rows under column headings, with lines of text around them.
 *
 * @param columns headings, may be empty
 * @param rows one list of cells a row, as many as there are columns
 * @param notes lines printed below the rows
 */
public record Table(List<String> columns, List<List<String>> rows, List<String> notes) {
    public Table {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        notes = List.copyOf(notes);
        for (List<String> row : rows) {
            if (!columns.isEmpty() && row.size() != columns.size()) {
                throw new IllegalArgumentException("row " + row + " does not fit the columns " + columns);
            }
        }
    }

    /** Rows under headings and nothing else. */
    public static Table of(List<String> columns, List<List<String>> rows) {
        return new Table(columns, rows, List.of());
    }

    /** Name and value, one pair a line: the form for a single result. */
    public static Table facts(Object... namesAndValues) {
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i + 1 < namesAndValues.length; i += 2) {
            rows.add(List.of(String.valueOf(namesAndValues[i]), cell(namesAndValues[i + 1])));
        }
        return new Table(List.of(), rows, List.of());
    }

    public Table withNotes(List<String> lines) {
        return new Table(columns, rows, lines);
    }

    /** How a value looks in a cell: six significant digits for a floating-point number. */
    public static String cell(Object value) {
        return switch (value) {
            case Double d when !Double.isFinite(d) -> d.toString();
            case Double d when d == Math.rint(d) && Math.abs(d) < 1e9 -> String.format(Locale.ROOT, "%.0f", d);
            case Double d -> String.format(Locale.ROOT, "%.6g", d);
            default -> value.toString();
        };
    }

    /** A decimal of a status, with six significant digits at most. */
    public static String decimal(String text) {
        BigDecimal exact = new BigDecimal(text);
        BigDecimal rounded = exact.round(new MathContext(6));
        return rounded.equals(exact) ? text : rounded.stripTrailingZeros().toPlainString();
    }

    /** Left-aligned text, columns two spaces apart, every line ended. */
    public String render() {
        List<List<String>> lines = new ArrayList<>();
        if (!columns.isEmpty()) {
            lines.add(columns);
        }
        lines.addAll(rows);
        int width = lines.stream().mapToInt(List::size).max().orElse(0);
        int[] widths = new int[width];
        for (List<String> line : lines) {
            for (int i = 0; i < line.size(); i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < line.size(); i++) {
                row.append(line.get(i));
                if (i + 1 < line.size()) {
                    row.repeat(' ', widths[i] - line.get(i).length() + 2);
                }
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        notes.forEach(note -> text.append(note).append('\n'));
        return text.toString();
    }
}
