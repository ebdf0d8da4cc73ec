package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.world.Allocation;

/** How a fabric of one kind stands. */
interface FabricReport {
    /** In figures. */
    FabricVerdict.Figures figures();

    /** How far the light of a record has come. */
    SliceVerdict.Light qualify(Allocation recorded);
}
