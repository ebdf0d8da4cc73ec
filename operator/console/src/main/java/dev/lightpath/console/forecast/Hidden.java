package dev.lightpath.console.forecast;

import dev.lightpath.console.Sight;
import dev.lightpath.console.text.Page;
import dev.lightpath.planner.engine.simulation.Simulation;
import dev.lightpath.planner.words.Counted;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Slices that change and may not be shown. They are counted. */
final class Hidden {
    private Hidden() {}

    /** How many there are; null when there is none. */
    static @Nullable Integer of(List<Simulation.Step> steps, Sight sight) {
        int hidden = (int) steps.stream()
                .map(Simulation.Step::slice)
                .filter(slice -> !sight.shows(slice.namespace()))
                .distinct()
                .count();
        return hidden == 0 ? null : hidden;
    }

    static void tell(Page page, @Nullable Integer hidden) {
        if (hidden != null) {
            page.line("  also: " + Counted.of(hidden, "slice") + " that you may not see " + (hidden == 1 ? "is" : "are")
                    + " recorded anew");
        }
    }
}
