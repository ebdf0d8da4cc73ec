package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.RecordedSeats;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.ring.RingLedger;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;

/** How a ring and its slices stand after a pass. */
final class RingReport implements FabricReport {
    private final RingRecords records;
    private final RingState state;
    private final RingCircuits circuits;
    private final RingLedger ledger;

    RingReport(RingRecords records, RingCircuits circuits, RingLedger ledger) {
        this.records = records;
        this.state = records.state();
        this.circuits = circuits;
        this.ledger = ledger;
    }

    @Override
    public SliceVerdict.Light qualify(Allocation recorded) {
        return RingQualification.of(state, circuits, recorded);
    }

    @Override
    public SortedMap<SliceId, SliceVerdict> verdicts(
            List<SliceState> decided, Function<SliceState, SliceVerdict> verdict) {
        return RingVerdicts.of(state, circuits, ledger, verdict);
    }

    @Override
    public FabricVerdict.Figures figures() {
        Held held = held();
        int positions = state.intent().ring().positions();
        int faulty = state.health().faulty().size();
        BitSet usable = new BitSet();
        usable.set(0, positions);
        usable.andNot(circuits.closed());
        usable.or(held.positions());
        usable.andNot(state.positions().vacant());
        state.health().faulty().forEach(usable::clear);
        int perNode = state.intent().ring().gpusPerNode();
        return new FabricVerdict.Figures(
                new FabricVerdict.Nodes(
                        positions,
                        positions - faulty,
                        faulty,
                        state.positions().busy().cardinality(),
                        held.nodes()),
                new FabricVerdict.Gpus(
                        positions * perNode, usable.cardinality() * perNode, Math.toIntExact(held.gpus())),
                circuits.figures(),
                records.invalidWiring());
    }

    /**
     * What the records of the ring hold.
     *
     * @param positions where their nodes sit
     * @param nodes those that sit nowhere included
     */
    private record Held(BitSet positions, int nodes, long gpus) {}

    private Held held() {
        // nearly always all members sit where they were recorded
        if (records.invalid().isEmpty() && state.displaced().isEmpty()) {
            return new Held(
                    records.seats().owned(),
                    records.seats().owned().cardinality(),
                    records.seats().gpus());
        }
        Set<String> nodes = new HashSet<>();
        records.all()
                .filter(SliceState::placed)
                .forEach(slice -> nodes.addAll(slice.recorded().orElseThrow().nodes()));
        long gpus = records.all().mapToLong(RecordedSeats::gpus).sum();
        BitSet positions = new BitSet();
        nodes.stream()
                .flatMap(node -> Optional.ofNullable(state.byName().get(node)).stream())
                .forEach(positions::set);
        return new Held(positions, nodes.size(), gpus);
    }
}
