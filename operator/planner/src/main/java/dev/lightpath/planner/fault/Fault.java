package dev.lightpath.planner.fault;

import java.time.Instant;

/**
 * Trouble that counts.
 *
 * @param since when its signal was first seen
 * @param quarantined it came too often and stays until a person clears it
 */
public record Fault(Subject subject, String reason, Instant since, boolean quarantined) {}
