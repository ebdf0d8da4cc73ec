package dev.lightpath.planner.light;

/**
 * An optical switch as it describes itself; empty where it says nothing.
 *
 * @param ports of both sides; 0 while it was not read
 */
public record SwitchIdentity(String vendor, String model, String serial, String firmware, int ports) {}
