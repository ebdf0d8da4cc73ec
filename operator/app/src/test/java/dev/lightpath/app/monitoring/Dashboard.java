package dev.lightpath.app.monitoring;

import java.util.List;
import java.util.Locale;

/**
 * A page of Grafana.
 *
 * @param variables what the reader chooses, from the labels of a series
 */
record Dashboard(Uid of, String description, List<Variable> variables, List<Row> rows) {
    /** The pages there are; each links to all others. */
    enum Uid {
        FLEET("Fleet"),
        RING("Ring"),
        SWITCHES("Switches and optics"),
        JOBS("Jobs and iteration time"),
        FAULTS("Faults and repairs"),
        OPERATOR("Operator"),
        DRIVERS("Drivers");

        private final String words;

        Uid(String words) {
            this.words = words;
        }

        String uid() {
            return "lightpath-" + name().toLowerCase(Locale.ROOT);
        }

        String title() {
            return "Lightpath / " + words;
        }
    }

    /** A label whose values the reader chooses from; {@code of} says in which series it is found. */
    record Variable(String name, Metric of, List<String> within) {
        Variable {
            within.forEach(other -> of.chosen(other));
            of.chosen(name);
        }

        String query() {
            String matchers = String.join(
                    ",",
                    within.stream().map(other -> other + "=~\"$" + other + "\"").toList());
            return "label_values(" + of.name() + (matchers.isEmpty() ? "" : "{" + matchers + "}") + ", " + name + ")";
        }
    }

    record Row(String title, List<Panel> panels) {
        static Row of(String title, Panel... panels) {
            return new Row(title, List.of(panels));
        }
    }

    List<Panel> panels() {
        return rows.stream().flatMap(row -> row.panels().stream()).toList();
    }
}
