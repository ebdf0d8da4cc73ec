package dev.lightpath.studies.topology;

import dev.lightpath.planner.stripe.Circuit;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.stripe.LogicalTopology;
import dev.lightpath.planner.stripe.SearchBudget;
import dev.lightpath.planner.stripe.Striper;
import dev.lightpath.planner.stripe.StripingOutcome;
import dev.lightpath.planner.stripe.StripingRequest;
import dev.lightpath.planner.stripe.SwitchCircuits;
import dev.lightpath.studies.Chart;
import dev.lightpath.studies.Study;
import dev.lightpath.studies.StudyTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;

/** How many circuits move when a logical topology changes a little. */
final class RewiringStudy implements Study {
    /**
     * An instance, with the moves over the lower bound that an integer program (or the best heuristic) needed on one of
     * its kind.
     */
    private record Instance(int pods, int switches, int ports, int circuits, double change, String reference) {}

    private static final List<Instance> INSTANCES = List.of(
            new Instance(16, 16, 1, 228, 0.10, "27/22 (ILP)"),
            new Instance(16, 8, 2, 228, 0.10, "25/22 (ILP)"),
            new Instance(32, 16, 2, 941, 0.10, "84/79 (ILP)"),
            new Instance(64, 16, 4, 3824, 0.05, "190/173 (pairwise re-splits)"));

    private static final int CIRCUITS = 4;
    private static final int LOWER_BOUND = 5;
    private static final int MOVED = 6;
    private static final int FROM_SCRATCH = 8;

    @Override
    public String name() {
        return "rewiring";
    }

    @Override
    public String question() {
        return "How much light moves when a logical topology on striped switches changes a little?";
    }

    @Override
    public StudyTable run(Options options, Consumer<String> progress) {
        List<List<Object>> rows = new ArrayList<>();
        for (Instance instance : INSTANCES) {
            progress.accept("striping " + instance.pods() + " pods over " + instance.switches() + " switches");
            rows.add(row(instance, options.seed()));
        }
        return new StudyTable(
                "Circuits moved when a share of the circuits changes",
                List.of(
                        "pods",
                        "switches",
                        "ports",
                        "change",
                        "circuits",
                        "lower bound",
                        "moved",
                        "moved/bound",
                        "from scratch",
                        "seconds",
                        "reference"),
                rows,
                List.of(
                        "reference: moved/lower bound on an instance of the same size drawn elsewhere, in 0.1 to 8.6"
                                + " s; no paper prints these",
                        "from scratch: moved when the previous light is not looked at"),
                Optional.of(new Chart(
                        "Circuits moved when a share of the circuits changes",
                        "instance, in the order of the table",
                        "circuits moved (%)",
                        List.of(
                                series("lower bound", rows, LOWER_BOUND),
                                series("moved", rows, MOVED),
                                series("from scratch", rows, FROM_SCRATCH)))));
    }

    private static Chart.Series series(String name, List<List<Object>> rows, int column) {
        List<Chart.Point> points = new ArrayList<>();
        for (List<Object> row : rows) {
            double circuits = (Integer) row.get(CIRCUITS);
            points.add(new Chart.Point(points.size() + 1, 100 * (Integer) row.get(column) / circuits));
        }
        return new Chart.Series(name, points);
    }

    private static List<Object> row(Instance instance, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomDemand demand =
                new RandomDemand(instance.pods(), instance.switches() * instance.ports(), instance.circuits(), random);
        List<SwitchCircuits> before =
                stripe(instance, demand.counts(), List.of()).switches();
        demand.change((int) Math.round(instance.change() * instance.circuits()));
        long start = System.nanoTime();
        StripingOutcome.Striped after = stripe(instance, demand.counts(), before);
        double seconds = (System.nanoTime() - start) / 1e9;
        StripingOutcome.Striped scratch = stripe(instance, demand.counts(), List.of());
        Set<String> lit = new HashSet<>();
        before.forEach(of -> of.circuits().forEach(c -> lit.add(name(of, c, instance))));
        int total = after.kept() + after.moved();
        int kept = 0;
        for (SwitchCircuits of : scratch.switches()) {
            for (Circuit circuit : of.circuits()) {
                kept += lit.remove(name(of, circuit, instance)) ? 1 : 0;
            }
        }
        return List.of(
                instance.pods(),
                instance.switches(),
                instance.ports(),
                instance.change(),
                total,
                after.lowerBound(),
                after.moved(),
                (double) after.moved() / after.lowerBound(),
                total - kept,
                seconds,
                instance.reference());
    }

    private static String name(SwitchCircuits of, Circuit circuit, Instance instance) {
        return of.switchIndex() + ":" + circuit.from() / instance.ports() + ">" + circuit.to() / instance.ports();
    }

    private static StripingOutcome.Striped stripe(Instance instance, int[][] counts, List<SwitchCircuits> previous) {
        StripingRequest request = new StripingRequest(
                instance.switches(),
                instance.ports(),
                DeviceKind.TWO_SIDED,
                LogicalTopology.of(counts),
                previous,
                new TreeSet<>());
        return switch (Striper.stripe(request, SearchBudget.fitting(request))) {
            case StripingOutcome.Striped striped -> striped;
            case StripingOutcome.Infeasible none -> throw new IllegalStateException(none.reason());
        };
    }
}
