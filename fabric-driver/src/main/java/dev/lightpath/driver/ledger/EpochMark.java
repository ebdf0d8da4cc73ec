package dev.lightpath.driver.ledger;

/** Highest epoch seen of a role on a device, and who showed it. */
public record EpochMark(long epoch, String holder) {}
