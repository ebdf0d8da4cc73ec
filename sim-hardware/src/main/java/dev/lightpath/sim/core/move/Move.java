package dev.lightpath.sim.core.move;

/**
 * A circuit to make or to break, by names.
 *
 * @param ingress where light enters
 * @param egress where it leaves; empty when breaking: whatever the ingress is connected to
 */
public record Move(String ingress, String egress) {}
