package dev.lightpath.cli.ring;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.Json;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.repair.RepairMode;
import dev.lightpath.planner.ring.repair.RepairOutcome;
import dev.lightpath.planner.ring.repair.RingRepair;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lightpath ring repair}: which light moves after a fault. */
@Command(
        name = "repair",
        description = "Repairs a placement after faults, moving as little as possible. Nodes are network numbers.",
        mixinStandardHelpOptions = true)
public final class RingRepairCommand implements Callable<Integer> {

    /** The JSON document; lost groups are named by their index in the placement that was read. */
    record Document(
            List<List<Integer>> groups,
            int changedGroups,
            int changedBundles,
            List<Integer> lostGroups,
            double seconds) {}

    @Option(
            names = "--placement",
            paramLabel = "F",
            required = true,
            description = "an output of ring place, - for stdin")
    private Path placement = Path.of("-");

    @Option(names = "--fault", paramLabel = "17,18", description = "nodes that failed; this, --recover or both")
    private @Nullable String fault;

    @Option(names = "--recover", paramLabel = "3", description = "faulty nodes that came back")
    private @Nullable String recover;

    @Option(names = "--mode", defaultValue = "local", description = "${COMPLETION-CANDIDATES} (default local)")
    private RepairMode mode = RepairMode.LOCAL;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        GivenPlacement given = read();
        RingFabric fabric = given.parameters().fabric();
        int nodes = fabric.positions();
        SortedSet<Integer> faulty = new TreeSet<>();
        for (int node : given.faultyNodes()) {
            if (!faulty.add(inRange("faultyNodes", node, nodes))) {
                throw new BadInput(placement + ": faultyNodes: node " + node + " is listed twice, must be once");
            }
        }
        List<Integer> failed = NodeLists.parse("--fault", Objects.requireNonNullElse(fault, ""), nodes);
        for (int node : NodeLists.parse("--recover", Objects.requireNonNullElse(recover, ""), nodes)) {
            if (failed.contains(node)) {
                throw new BadInput("--recover: node " + node + " is in --fault too");
            }
            if (!faulty.remove(node)) {
                throw new BadInput("--recover: node " + node + " is not faulty in " + placement);
            }
        }
        faulty.addAll(failed);
        List<RingGroup> groups = groups(fabric, given);
        if (fault == null && recover == null) {
            throw new BadInput("--fault, --recover: at least one of them is wanted, as in --fault 17,18");
        }
        RingHealth health =
                RingHealth.faulty(faulty.stream().map(fabric::positionOf).collect(Collectors.toSet()));
        long start = System.nanoTime();
        RepairOutcome outcome = repair(fabric, health, groups);
        double seconds = (System.nanoTime() - start) * 1e-9;
        return output.print(answer(fabric, groups, health, outcome, seconds));
    }

    /** Local repair, and where that leaves a group broken the least change that keeps as many as possible. */
    private RepairOutcome repair(RingFabric fabric, RingHealth health, List<RingGroup> groups) {
        Set<Integer> free =
                IntStream.range(0, fabric.positions()).boxed().collect(Collectors.toCollection(HashSet::new));
        groups.forEach(group -> free.removeAll(group.members()));
        return switch (mode) {
            case MINIMAL -> RingRepair.repairMinimal(fabric, health, groups, free);
            case LOCAL -> {
                RepairOutcome local = RingRepair.repair(fabric, health, groups, broken(fabric, health, groups), free);
                yield switch (local) {
                    case RepairOutcome.Repaired done when done.lost().isEmpty() -> done;
                    case RepairOutcome.Repaired some -> RingRepair.repairMinimal(fabric, health, groups, free);
                    case RepairOutcome.NoRepair none -> RingRepair.repairMinimal(fabric, health, groups, free);
                };
            }
        };
    }

    private static SortedSet<Integer> broken(RingFabric fabric, RingHealth health, List<RingGroup> groups) {
        SortedSet<Integer> broken = new TreeSet<>();
        for (int group = 0; group < groups.size(); group++) {
            if (!health.supports(fabric, groups.get(group))) {
                broken.add(group);
            }
        }
        return broken;
    }

    private GivenPlacement read() {
        return GivenPlacement.of(Json.read(placement), placement.toString());
    }

    private int inRange(String field, int node, int nodes) {
        if (node < 0 || node >= nodes) {
            throw new BadInput(placement + ": " + field + ": node " + node + " must be 0.." + (nodes - 1));
        }
        return node;
    }

    private List<RingGroup> groups(RingFabric fabric, GivenPlacement given) {
        RingDemand demand = FabricOptions.checked(() -> new RingDemand(
                given.parameters().tensor(), Math.max(1, given.groups().size())));
        int size = FabricOptions.checked(() -> demand.nodesPerGroup(fabric));
        int shares = demand.groupsPerNode(fabric);
        Map<Integer, Integer> taken = new HashMap<>();
        List<RingGroup> groups = new ArrayList<>();
        for (int index = 0; index < given.groups().size(); index++) {
            List<Integer> members = given.groups().get(index);
            String where = "groups[" + index + "]";
            if (members.size() != size) {
                throw new BadInput(placement + ": " + where + " has " + members.size() + " nodes, must have " + size);
            }
            List<Integer> positions = members.stream()
                    .map(node -> fabric.positionOf(inRange(where, node, fabric.positions())))
                    .toList();
            int share = taken.merge(positions.getFirst(), 1, Integer::sum) - 1;
            positions.stream().skip(1).forEach(position -> taken.merge(position, 1, Integer::sum));
            if (positions.stream().anyMatch(position -> taken.getOrDefault(position, 0) > shares)) {
                throw new BadInput(placement + ": " + where + " has a node of another group");
            }
            RingGroup group = FabricOptions.checked(() -> new RingGroup(positions, share, shares));
            String reason = RingHealth.ALL_WELL.reasonAgainst(fabric, group);
            if (!reason.isEmpty()) {
                throw new BadInput(placement + ": " + where + " cannot be light even without faults: ring " + reason);
            }
            groups.add(group);
        }
        return groups;
    }

    private static Answer answer(
            RingFabric fabric, List<RingGroup> before, RingHealth health, RepairOutcome outcome, double seconds) {
        return switch (outcome) {
            case RepairOutcome.Repaired done -> {
                List<List<Integer>> groups = PlacementDocument.networkNumbers(fabric, done.kept());
                List<List<String>> rows = done.changed().stream()
                        .map(group -> List.of(
                                String.valueOf(group),
                                String.valueOf(numbers(fabric, before.get(group))),
                                String.valueOf(numbers(fabric, done.groups().get(group)))))
                        .toList();
                Document document = new Document(
                        groups, done.changed().size(), done.changedBundles(), List.copyOf(done.lost()), seconds);
                yield new Answer(document, table(rows, document));
            }
            case RepairOutcome.NoRepair none -> {
                List<Integer> lost = new ArrayList<>(broken(fabric, health, before));
                List<RingGroup> kept = new ArrayList<>(before);
                lost.reversed().forEach(group -> kept.remove(group.intValue()));
                int bundles = RingRepair.changedBundles(fabric, before, kept);
                Document document =
                        new Document(PlacementDocument.networkNumbers(fabric, kept), 0, bundles, lost, seconds);
                yield new Answer(document, table(List.of(), document));
            }
        };
    }

    private static List<Integer> numbers(RingFabric fabric, RingGroup group) {
        return group.members().stream().map(fabric::networkNumberOf).toList();
    }

    private static Table table(List<List<String>> rows, Document document) {
        return Table.of(List.of("group", "before", "after"), rows)
                .withNotes(List.of(document.changedGroups() + " groups and " + document.changedBundles()
                        + " bundles change, " + document.groups().size() + " groups stand"
                        + (document.lostGroups().isEmpty() ? "" : ", no room left for " + document.lostGroups())));
    }
}
