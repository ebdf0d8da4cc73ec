package dev.lightpath.sim.core.plant;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The fibres: for each port, the port at which its light arrives. Each strand carries light one way; a duplex fibre is
 * two strands. Labels are written once by the installer and never change.
 */
public final class Cabling {
    private final Plant plant;
    private final int[] to;
    private final int[] from;
    private int[] labelTo = new int[0];
    private int[] labelFrom = new int[0];

    /** Nothing plugged in. */
    public Cabling(Plant plant) {
        this.plant = plant;
        to = new int[plant.portCount()];
        from = new int[plant.portCount()];
        Arrays.fill(to, -1);
        Arrays.fill(from, -1);
    }

    /**
     * Plugs in one strand.
     *
     * @throws IllegalArgumentException when light cannot leave one port or enter the other, or a plug is taken
     */
    public void strand(int leaves, int enters) {
        PortSide out = plant.side(leaves);
        PortSide in = plant.side(enters);
        if (out != PortSide.BOTH && out != PortSide.EGRESS && out != PortSide.LINE) {
            throw new IllegalArgumentException("no light leaves " + plant.fullName(leaves) + ", its side is " + out);
        }
        if (in != PortSide.BOTH && in != PortSide.INGRESS && in != PortSide.LINE) {
            throw new IllegalArgumentException("no light enters " + plant.fullName(enters) + ", its side is " + in);
        }
        if (leaves == enters) {
            throw new IllegalArgumentException("fibre from " + plant.fullName(leaves) + " to itself");
        }
        if (to[leaves] >= 0) {
            throw new IllegalArgumentException(
                    plant.fullName(leaves) + " already sends to " + plant.fullName(to[leaves]));
        }
        if (from[enters] >= 0) {
            throw new IllegalArgumentException(
                    plant.fullName(enters) + " already hears " + plant.fullName(from[enters]));
        }
        to[leaves] = enters;
        from[enters] = leaves;
    }

    /** Plugs in both strands of a duplex fibre. */
    public void duplex(int a, int b) {
        strand(a, b);
        strand(b, a);
    }

    /** The installer labels what is plugged in now. */
    public void label() {
        labelTo = to.clone();
        labelFrom = from.clone();
    }

    /** Where light that leaves a port arrives, -1 nowhere. */
    public int to(int port) {
        return to[port];
    }

    /** Where light that arrives at a port left, -1 nowhere. */
    public int from(int port) {
        return from[port];
    }

    /** Where the label says that light goes, -1 unlabelled. */
    public int labelTo(int port) {
        return labelTo[port];
    }

    /** Where the label says that light comes from, -1 unlabelled. */
    public int labelFrom(int port) {
        return labelFrom[port];
    }

    /**
     * Plugs in everything as it is labelled, and then exchanges the plugs of two ports, pair by pair.
     *
     * @return the ports whose far end is another one than before
     */
    public BitSet exchanged(List<int[]> pairs) {
        int[] before = to.clone();
        int[] heard = from.clone();
        System.arraycopy(labelTo, 0, to, 0, to.length);
        System.arraycopy(labelFrom, 0, from, 0, from.length);
        pairs.forEach(pair -> exchange(pair[0], pair[1]));
        BitSet changed = new BitSet();
        for (int port = 0; port < to.length; port++) {
            changed.set(port, to[port] != before[port] || from[port] != heard[port]);
        }
        return changed;
    }

    /** Both strands. */
    private void exchange(int a, int b) {
        int toA = to[a];
        int toB = to[b];
        int fromA = from[a];
        int fromB = from[b];
        if (toA == b || toB == a) {
            return;
        }
        plug(a, toB, fromB);
        plug(b, toA, fromA);
    }

    private void plug(int port, int far, int near) {
        to[port] = far;
        if (far >= 0) {
            from[far] = port;
        }
        from[port] = near;
        if (near >= 0) {
            to[near] = port;
        }
    }
}
