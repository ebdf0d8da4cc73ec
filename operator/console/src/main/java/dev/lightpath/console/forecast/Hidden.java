package dev.lightpath.console.forecast;

import dev.lightpath.console.Sight;
import dev.lightpath.console.text.Page;
import dev.lightpath.planner.engine.simulation.Simulation;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.world.SliceId;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Slices that change and may not be shown. They are counted. */
final class Hidden {
    private Hidden() {}

    /** How many there are; null when there is none. */
    static @Nullable Integer of(List<Simulation.Step> steps, Sight sight) {
        return count(steps.stream().map(Simulation.Step::slice).distinct().map(SliceId::namespace), sight);
    }

    /** How many of things of these namespaces may not be shown; null when all may. */
    static @Nullable Integer count(Stream<String> namespaces, Sight sight) {
        int hidden =
                (int) namespaces.filter(namespace -> !sight.shows(namespace)).count();
        return hidden == 0 ? null : hidden;
    }

    static void tell(Page page, @Nullable Integer hidden) {
        if (hidden != null) {
            page.line("  also: " + Counted.of(hidden, "slice") + " that you may not see " + (hidden == 1 ? "is" : "are")
                    + " recorded anew");
        }
    }
}
