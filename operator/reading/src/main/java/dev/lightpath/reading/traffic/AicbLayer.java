package dev.lightpath.reading.traffic;

import dev.lightpath.planner.delta.iteration.CollectiveKind;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One line of a SimAI workload: a layer's passes, each a time in nanoseconds and the collective after it.
 *
 * @param forwardNanos forward pass
 * @param inputNanos backward pass, gradient of the input
 * @param weightNanos backward pass, gradient of the weights
 */
record AicbLayer(
        String name,
        double forwardNanos,
        Communication forwardCommunication,
        double inputNanos,
        Communication inputCommunication,
        double weightNanos,
        Communication weightCommunication) {
    private static final int COLUMNS = 12;
    private static final Map<String, CollectiveKind> KINDS = new TreeMap<>(Map.of(
            "ALLREDUCE", CollectiveKind.ALL_REDUCE,
            "ALLGATHER", CollectiveKind.ALL_GATHER,
            "REDUCESCATTER", CollectiveKind.REDUCE_SCATTER,
            "ALLTOALL", CollectiveKind.ALL_TO_ALL,
            "BROADCAST", CollectiveKind.BROADCAST));

    /**
     * The ranks that take part: those of a tensor, expert or data-parallel group, or those that hold the same experts.
     */
    enum Group {
        TENSOR,
        EXPERT,
        DATA,
        EXPERT_DATA
    }

    /** @param kind null for none */
    record Communication(@Nullable CollectiveKind kind, Group group, double bytes) {}

    /** @param where file and line */
    static AicbLayer parse(String where, String line) {
        String[] cells = line.split("\\s+");
        if (cells.length < COLUMNS) {
            throw new IllegalArgumentException(where + ": " + cells.length + " columns, allowed: " + COLUMNS
                    + " (name, -1, then time, collective and bytes of forward, input and weight pass, update time)");
        }
        return new AicbLayer(
                cells[0],
                amount(cells[2], where + ": column 3"),
                communication(where, cells, 3, Group.TENSOR),
                amount(cells[5], where + ": column 6"),
                communication(where, cells, 6, Group.TENSOR),
                amount(cells[8], where + ": column 9"),
                communication(where, cells, 9, Group.DATA));
    }

    /**
     * SimAI takes forward and input collectives for those of the tensor group, the weights' for data-parallel, unless a
     * suffix says else.
     */
    private static Communication communication(String where, String[] cells, int column, Group plain) {
        String word = cells[column];
        double bytes = amount(cells[column + 1], where + ": column " + (column + 2));
        Group group = plain;
        String kind = word;
        if (word.endsWith("_DP_EP")) {
            group = Group.EXPERT_DATA;
            kind = word.substring(0, word.length() - "_DP_EP".length());
        } else if (word.endsWith("_EP")) {
            group = Group.EXPERT;
            kind = word.substring(0, word.length() - "_EP".length());
        }
        if (word.equals("NONE")) {
            return new Communication(null, plain, 0);
        }
        CollectiveKind known = KINDS.get(kind);
        if (known == null) {
            throw new IllegalArgumentException(where + ": column " + (column + 1) + ": '" + word + "', allowed: NONE "
                    + String.join(" ", KINDS.keySet()) + ", with or without _EP or _DP_EP");
        }
        return new Communication(known, group, bytes);
    }

    static double amount(String text, String where) {
        try {
            double value = Double.parseDouble(text);
            if (value >= 0 && !Double.isInfinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // told below, as a number that is not allowed
        }
        throw new IllegalArgumentException(where + ": '" + text + "', allowed: a number, 0 or more");
    }

    /** Whether an iteration has the line once and not for each micro-batch. */
    boolean once() {
        return name.contains("grad")
                || name.equals("norm")
                || name.equals("layernorm")
                || name.startsWith("cross_entropy")
                || name.startsWith("optimizer");
    }

    /**
     * AICB's older files gather the parameters, among data-parallel ranks, in the forward pass of a line of gradients.
     */
    Communication parameterGather() {
        return name.equals("grad_norm")
                ? new Communication(forwardCommunication.kind(), Group.DATA, forwardCommunication.bytes())
                : new Communication(null, Group.DATA, 0);
    }
}
