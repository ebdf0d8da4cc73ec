package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.RecordedSeats;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.state.DeviceMismatch;
import dev.lightpath.planner.engine.state.RingState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The state of one ring fabric in figures. */
final class RingFigures {
    private static final int MOST_NAMED = 8;

    private final RingRecords records;
    private final RingState state;
    private final RingCircuits circuits;
    private final RecordedSeats seats;

    RingFigures(RingRecords records, RingCircuits circuits) {
        this.records = records;
        this.state = records.state();
        this.circuits = circuits;
        this.seats = records.seats();
    }

    FabricVerdict.Figures all() {
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
                invalidWiring());
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
            return new Held(seats.owned(), seats.owned().cardinality(), seats.gpus());
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

    private Optional<String> invalidWiring() {
        List<String> flaws = new ArrayList<>();
        flaws.addAll(first(state.intent().claims().values(), "positions"));
        flaws.addAll(first(state.intent().astray().values(), "nodes"));
        state.intent().torMismatch().ifPresent(flaws::add);
        records.invalid().forEach(each -> flaws.add(each.why()));
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
