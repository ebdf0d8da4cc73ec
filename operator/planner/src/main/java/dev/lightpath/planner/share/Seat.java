package dev.lightpath.planner.share;

import java.util.Comparator;

/**
 * What there is one Lease for.
 *
 * @param name of the fabric or the replica; else empty
 */
public record Seat(Kind kind, String name) implements Comparable<Seat> {
    private static final Comparator<Seat> ORDER =
            Comparator.comparing(Seat::kind).thenComparing(Seat::name);

    /** What keeps out a process that leads everything: all replicas that share renew it, none holds it alone. */
    public static final Seat GUARD = new Seat(Kind.GUARD, "");
    /** What is of no fabric. */
    public static final Seat REST = new Seat(Kind.REST, "");

    public enum Kind {
        GUARD,
        /** By which a replica tells that it is alive, and can lead. */
        REPLICA,
        REST,
        FABRIC
    }

    public static Seat ofReplica(String name) {
        return new Seat(Kind.REPLICA, name);
    }

    public static Seat ofFabric(String name) {
        return new Seat(Kind.FABRIC, name);
    }

    @Override
    public int compareTo(Seat other) {
        return ORDER.compare(this, other);
    }
}
