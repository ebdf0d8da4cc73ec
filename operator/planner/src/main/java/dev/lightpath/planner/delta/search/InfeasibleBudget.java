package dev.lightpath.planner.delta.search;

/** Not even one circuit per active pair fits the ports; the message names the pod. */
public final class InfeasibleBudget extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InfeasibleBudget(String message) {
        super(message);
    }
}
