package dev.lightpath.app.publish;

import dev.lightpath.planner.engine.Deliberation;
import dev.lightpath.planner.world.World;

/** What a pass looked at and concluded. */
record Outcome(World world, Deliberation deliberation) {}
