package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.PerNode;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.state.DeviceMismatch;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.RingNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The state of one ring fabric in figures. */
final class RingReport implements FabricReport {
    private static final int MOST_NAMED = 8;

    private final RingRecords records;
    private final RingState state;
    private final RingCircuits circuits;
    private final RingLights lights;

    RingReport(RingRecords records, RingCircuits circuits) {
        this.records = records;
        this.state = records.state();
        this.circuits = circuits;
        this.lights = new RingLights(state, circuits);
    }

    @Override
    public SliceVerdict.Light qualify(Allocation recorded) {
        return lights.of(recorded);
    }

    @Override
    public FabricVerdict.Figures figures() {
        PerNode<SliceState> allocated = new PerNode<>(state.sites());
        long allocatedGpus = 0;
        for (SliceState slice : records.all()) {
            if (slice.placed()) {
                slice.recorded().orElseThrow().forEachMember(member -> allocated.put(member, slice));
                allocatedGpus += (long) slice.demand().tensor()
                        * slice.recorded().orElseThrow().groups().size();
            }
        }
        int positions = state.intent().ring().positions();
        int faulty = state.health().faulty().size();
        int busy = 0;
        int usable = 0;
        for (RingNode node : state.intent().nodes().values()) {
            if (node.busy()) {
                busy++;
            }
            boolean well = !state.health().isFaulty(node.position());
            boolean free = circuits.takes(node) && !circuits.foreignNodes().contains(node.name());
            if (well && (free || allocated.at(node.position()) != null)) {
                usable++;
            }
        }
        int perNode = state.intent().ring().gpusPerNode();
        return new FabricVerdict.Figures(
                new FabricVerdict.Nodes(positions, positions - faulty, faulty, busy, allocated.count()),
                new FabricVerdict.Gpus(positions * perNode, usable * perNode, Math.toIntExact(allocatedGpus)),
                circuits.figures(),
                invalidWiring());
    }

    private Optional<String> invalidWiring() {
        List<String> flaws = new ArrayList<>();
        flaws.addAll(first(state.intent().claims().values(), "positions"));
        flaws.addAll(first(state.intent().astray().values(), "nodes"));
        state.intent().torMismatch().ifPresent(flaws::add);
        records.invalid().forEach(misfit -> flaws.add(misfit.why()));
        flaws.addAll(DeviceMismatch.named(List.copyOf(state.lacking().values())));
        return flaws.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", flaws));
    }

    private static List<String> first(Collection<String> alike, String ofWhat) {
        return alike.size() <= MOST_NAMED
                ? List.copyOf(alike)
                : Stream.concat(
                                alike.stream().limit(MOST_NAMED),
                                Stream.of("and " + (alike.size() - MOST_NAMED) + " more " + ofWhat + " like these"))
                        .toList();
    }
}
