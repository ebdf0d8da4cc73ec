package dev.lightpath.cli.ring;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.Infeasible;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.ring.FaultDraw;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.ring.rack.RackAlgorithm;
import dev.lightpath.planner.ring.rack.RackOrchestration;
import dev.lightpath.planner.ring.rack.RackOutcome;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lightpath ring place}: groups of a job around faults, with little traffic across racks. */
@Command(
        name = "place",
        description = "Places tensor-parallel groups around faulty nodes. Nodes are network numbers.",
        mixinStandardHelpOptions = true)
public final class RingPlaceCommand implements Callable<Integer> {
    /** Less is no part of any fabric. */
    private static final BigDecimal LEAST_SCALE = new BigDecimal("1e-12");

    @Option(names = "--gpus", required = true, description = "GPUs of the fabric")
    private int gpus;

    @Option(names = "--gpus-per-node", required = true, description = "GPUs of a node")
    private int gpusPerNode;

    @Option(names = "--reach", required = true, description = "bundles per node and farthest hop, 2..8")
    private int reach;

    @Option(names = "--shape", required = true, description = "${COMPLETION-CANDIDATES}")
    private RingShape shape = RingShape.LINE;

    @Option(names = "--nodes-per-tor", defaultValue = "1", description = "nodes of a rack (default 1)")
    private int nodesPerTor = 1;

    @Option(names = "--nodes-per-aggregation", description = "nodes of an aggregation domain (default all)")
    private @Nullable Integer nodesPerAggregation;

    @Option(names = "--tensor", required = true, description = "GPUs of a group")
    private int tensor;

    @Option(names = "--groups", paramLabel = "N", description = "groups wanted; this or --job-scale")
    private @Nullable Integer groups;

    @Option(
            names = "--job-scale",
            paramLabel = "0.90",
            description = "part of all GPUs that the job takes, rounded up to groups")
    private @Nullable String jobScale;

    @Option(names = "--faulty", paramLabel = "3,4", description = "faulty nodes; this or --fault-ratio")
    private @Nullable String faultyNodes;

    @Option(names = "--fault-ratio", paramLabel = "0.05", description = "fault probability, faults are then drawn")
    private @Nullable Double faultRatio;

    @Option(names = "--fault-seed", paramLabel = "1", description = "seed of the faults drawn (default 1)")
    private @Nullable Long faultSeed;

    @Option(names = "--algorithm", defaultValue = "exact", description = "${COMPLETION-CANDIDATES} (default exact)")
    private RackAlgorithm algorithm = RackAlgorithm.EXACT;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        Integer aggregation = nodesPerAggregation;
        if (aggregation != null && aggregation < 1) {
            throw new BadInput("nodesPerAggregation = " + aggregation + ": must be at least 1");
        }
        RingFabric fabric = FabricOptions.fabric(
                shape, gpus, gpusPerNode, reach, nodesPerTor, aggregation == null ? 0 : aggregation);
        SortedSet<Integer> faulty = faulty(fabric);
        RingDemand demand = FabricOptions.checked(() -> {
            RingDemand made = new RingDemand(tensor, groups());
            made.nodesPerGroup(fabric);
            return made;
        });
        RingHealth health =
                RingHealth.faulty(faulty.stream().map(fabric::positionOf).collect(Collectors.toSet()));
        long start = System.nanoTime();
        RackOutcome outcome = RackOrchestration.place(fabric, health, demand, Set.of(), algorithm);
        double seconds = (System.nanoTime() - start) * 1e-9;
        return switch (outcome) {
            case RackOutcome.Infeasible infeasible -> throw new Infeasible(infeasible.reason());
            case RackOutcome.Placed placed -> output.print(answer(fabric, placed, faulty, seconds));
        };
    }

    private int groups() {
        Integer wanted = groups;
        String scaleText = jobScale;
        if (wanted != null && scaleText == null) {
            return wanted;
        }
        if (scaleText == null || wanted != null) {
            throw new BadInput("--groups N or --job-scale S: exactly one of them is wanted");
        }
        BigDecimal scale = scale(scaleText);
        if (scale.compareTo(LEAST_SCALE) < 0 || scale.compareTo(BigDecimal.ONE) > 0) {
            throw new BadInput("--job-scale " + scaleText + ": must be more than 0 and at most 1");
        }
        if (tensor < 1) {
            throw new BadInput("tensor = " + tensor + ": must be at least 1");
        }
        return scale.multiply(BigDecimal.valueOf(gpus))
                .divide(BigDecimal.valueOf(tensor), 0, RoundingMode.CEILING)
                .intValueExact();
    }

    private static BigDecimal scale(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw new BadInput("--job-scale '" + text + "': must be a number, more than 0 and at most 1", e);
        }
    }

    private SortedSet<Integer> faulty(RingFabric fabric) {
        String list = faultyNodes;
        Double ratio = faultRatio;
        Long seed = faultSeed;
        if (list != null && (ratio != null || seed != null)) {
            throw new BadInput("--faulty and " + (ratio == null ? "--fault-seed" : "--fault-ratio")
                    + ": faults are either listed or drawn, only one of them is allowed");
        }
        if (list != null) {
            return NodeLists.parseSet("--faulty", list, fabric.positions());
        }
        if (ratio == null) {
            if (seed != null) {
                throw new BadInput("--fault-seed " + seed + ": allowed only with --fault-ratio");
            }
            return new TreeSet<>();
        }
        if (!(ratio >= 0 && ratio <= 1)) {
            throw new BadInput("--fault-ratio " + ratio + ": must be 0 to 1");
        }
        return FaultDraw.networkNumbers(fabric.positions(), ratio, seed == null ? 1 : seed);
    }

    private Answer answer(RingFabric fabric, RackOutcome.Placed placed, SortedSet<Integer> faulty, double seconds) {
        List<RingGroup> groups = placed.placement().groups();
        List<List<Integer>> numbers = PlacementDocument.networkNumbers(fabric, groups);
        PlacementDocument document = new PlacementDocument(
                numbers,
                placed.crossTorRatio(),
                placed.constraints(),
                placed.usableGroups(),
                faulty.size(),
                List.copyOf(faulty),
                PlacementDocument.Parameters.of(fabric, tensor),
                seconds);
        List<List<String>> rows = java.util.stream.IntStream.range(0, numbers.size())
                .mapToObj(group -> List.of(
                        String.valueOf(group),
                        String.valueOf(group / fabric.nodesPerTor()),
                        numbers.get(group).stream().map(String::valueOf).collect(Collectors.joining(" "))))
                .toList();
        Table table = Table.of(List.of("group", "set", "nodes"), rows)
                .withNotes(List.of(
                        groups.size() + " groups of " + tensor + " GPUs placed, room for " + placed.usableGroups()
                                + ", " + faulty.size() + " nodes faulty",
                        "traffic across racks: " + Table.cell(placed.crossTorRatio())
                                + " (no placement of this kind below " + Table.cell(placed.crossTorBound()) + ")"));
        return new Answer(document, table);
    }
}
