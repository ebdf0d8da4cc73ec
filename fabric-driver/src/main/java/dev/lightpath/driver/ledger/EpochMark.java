package dev.lightpath.driver.ledger;

/** Highest epoch seen of a role on a device, and the caller that had it. */
public record EpochMark(long epoch, String holder) {}
