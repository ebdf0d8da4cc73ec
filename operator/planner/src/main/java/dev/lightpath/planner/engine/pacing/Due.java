package dev.lightpath.planner.engine.pacing;

import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.Stage.Cause;
import dev.lightpath.planner.world.SliceId;
import java.util.Optional;

/**
 * A change that is due on one device.
 *
 * @param slice whose light it makes, or takes down where it makes none; empty where no record explains it
 * @param underPods whether pods may be using the light it darkens
 * @param remainder whether it is what is left to do of a move of a slice that keeps its place
 */
public record Due(DeviceChange change, Cause cause, Optional<SliceId> slice, boolean underPods, boolean remainder) {}
