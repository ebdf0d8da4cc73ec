package dev.lightpath.console.explain;

import dev.lightpath.console.text.Table;
import dev.lightpath.planner.delta.Explanation;
import dev.lightpath.planner.delta.Explanation.MorePorts;
import dev.lightpath.planner.delta.Explanation.PairShare;
import dev.lightpath.planner.delta.Explanation.PathStep;
import dev.lightpath.planner.words.Counted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/** An explanation for people. */
public final class Explanations {
    /** Of the search for each pod: enough for a proof on every workload of the paper, a second at most. */
    public static final long NODES = 20_000;

    private static final int MOST_STEPS = 12;
    private static final double SAME = 1e-9;

    private Explanations() {}

    /** @param pod name of a pod by its id in the instance */
    public static List<String> page(Explanation of, IntFunction<String> pod) {
        List<String> lines = new ArrayList<>();
        lines.add("iteration " + seconds(of.makespanSeconds()) + " under "
                + of.rates().name().toLowerCase(Locale.ROOT) + " rates: " + seconds(of.computeOnlySeconds())
                + " without any transfer, " + seconds(of.idealSeconds()) + " with unlimited circuits");
        lines.add("");
        lines.addAll(table(
                List.of("PODS", "CIRCUITS", "GB THERE", "GB BACK", "FULL", "ON THE CRITICAL PATH"),
                of.pairs().stream().map(pair -> row(pair, pod)).toList()));
        lines.add("");
        lines.addAll(path(of, pod));
        if (!of.morePorts().isEmpty()) {
            lines.add("");
            lines.add("one more port in");
            of.morePorts().forEach(more -> lines.add("  " + row(more, of.makespanSeconds(), pod)));
        }
        return lines;
    }

    private static List<String> row(PairShare pair, IntFunction<String> pod) {
        return List.of(
                pod.apply(pair.pair().first()) + " - " + pod.apply(pair.pair().second()),
                "" + pair.circuits(),
                Table.cell(pair.bytes() / 1e9),
                Table.cell(pair.bytesBack() / 1e9),
                percent(pair.busyShare()),
                pair.criticalSeconds() > 0 ? seconds(pair.criticalSeconds()) : "-");
    }

    /** The longest transfers of the path, in their order, and the number of the others. */
    private static List<String> path(Explanation of, IntFunction<String> pod) {
        List<PathStep> path = of.criticalPath();
        double sent = path.stream().mapToDouble(PathStep::seconds).sum();
        double cards = path.stream().mapToDouble(PathStep::cardSeconds).sum();
        List<String> lines = new ArrayList<>();
        lines.add("critical path: " + Counted.of(path.size(), "transfer") + ", " + seconds(sent) + " of "
                + seconds(of.makespanSeconds()) + "; network cards alone would take " + seconds(cards)
                + (sent - cards > 1e-6 * of.makespanSeconds()
                        ? ", the rest is for want of circuits"
                        : ", which is all"));
        List<PathStep> shown = path.stream()
                .sorted(Comparator.comparingDouble(PathStep::seconds).reversed())
                .limit(MOST_STEPS)
                .toList();
        List<List<String>> rows = path.stream()
                .filter(shown::contains)
                .map(step -> List.of(
                        "  " + step.name(),
                        pod.apply(step.pods().first()) + " > "
                                + pod.apply(step.pods().second()),
                        seconds(step.startSeconds()),
                        seconds(step.seconds()),
                        step.seconds() > step.cardSeconds() * (1 + SAME) ? seconds(step.cardSeconds()) : "-"))
                .toList();
        lines.addAll(table(List.of("  TRANSFER", "PODS", "STARTS", "TAKES", "CARDS ALONE"), rows));
        if (path.size() > rows.size()) {
            lines.add("  and " + (path.size() - rows.size()) + " shorter ones (-o json)");
        }
        return lines;
    }

    private static String row(MorePorts more, double makespanSeconds, IntFunction<String> pod) {
        double saved = makespanSeconds - more.makespanSeconds();
        String place = (more.pods().size() == 1 ? pod.apply(more.pods().getFirst()) : "each of them") + " ("
                + more.used() + " of " + more.ports() + " used): ";
        if (saved <= SAME * makespanSeconds) {
            return place + (more.proved() ? "nothing" : "nothing that was found");
        }
        return place + seconds(more.makespanSeconds()) + ", " + percent(saved / makespanSeconds) + " shorter"
                + (more.proved() ? "" : " at least");
    }

    private static List<String> table(List<String> columns, List<List<String>> rows) {
        return Table.of(columns, rows).render().lines().toList();
    }

    private static String seconds(double seconds) {
        return Table.cell(seconds) + " s";
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.3g %%", 100 * share);
    }
}
