package dev.lightpath.planner.world;

import java.time.Instant;

/**
 * A device that did not do what it was asked.
 *
 * @param reason a CamelCase word: Rejected or Indeterminate
 * @param message the device's or driver's own words
 * @param notBefore when it may be asked again
 */
public record Setback(String reason, String message, Instant notBefore) {}
