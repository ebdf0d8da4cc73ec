package dev.lightpath.planner.world;

import java.util.Optional;

/**
 * The recorded state of a slice.
 *
 * @param allocation empty until one is recorded
 * @param version the resourceVersion the record was read at; a write names it, and a conflict means think again
 */
public record LedgerEntry(Optional<Allocation> allocation, String version) {}
