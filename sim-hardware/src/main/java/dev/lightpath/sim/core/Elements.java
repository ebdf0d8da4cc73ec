package dev.lightpath.sim.core;

import dev.lightpath.sim.core.plant.Plant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * Where the elements (mirrors, selectors) really point, whatever the devices report. By construction no port takes part
 * in two circuits. A circuit is lit when its elements are settled and both of its ports pass light. Every such change
 * goes to the log.
 */
final class Elements {
    private final Plant plant;
    private final LightLog log;
    private final IntPredicate passes;
    private final int[] to;
    private final int[] by;
    private final BitSet lit = new BitSet();

    Elements(Plant plant, LightLog log, IntPredicate passes) {
        this.plant = plant;
        this.log = log;
        this.passes = passes;
        to = new int[plant.portCount()];
        by = new int[plant.portCount()];
        Arrays.fill(to, -1);
        Arrays.fill(by, -1);
    }

    /** Egress an ingress points at, -1 when none. */
    int egressOf(int ingress) {
        return to[ingress];
    }

    boolean isLit(int ingress) {
        return lit.get(ingress);
    }

    BitSet lit() {
        return lit;
    }

    /** Points an ingress at an egress. The caller has released both. */
    void point(int ingress, int egress) {
        if (to[ingress] >= 0 || by[ingress] >= 0 || to[egress] >= 0 || by[egress] >= 0) {
            throw new IllegalStateException(
                    "element of " + plant.fullName(ingress) + " or " + plant.fullName(egress) + " points elsewhere");
        }
        to[ingress] = egress;
        by[egress] = ingress;
        refresh(ingress);
    }

    /** Takes away the circuit an ingress takes part in as ingress. */
    void release(int ingress) {
        int egress = to[ingress];
        if (egress < 0) {
            return;
        }
        if (lit.get(ingress)) {
            lit.clear(ingress);
            log.add(LightChange.DARK, ingress, egress);
        }
        to[ingress] = -1;
        by[egress] = -1;
    }

    /** Ingress of the circuit a port takes part in, -1 when none. */
    int circuitAt(int port) {
        return to[port] >= 0 ? port : by[port];
    }

    /** Judges again whether the circuit at a port is lit. */
    void refresh(int port) {
        int ingress = circuitAt(port);
        if (ingress < 0) {
            return;
        }
        boolean now = passes.test(ingress) && passes.test(to[ingress]);
        if (now != lit.get(ingress)) {
            lit.set(ingress, now);
            log.add(now ? LightChange.LIT : LightChange.DARK, ingress, to[ingress]);
        }
    }

    /** Where light that enters a port leaves its device, -1 nowhere. */
    int leaving(int entered) {
        int egress = to[entered];
        if (egress >= 0) {
            return lit.get(entered) ? egress : -1;
        }
        int ingress = by[entered];
        return ingress >= 0 && lit.get(ingress) && plant.duplex(plant.deviceOf(entered)) ? ingress : -1;
    }

    /** Where light that leaves a port entered its device, -1 nowhere. */
    int entering(int left) {
        int ingress = by[left];
        if (ingress >= 0) {
            return lit.get(ingress) ? ingress : -1;
        }
        int egress = to[left];
        return egress >= 0 && lit.get(left) && plant.duplex(plant.deviceOf(left)) ? egress : -1;
    }
}
