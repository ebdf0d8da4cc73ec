package dev.lightpath.planner.stripe;

import java.util.Arrays;

/**
 * Number of circuits between pods: {@code at(i, j)} circuits from i to j. On any-to-any devices the matrix is symmetric
 * and an entry counts duplex circuits. Immutable.
 */
public final class LogicalTopology {
    private final int[][] counts;

    private LogicalTopology(int[][] counts) {
        this.counts = counts;
    }

    /**
     * A topology of the given counts, copied.
     *
     * @throws IllegalArgumentException if the matrix is empty, not square, has a negative entry or a circuit of a pod
     *     to itself
     */
    public static LogicalTopology of(int[][] counts) {
        int pods = counts.length;
        if (pods == 0) {
            throw new IllegalArgumentException("topology has no row: one row and one column per pod");
        }
        int[][] copy = new int[pods][];
        for (int i = 0; i < pods; i++) {
            if (counts[i].length != pods) {
                throw new IllegalArgumentException("topology[" + i + "] has " + counts[i].length
                        + " entries, the matrix has " + pods + " rows: it must be square");
            }
            for (int j = 0; j < pods; j++) {
                if (counts[i][j] < 0) {
                    throw new IllegalArgumentException("topology[" + i + "][" + j + "] is " + counts[i][j]
                            + ": a number of circuits is 0 or more");
                }
            }
            if (counts[i][i] != 0) {
                throw new IllegalArgumentException("topology[" + i + "][" + i + "] is " + counts[i][i]
                        + ": a pod has no circuit to itself, must be 0");
            }
            copy[i] = counts[i].clone();
        }
        return new LogicalTopology(copy);
    }

    public int pods() {
        return counts.length;
    }

    public int at(int from, int to) {
        return counts[from][to];
    }

    /** The sum of all counts. */
    long circuits() {
        return Arrays.stream(counts).flatMapToInt(Arrays::stream).asLongStream().sum();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LogicalTopology that && Arrays.deepEquals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(counts);
    }

    @Override
    public String toString() {
        return Arrays.deepToString(counts);
    }
}
