package dev.lightpath.planner.world;

import dev.lightpath.planner.fault.RecordedFaults;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/** What an administrator says of a fabric, of whatever kind. */
public sealed interface FabricIntent permits RingIntent, OcsIntent {
    /** Name of the OpticalFabric. */
    String name();

    /** Under which its drivers hold its circuits: cluster and fabric. */
    String role();

    /** Endpoints of its drivers. */
    SortedSet<String> drivers();

    /** What the administrator allows. */
    FabricPolicy policy();

    /** Whether it is read, planned and reported, and no circuit is changed. */
    boolean paused();

    /** When a person last resumed it after a mass failure. */
    Optional<Instant> resumedAt();

    /** Whether it is being deleted: nothing new is placed. */
    boolean retiring();

    /** Device/port of slices released by force, not yet read back dark. */
    SortedSet<String> quarantinedPorts();

    /** Faults that an earlier process recorded. */
    RecordedFaults recordedFaults();

    /** When a person last cleared what failed, by name of the node or switch. O(nodes). */
    SortedMap<String, Instant> clearances();
}
