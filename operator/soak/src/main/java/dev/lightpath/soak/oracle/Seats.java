package dev.lightpath.soak.oracle;

import java.util.List;

/**
 * One recorded group on the ring.
 *
 * @param positions of its members in rank order
 * @param gpusPerMember GPUs that it has of each member
 * @param pending whether a repair of its job is still to come, as the job's status says
 */
public record Seats(String job, int index, List<Integer> positions, int gpusPerMember, boolean pending) {
    public Seats {
        positions = List.copyOf(positions);
    }

    String name() {
        return job + "/" + index;
    }
}
