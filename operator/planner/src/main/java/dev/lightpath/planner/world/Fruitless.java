package dev.lightpath.planner.world;

/**
 * A search that found nothing, so that it is not repeated as long as nothing that it read has changed.
 *
 * @param read all that it read, compared by value; only who searched looks into it
 */
public record Fruitless(Record read) {}
