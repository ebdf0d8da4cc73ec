package dev.lightpath.cli.cluster.backup;

import dev.lightpath.cli.Answer;
import dev.lightpath.console.text.Page;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a restore wrote: its JSON document.
 *
 * @param dryRun nothing was written
 * @param objects in the order in which they were written
 * @param notes what a person should look at
 * @param next what is left to do
 */
record RestoreReport(boolean dryRun, List<Restored> objects, List<String> notes, List<String> next) {
    /** What became of an object of the file. */
    enum Outcome {
        /** It was not there. */
        CREATED,
        /** It was there without its record. */
        COMPLETED,
        /** It was there and stays as it is. */
        KEPT,
        /** It was not written; a note says why. */
        LEFT_OUT;

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** @param object as kind/name or kind/namespace/name */
    record Restored(String object, Outcome outcome) {
        String kind() {
            return object.substring(0, object.indexOf('/'));
        }
    }

    Answer answer() {
        Map<String, List<Restored>> byKind = objects.stream()
                .collect(Collectors.groupingBy(Restored::kind, TreeMap::new, Collectors.toCollection(ArrayList::new)));
        List<String> columns = new ArrayList<>(List.of("KIND"));
        Arrays.stream(Outcome.values())
                .forEach(outcome -> columns.add(outcome.word().toUpperCase(Locale.ROOT)));
        List<List<String>> rows = byKind.entrySet().stream()
                .map(kind -> {
                    List<String> row = new ArrayList<>(List.of(kind.getKey()));
                    for (Outcome outcome : Outcome.values()) {
                        row.add(Long.toString(kind.getValue().stream()
                                .filter(each -> each.outcome() == outcome)
                                .count()));
                    }
                    return row;
                })
                .toList();
        Page page = new Page();
        if (dryRun) {
            page.line("a dry run: nothing was written");
        }
        return new Answer(
                this,
                page.table(columns, rows)
                        .section("notes:", notes)
                        .section("next:", next)
                        .text());
    }
}
