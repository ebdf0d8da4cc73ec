package dev.lightpath.planner.engine.pacing;

import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.Stage.Cause;

/**
 * A change that is due on one device.
 *
 * @param underPods whether pods may be using the light it darkens
 * @param remainder whether it is what is left to do of a move of a slice that keeps its place
 */
public record Due(DeviceChange change, Cause cause, boolean underPods, boolean remainder) {}
