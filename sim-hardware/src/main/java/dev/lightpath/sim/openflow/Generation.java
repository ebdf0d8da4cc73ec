package dev.lightpath.sim.openflow;

/** Of the last controller that became master (OpenFlow 1.4, 6.3.6). */
final class Generation {
    private long last;

    synchronized long last() {
        return last;
    }

    synchronized long become(long next) throws Refusal {
        if (next - last < 0) {
            throw Refusal.staleRole();
        }
        last = next;
        return last;
    }
}
