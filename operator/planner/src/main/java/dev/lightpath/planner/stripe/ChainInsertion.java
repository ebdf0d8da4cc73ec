package dev.lightpath.planner.stripe;

/**
 * Places circuits one by one along alternating chains, after Koenig's proof that a bipartite graph of degree at most
 * {@code switches * ports} splits over the switches. On two-sided devices with equal budgets a chain always exists;
 * elsewhere one may be missing and the circuit stays unplaced. Worst case O(nodes * ports) per chain, O(switches^2)
 * chains tried per circuit and usually a few.
 */
final class ChainInsertion {
    private static final int ENOUGH_CHAINS = 48;

    private final Colouring colouring;
    /** Moves of the chain under trial: pair, from, to. */
    private int[] log = new int[48];

    private int logged;
    /** Circuits of the chain under trial that are to be lit at a node and switch. */
    private final int[] landing;

    ChainInsertion(Colouring colouring) {
        this.colouring = colouring;
        landing = new int[colouring.graph.nodes * colouring.switches];
    }

    /** Keeps what can be kept, then inserts all other circuits; what resists stays unplaced. */
    void insertAll() {
        keep();
        int position = colouring.unplacedCount() - 1;
        while (position >= 0) {
            int q = colouring.take(position);
            if (!insert(q)) {
                colouring.putBack(q);
            }
            position--;
        }
    }

    private void keep() {
        for (int position = colouring.unplacedCount() - 1; position >= 0; position--) {
            int q = colouring.unplaced(position);
            for (int k = 0; k < colouring.switches; k++) {
                if (colouring.gains(q, k)
                        && colouring.free(colouring.graph.first[q], k)
                        && colouring.free(colouring.graph.second[q], k)) {
                    colouring.take(position);
                    colouring.place(q, k);
                    break;
                }
            }
        }
    }

    private boolean insert(int q) {
        int u = colouring.graph.first[q];
        int v = colouring.graph.second[q];
        int common = -1;
        int least = Integer.MAX_VALUE;
        for (int k = 0; k < colouring.switches; k++) {
            if (colouring.free(u, k) && colouring.free(v, k)) {
                // spare ports stay spread over the switches: the next change will find some
                int load = colouring.gains(q, k) ? -1 : colouring.used(u, k) + colouring.used(v, k);
                if (load < least) {
                    least = load;
                    common = k;
                }
            }
        }
        if (common >= 0) {
            colouring.place(q, common);
            return true;
        }
        int bestA = -1;
        int bestB = -1;
        int bestKept = Integer.MIN_VALUE;
        int chains = 0;
        for (int a = 0; a < colouring.switches && chains < ENOUGH_CHAINS; a++) {
            for (int b = 0; b < colouring.switches && colouring.free(u, a); b++) {
                if (a != b && colouring.free(v, b)) {
                    chains++;
                    if (shift(u, v, a, b) && colouring.kept() > bestKept) {
                        bestKept = colouring.kept();
                        bestA = a;
                        bestB = b;
                    }
                    undo();
                }
            }
        }
        if (bestA < 0) {
            return false;
        }
        boolean again = shift(u, v, bestA, bestB);
        logged = 0;
        if (!again) {
            return false;
        }
        colouring.place(q, bestA);
        return true;
    }

    /**
     * Frees switch a at v by moving circuits between a and b along a trail that starts at v. Each circuit is taken
     * down, and lit on the other switch once the end of the trail is found, so none moves twice. True if a is then free
     * at both ends of the new circuit.
     */
    private boolean shift(int u, int v, int a, int b) {
        int node = v;
        int from = a;
        int to = b;
        // the new circuit's own claim, so that no trail ends in the place it frees
        landing[u * colouring.switches + a]++;
        landing[v * colouring.switches + a]++;
        while (true) {
            int q = departing(node, from, to);
            if (q < 0) {
                relight(false);
                landing[u * colouring.switches + a] = 0;
                landing[v * colouring.switches + a] = 0;
                return false;
            }
            colouring.remove(q, from);
            log(q, from, to);
            landing[colouring.graph.first[q] * colouring.switches + to]++;
            landing[colouring.graph.second[q] * colouring.switches + to]++;
            node = colouring.graph.first[q] == node ? colouring.graph.second[q] : colouring.graph.first[q];
            if (free(node, to)) {
                break;
            }
            int swap = from;
            from = to;
            to = swap;
        }
        boolean fits = free(u, a) && free(v, a);
        relight(fits);
        landing[u * colouring.switches + a] = 0;
        landing[v * colouring.switches + a] = 0;
        return fits;
    }

    private boolean free(int node, int k) {
        int at = node * colouring.switches + k;
        return colouring.used(node, k) + landing[at] <= colouring.graph.capacity[at];
    }

    private void relight(boolean moved) {
        for (int i = 0; i < logged; i += 3) {
            landing[colouring.graph.first[log[i]] * colouring.switches + log[i + 2]] = 0;
            landing[colouring.graph.second[log[i]] * colouring.switches + log[i + 2]] = 0;
            colouring.place(log[i], moved ? log[i + 2] : log[i + 1]);
        }
        if (!moved) {
            logged = 0;
        }
    }

    /** The circuit at node on `from` whose move to `to` keeps most light, or -1 if none is lit there. */
    private int departing(int node, int from, int to) {
        int best = -1;
        int bestCost = Integer.MAX_VALUE;
        for (int s = 0; s < colouring.used(node, from); s++) {
            int q = colouring.slot(node, from, s);
            int cost = (colouring.loses(q, from) ? 1 : 0) - (colouring.gains(q, to) ? 1 : 0);
            if (cost < bestCost) {
                bestCost = cost;
                best = q;
            }
        }
        return best;
    }

    private void log(int q, int from, int to) {
        if (logged + 3 > log.length) {
            log = java.util.Arrays.copyOf(log, log.length * 2);
        }
        log[logged++] = q;
        log[logged++] = from;
        log[logged++] = to;
    }

    private void undo() {
        for (int i = 0; i < logged; i += 3) {
            colouring.remove(log[i], log[i + 2]);
        }
        for (int i = 0; i < logged; i += 3) {
            colouring.place(log[i], log[i + 1]);
        }
        logged = 0;
    }
}
