package dev.lightpath.sim.core;

import dev.lightpath.sim.core.move.ConnectionState;
import java.util.Arrays;

/** The connections of each device by its commands and its own belief, whatever its elements do. */
final class CommandedState {
    private final int[] to;
    private final int[] by;
    private final byte[] state;
    private final long[] sinceNanos;

    CommandedState(int ports) {
        to = new int[ports];
        by = new int[ports];
        state = new byte[ports];
        sinceNanos = new long[ports];
        Arrays.fill(to, -1);
        Arrays.fill(by, -1);
    }

    int egressOf(int ingress) {
        return to[ingress];
    }

    /** Ingress of the connection a port takes part in, -1 when none. */
    int connectionAt(int port) {
        return to[port] >= 0 ? port : by[port];
    }

    ConnectionState stateOf(int ingress) {
        return ConnectionState.values()[state[ingress]];
    }

    long sinceNanos(int ingress) {
        return sinceNanos[ingress];
    }

    /** The caller has cleared what used the ports. */
    void set(int ingress, int egress, ConnectionState now, long nowNanos) {
        to[ingress] = egress;
        by[egress] = ingress;
        state[ingress] = (byte) now.ordinal();
        sinceNanos[ingress] = nowNanos;
    }

    void clear(int ingress) {
        int egress = to[ingress];
        if (egress >= 0) {
            to[ingress] = -1;
            by[egress] = -1;
        }
    }
}
