package dev.lightpath.app.publish.status;

import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.world.World;

/** What a pass looked at and concluded. */
public record Outcome(World world, Deliberation deliberation) {}
