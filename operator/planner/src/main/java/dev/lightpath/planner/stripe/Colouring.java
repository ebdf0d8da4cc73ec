package dev.lightpath.planner.stripe;

import java.util.Arrays;

/**
 * A partial assignment of a {@link CircuitGraph}'s circuits to switches that never exceeds a capacity. Circuits not yet
 * on a switch are unplaced. Every operation costs O(ports of a pod on a switch).
 */
final class Colouring {
    final CircuitGraph graph;
    final int switches;
    /** Circuits of pair q on switch k, at {@code q * switches + k}. */
    final int[] placed;

    private final int stride;
    /** Pairs lit at node v on switch k, the first {@code used} of {@code stride} places. */
    private final int[] slots;

    private final int[] used;
    private int[] unplaced;
    private int unplacedCount;
    private int kept;
    /**
     * Places {@code q * switches + k} with more circuits than could stay there: the first {@code displacedCount} of the
     * list.
     */
    private final int[] displaced;

    private final int[] displacedAt;
    private int displacedCount;
    /** Since the last mark: {@code q * switches + k} for a circuit lit, its complement for one taken down. */
    private int[] journal = new int[64];

    private int journalled;

    Colouring(CircuitGraph graph) {
        this.graph = graph;
        switches = graph.switches;
        stride = graph.request.portsPerPod();
        placed = new int[graph.pairs() * switches];
        slots = new int[graph.nodes * switches * stride];
        used = new int[graph.nodes * switches];
        int total = 0;
        for (int count : graph.wanted) {
            total += count;
        }
        unplaced = new int[total];
        displaced = new int[placed.length];
        displacedAt = new int[placed.length];
        for (int q = 0; q < graph.pairs(); q++) {
            for (int c = 0; c < graph.wanted[q]; c++) {
                unplaced[unplacedCount++] = q;
            }
        }
    }

    private Colouring(Colouring other) {
        graph = other.graph;
        switches = other.switches;
        stride = other.stride;
        placed = other.placed.clone();
        slots = other.slots.clone();
        used = other.used.clone();
        unplaced = other.unplaced.clone();
        unplacedCount = other.unplacedCount;
        kept = other.kept;
        displaced = other.displaced.clone();
        displacedAt = other.displacedAt.clone();
        displacedCount = other.displacedCount;
    }

    Colouring copy() {
        return new Colouring(this);
    }

    void become(Colouring other) {
        System.arraycopy(other.placed, 0, placed, 0, placed.length);
        System.arraycopy(other.slots, 0, slots, 0, slots.length);
        System.arraycopy(other.used, 0, used, 0, used.length);
        System.arraycopy(other.unplaced, 0, unplaced, 0, other.unplacedCount);
        unplacedCount = other.unplacedCount;
        kept = other.kept;
        journalled = 0;
        System.arraycopy(other.displaced, 0, displaced, 0, other.displacedCount);
        System.arraycopy(other.displacedAt, 0, displacedAt, 0, displacedAt.length);
        displacedCount = other.displacedCount;
    }

    int kept() {
        return kept;
    }

    int unplacedCount() {
        return unplacedCount;
    }

    int unplaced(int position) {
        return unplaced[position];
    }

    int displacedCount() {
        return displacedCount;
    }

    /** A place {@code q * switches + k} that holds more circuits than were there before. */
    int displaced(int position) {
        return displaced[position];
    }

    boolean free(int node, int k) {
        return used[node * switches + k] < graph.capacity[node * switches + k];
    }

    int used(int node, int k) {
        return used[node * switches + k];
    }

    int slot(int node, int k, int position) {
        return slots[(node * switches + k) * stride + position];
    }

    boolean gains(int q, int k) {
        return placed[q * switches + k] < graph.old[q * switches + k];
    }

    boolean loses(int q, int k) {
        return placed[q * switches + k] <= graph.old[q * switches + k];
    }

    /** Takes an unplaced circuit off the list, for the caller to place. */
    int take(int position) {
        int q = unplaced[position];
        unplaced[position] = unplaced[--unplacedCount];
        return q;
    }

    int takeOf(int q) {
        for (int i = 0; i < unplacedCount; i++) {
            if (unplaced[i] == q) {
                return take(i);
            }
        }
        throw new IllegalStateException("no unplaced circuit of pair " + q);
    }

    void putBack(int q) {
        unplaced[unplacedCount++] = q;
    }

    /** Forgets how it came to this state; the next {@link #rollBack} returns here. */
    void mark() {
        journalled = 0;
    }

    /** Undoes everything since the mark, which must have been set on a complete colouring. */
    void rollBack() {
        while (journalled > 0) {
            int at = journal[--journalled];
            if (at >= 0) {
                takeDown(at / switches, at % switches);
            } else {
                light(~at / switches, ~at % switches);
            }
        }
        unplacedCount = 0;
    }

    private void record(int entry) {
        if (journalled == journal.length) {
            journal = Arrays.copyOf(journal, 2 * journalled);
        }
        journal[journalled++] = entry;
    }

    /** Lights a circuit that the caller has taken; both ends must be free. */
    void place(int q, int k) {
        record(q * switches + k);
        light(q, k);
    }

    private void light(int q, int k) {
        int at = q * switches + k;
        if (placed[at]++ < graph.old[at]) {
            kept++;
        } else if (placed[at] == graph.old[at] + 1) {
            displacedAt[at] = displacedCount;
            displaced[displacedCount++] = at;
        }
        add(graph.first[q], k, q);
        add(graph.second[q], k, q);
    }

    /** Takes a circuit down; the caller places it elsewhere or puts it back. */
    void remove(int q, int k) {
        record(~(q * switches + k));
        takeDown(q, k);
    }

    private void takeDown(int q, int k) {
        int at = q * switches + k;
        if (placed[at]-- <= graph.old[at]) {
            kept--;
        } else if (placed[at] == graph.old[at]) {
            int last = displaced[--displacedCount];
            displaced[displacedAt[at]] = last;
            displacedAt[last] = displacedAt[at];
        }
        drop(graph.first[q], k, q);
        drop(graph.second[q], k, q);
    }

    private void add(int node, int k, int q) {
        int at = node * switches + k;
        slots[at * stride + used[at]++] = q;
    }

    private void drop(int node, int k, int q) {
        int at = node * switches + k;
        int last = at * stride + --used[at];
        int position = last;
        while (slots[position] != q) {
            position--;
        }
        slots[position] = slots[last];
    }

    @Override
    public String toString() {
        return "kept " + kept + ", unplaced " + unplacedCount + ", placed "
                + Arrays.stream(placed).sum();
    }
}
