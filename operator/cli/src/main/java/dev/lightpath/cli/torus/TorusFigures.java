package dev.lightpath.cli.torus;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.torus.TorusBisection;
import dev.lightpath.planner.torus.TorusMetrics;
import dev.lightpath.planner.torus.Twist;
import java.util.List;

/**
 * The figures of one twist as the command line prints them.
 *
 * @param shift in chips, in the order x|y, x|z, y|x, y|z, z|x, z|y
 * @param bisection links between two halves, the fewest found
 * @param realisable whether every shift is a whole number of cubes
 */
@JsonPropertyOrder({"shift", "averageDistance", "maxLinkLoad", "allToAllGain", "diameter", "bisection", "realisable"})
record TorusFigures(
        List<Integer> shift,
        double averageDistance,
        double maxLinkLoad,
        double allToAllGain,
        int diameter,
        int bisection,
        boolean realisable) {

    static final List<String> COLUMNS =
            List.of("shift", "average distance", "max link load", "gain", "diameter", "bisection", "realisable");

    static TorusFigures of(Shape chips, Twist shifts, TorusMetrics metrics, double gain) {
        int[] s = shifts.toArray();
        boolean whole = chips.x() % 4 == 0 && chips.y() % 4 == 0 && chips.z() % 4 == 0;
        for (int shift : s) {
            whole &= shift % 4 == 0;
        }
        return new TorusFigures(
                java.util.Arrays.stream(s).boxed().toList(),
                metrics.averageDistance(),
                metrics.maxLinkLoad(),
                gain,
                metrics.diameter(),
                TorusBisection.width(chips, shifts),
                whole);
    }

    List<String> cells() {
        return List.of(
                shift.toString(),
                dev.lightpath.console.text.Table.cell(averageDistance),
                dev.lightpath.console.text.Table.cell(maxLinkLoad),
                dev.lightpath.console.text.Table.cell(allToAllGain),
                Integer.toString(diameter),
                Integer.toString(bisection),
                realisable ? "yes" : "no");
    }
}
