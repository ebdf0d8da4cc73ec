package dev.lightpath.studies;

import java.util.List;
import java.util.Optional;

/**
 * A study's result.
 *
 * @param title the paper's table or figure
 * @param columns headings; a column of the paper's printed figures is headed "paper"
 * @param rows cells: strings, integers, doubles or booleans; an empty string where there is no figure
 * @param notes assumptions, misprints, tolerances
 * @param chart the figure, where there is one
 */
public record StudyTable(
        String title, List<String> columns, List<List<Object>> rows, List<String> notes, Optional<Chart> chart) {
    public StudyTable {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        notes = List.copyOf(notes);
        for (List<Object> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException("row " + row + " does not fit the columns " + columns);
            }
        }
    }
}
