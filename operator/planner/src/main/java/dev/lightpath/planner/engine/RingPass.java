package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.FabricSlices;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.engine.ring.RingLedger;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.World;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a ring adds to a pass: records that may have been lost, groups of neighbours, and circuits that follow from
 * positions.
 */
final class RingPass implements FabricKind {
    private final RingState state;
    private final RingRecords records;
    private final RingCircuits circuits;
    private FabricSlices slices = new FabricSlices(List.of(), new TreeMap<>());
    private @Nullable RingLedger ledger;

    RingPass(World world, RingIntent intent) {
        this.state = RingState.of(world, intent);
        this.records = RingRecords.of(state);
        this.circuits = records.circuits();
    }

    @Override
    public RingCircuits circuits() {
        return circuits;
    }

    @Override
    public RingLedger place() {
        slices = records.slices(circuits);
        ledger = RingLedger.of(state, circuits, slices.decided());
        return ledger;
    }

    @Override
    public FabricSlices slices() {
        return slices;
    }

    @Override
    public RingReport report() {
        return new RingReport(records, circuits, decided());
    }

    /** What {@link #place} left of the ring for a slice. */
    RingCapacity.Left left() {
        RingLedger made = decided();
        return new RingCapacity.Left(
                state.intent().ring(), state.health(), state.byName(), slice -> made.closedTo(slice.id()));
    }

    /** The most laborious planner that ran. */
    Optional<Origin.Planner> planner() {
        return decided().planner();
    }

    private RingLedger decided() {
        return Objects.requireNonNull(ledger, "asked before place");
    }
}
