package dev.lightpath.cli.ring;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.OutputOptions;
import dev.lightpath.console.text.Table;
import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.Gpu;
import dev.lightpath.planner.ring.GpuWalk;
import dev.lightpath.planner.ring.RingChecker;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.ring.RingViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lightpath ring bundles}: what the transceivers of given groups do. */
@Command(
        name = "bundles",
        description = "The state of every bundle for given groups of ring positions, judged by the checker.",
        mixinStandardHelpOptions = true)
public final class RingBundlesCommand implements Callable<Integer> {

    /** One node's bundles 0..K-1. */
    record NodeBundles(int node, List<BundleState> bundles) {}

    /** The JSON document. */
    record Document(List<NodeBundles> nodes, List<List<String>> rings, List<String> violations) {}

    @Option(names = "--nodes", required = true, description = "nodes along the fibre")
    private int nodes;

    @Option(names = "--gpus-per-node", required = true, description = "GPUs of a node")
    private int gpusPerNode;

    @Option(names = "--reach", required = true, description = "bundles per node and farthest hop, 2..8")
    private int reach;

    @Option(names = "--shape", required = true, description = "${COMPLETION-CANDIDATES}")
    private RingShape shape = RingShape.LINE;

    @Option(names = "--faulty", paramLabel = "3,4", defaultValue = "", description = "faulty ring positions")
    private String faulty = "";

    @Option(names = "--groups", paramLabel = "1,2,5,6;...", required = true, description = "members in ring order")
    private String groups = "";

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        FabricOptions.nodes("--nodes " + nodes, nodes);
        RingFabric fabric = FabricOptions.checked(() -> RingFabric.of(shape, nodes, reach, gpusPerNode));
        SortedSet<Integer> down = NodeLists.parseSet("--faulty", faulty, nodes);
        List<RingGroup> members = FabricOptions.checked(() -> NodeLists.parseGroups("--groups", groups, nodes).stream()
                .map(RingGroup::of)
                .toList());
        BundleDerivation light = BundleDerivation.derive(fabric, members);
        List<String> violations = Stream.concat(
                        light.conflicts().stream()
                                .map(conflict -> "group " + conflict.group() + ": " + conflict.reason()),
                        RingChecker.check(fabric, members, light.states(), down).stream()
                                .map(RingViolation::toString))
                .toList();
        List<List<String>> rings = members.stream()
                .map(group -> GpuWalk.from(fabric, light.states(), group.first(), group.size() * gpusPerNode))
                .map(walk -> walk.gpus().stream().map(Gpu::toString).toList())
                .toList();
        List<NodeBundles> states = IntStream.range(0, nodes)
                .mapToObj(node -> new NodeBundles(node, light.states().of(node)))
                .toList();
        return output.print(
                new Answer(new Document(states, rings, violations), table(states, rings, violations, down)));
    }

    private Table table(
            List<NodeBundles> states, List<List<String>> rings, List<String> violations, SortedSet<Integer> down) {
        List<String> columns = new ArrayList<>(List.of("node"));
        IntStream.range(0, reach).forEach(bundle -> columns.add("bundle " + bundle));
        List<List<String>> rows = states.stream()
                .map(state -> Stream.concat(
                                Stream.of(state.node() + (down.contains(state.node()) ? " (faulty)" : "")),
                                state.bundles().stream().map(BundleState::name))
                        .toList())
                .toList();
        List<String> notes = new ArrayList<>();
        rings.forEach(ring -> notes.add("ring of " + ring.size() + " GPUs: " + String.join(" ", ring)));
        notes.addAll(
                violations.stream().map(violation -> "violation: " + violation).collect(Collectors.toList()));
        return Table.of(columns, rows).withNotes(notes);
    }
}
