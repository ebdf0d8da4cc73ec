package dev.lightpath.sim.core;

/** What changed about real light. */
public enum LightChange {
    /** Light began to pass from ingress to egress. */
    LIT,
    /** Light ceased to pass. */
    DARK,
    /** The receiver of the ingress port locked. */
    LOCKED,
    /** The receiver of the ingress port lost its lock. */
    LOST
}
