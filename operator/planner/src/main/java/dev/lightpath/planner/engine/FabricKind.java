package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.FabricSlices;
import dev.lightpath.planner.engine.circuits.CircuitDiff;
import dev.lightpath.planner.engine.circuits.FabricLedger;

/**
 * What a kind of fabric adds to a pass: where members sit and which circuits follow. {@link FabricPass} asks in the
 * order of these methods, {@link #place} once.
 */
interface FabricKind {
    /** What the records ask for beside what is there. */
    CircuitDiff circuits();

    /** Decides about every slice that a record or the light of a fabric leaves to be decided. */
    FabricLedger place();

    /** About which slices {@link #place} decided. */
    FabricSlices slices();

    FabricReport report();
}
