package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.SliceId;
import java.util.List;
import java.util.Map;

/**
 * Room for a job on ports that others leave for other ports.
 *
 * @param circuits counts of the job for which room is made
 * @param own its light
 * @param records the new light of those that are recorded and change, the job itself among them if it has a place, in
 *     an order in which their records can be written one by one
 * @param returning what slices that give way have in the end: no other slice gets their ports meanwhile
 */
record Rearrangement(
        List<Integer> circuits,
        SwitchedLight own,
        Map<SliceId, SwitchedLight> records,
        Map<SliceId, SwitchedLight> returning) {

    /** What one pass may try: each try is a striping of all that may move, and repairs wait for it. */
    static final class Tries {
        private long left;

        Tries(long most) {
            this.left = most;
        }

        /** Below zero where the last one cost more than was left. */
        long left() {
            return left;
        }

        boolean another(long cost) {
            boolean may = left > 0;
            left -= cost;
            return may;
        }
    }

    /** Jobs of which light goes dark for it. */
    int darkens(FabricPodPorts room) {
        return (int) records.entrySet().stream()
                .filter(each ->
                        !room.recorded(each.getKey()).minus(each.getValue()).isEmpty())
                .count();
    }
}
