package dev.lightpath.sim.core.move;

import java.util.List;

/**
 * The outcomes of a batch, in the order of the request.
 *
 * @param disconnects outcomes of the disconnects
 * @param connects outcomes of the connects
 */
public record BatchOutcome(List<MoveOutcome> disconnects, List<MoveOutcome> connects) {
    /** Copies the lists. */
    public BatchOutcome {
        disconnects = List.copyOf(disconnects);
        connects = List.copyOf(connects);
    }
}
