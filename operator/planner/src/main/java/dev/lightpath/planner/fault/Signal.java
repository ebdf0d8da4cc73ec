package dev.lightpath.planner.fault;

import java.time.Duration;

/**
 * Something looks wrong now.
 *
 * @param subject what
 * @param reason a CamelCase word, the same for the same trouble
 * @param hold how long it must last before it counts as a fault
 */
public record Signal(Subject subject, String reason, Duration hold) {}
