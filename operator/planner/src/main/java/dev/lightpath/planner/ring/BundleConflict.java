package dev.lightpath.planner.ring;

/**
 * Why a group cannot become light.
 *
 * @param group index in the list that was derived
 * @param position the member concerned
 * @param reason for a person
 */
public record BundleConflict(int group, int position, String reason) {}
