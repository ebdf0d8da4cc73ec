package dev.lightpath.planner.delta.simulation;

/** Tasks that know when they will start, earliest first; a binary heap without allocation. */
final class StartQueue {
    private final int[] heap;
    private final double[] start;
    private int size;

    StartQueue(double[] start) {
        this.start = start;
        this.heap = new int[start.length];
    }

    void clear() {
        size = 0;
    }

    double earliest() {
        return size == 0 ? Double.POSITIVE_INFINITY : start[heap[0]];
    }

    void add(int task) {
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!before(task, heap[parent])) {
                break;
            }
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = task;
    }

    int remove() {
        int first = heap[0];
        int moved = heap[--size];
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && before(heap[child + 1], heap[child])) {
                child++;
            }
            if (!before(heap[child], moved)) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = moved;
        return first;
    }

    private boolean before(int a, int b) {
        return start[a] < start[b] || (start[a] == start[b] && a < b);
    }
}
