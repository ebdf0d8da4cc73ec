package dev.lightpath.driver.ledger;

/** Which role's operation made a circuit. */
public record CircuitOwner(String role, String operationId) {}
