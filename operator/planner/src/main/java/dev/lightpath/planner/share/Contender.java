package dev.lightpath.planner.share;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One of several replicas that share fabrics, by one Lease for each. All times are of its own monotonic clock.
 *
 * <p>No two lead one fabric, whatever they believe of groups and of each other. A replica counts a Lease as its own for
 * less time, from before it asked for its last write, than others wait, from after they first saw the outcome of that
 * write. Whoever takes a Lease writes over the version that it saw run out, so of two that try one is refused.
 *
 * <p>A process that leads everything, as those do that do not share, holds {@link Seat#GUARD}. Replicas lead nothing
 * unless they wrote it for all that share lately, each by itself. None gives it back, since others may still count on
 * it. Not thread-safe.
 */
public final class Contender {
    /** How long nobody else may take what was written. A replica that was killed is replaced within ten seconds. */
    public static final Duration LASTS = Duration.ofSeconds(6);
    /** That of processes that lead everything, which compare clocks of two machines. */
    public static final Duration GUARD_LASTS = Duration.ofSeconds(15);
    /** What the Lease of a fabric says that was given back, beside that nobody holds it. */
    public static final Duration GIVEN_BACK = Duration.ofSeconds(1);
    /** No Lease is waited for longer, whatever a person wrote there. */
    private static final Duration LONGEST = Duration.ofSeconds(60);
    /** After so long without a look the API server was away, or this process stood still. */
    private static final long AWAY_NANOS = Duration.ofSeconds(3).toNanos();
    /** So long whoever could not renew a Lease meanwhile has to do so. */
    private static final Duration BACK = Duration.ofSeconds(2);

    /** Shorter than others wait: what is begun in time may end a little later. */
    private static final long COUNTS_NANOS = Duration.ofSeconds(5).toNanos();

    private static final long GUARD_COUNTS_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long RENEW_NANOS = Duration.ofMillis(1500).toNanos();
    /**
     * All replicas write the guard, and of two that do so at once one is refused. This is longer than one look takes at
     * a slow API server, so that whoever was refused comes next while the other rests.
     */
    private static final long RENEW_GUARD_NANOS = Duration.ofSeconds(4).toNanos();

    /** From one time that Leases are counted to the next, and longer. */
    private static final long AHEAD_NANOS = Duration.ofMillis(1500).toNanos();
    /** By so much those that stay are younger than those that are left before they run out. */
    private static final long YOUNGER_NANOS = Duration.ofMillis(500).toNanos();
    /**
     * So long a share has to be uneven before fabrics move that are well led. It bounds how often those who create jobs
     * can have fabrics handed over: each job that joins two groups does so once, and they part no sooner.
     */
    public static final Duration UNEVEN = Duration.ofSeconds(30);
    /**
     * So long a replica that cannot lead leaves everything to others; twice as long each time, if it fails soon again.
     */
    private static final long UNFIT_NANOS = Duration.ofSeconds(60).toNanos();

    private static final long LONGEST_UNFIT_NANOS = Duration.ofHours(1).toNanos();
    /** So long after that it has to lead until it is as good as any. */
    private static final long PROVED_NANOS = Duration.ofMinutes(10).toNanos();

    private static final long LEFT_NANOS = Duration.ofMinutes(1).toNanos();

    /**
     * @param nanos when it was first there with this version, at the latest
     * @param waited whether it was waited for longer once because nobody could renew it
     */
    private record Seen(SeenLease lease, long nanos, boolean waited) {
        Seen(SeenLease lease, long nanos) {
            this(lease, nanos, false);
        }

        /** Once, so that nobody waits for ever for one who is gone where each look takes long. */
        Seen afterAbsence(long now) {
            return waited
                    ? this
                    : new Seen(lease, Math.max(nanos, now - lasts().minus(BACK).toNanos()), true);
        }

        /**
         * A person may write anything there, while its holder counts on what it wrote itself. So nobody takes it
         * earlier, and one without a holder that nobody gave back is waited for too.
         */
        boolean isHeld(long now) {
            boolean free = lease.holder().isEmpty()
                    && (lease.seat().equals(Seat.GUARD) || lease.lasts().compareTo(GIVEN_BACK) <= 0);
            return !free && now - nanos < lasts().toNanos();
        }

        private Duration lasts() {
            Duration least = lease.seat().equals(Seat.GUARD) && !lease.shared() ? GUARD_LASTS : LASTS;
            Duration said = lease.lasts().compareTo(least) < 0 ? least : lease.lasts();
            return said.compareTo(LONGEST) < 0 ? said : LONGEST;
        }
    }

    private final String self;
    /** By seat; those of Leases that are gone too, until they would have run out. */
    private Map<Seat, Seen> seen = new HashMap<>();
    /** Those in {@link #seen} that are there. */
    private Map<Seat, String> versions = new HashMap<>();
    /** By seat that this replica holds, the moment before its last write. */
    private final SortedMap<Seat, Long> held = new TreeMap<>();
    /** By seat that it left, the moment before the look that said so. */
    private final Map<Seat, Long> left = new HashMap<>();
    /** The moment before the last look. */
    private long looked;
    /** When the last look was answered. */
    private OptionalLong answered = OptionalLong.empty();
    /** By name of each replica that is alive, the look that saw it so first. */
    private final Map<String, Long> aliveSince = new HashMap<>();
    /** From when on a Lease that is not there was not deleted lately: its holder would count on it still. */
    private OptionalLong missingNanos = OptionalLong.empty();
    /** The moment before this replica last wrote the guard. */
    private OptionalLong guarded = OptionalLong.empty();

    private FabricGroups groups = FabricGroups.of(new TreeMap<>());
    private SortedSet<String> even = new TreeSet<>();
    private OptionalLong uneven = OptionalLong.empty();
    /** When it was found unfit last, and for how long that counts. */
    private OptionalLong unfit = OptionalLong.empty();

    private long unfitNanos = UNFIT_NANOS;

    /** @param self another for each process; no other ever has it */
    public Contender(String self) {
        this.self = self;
    }

    /**
     * Says what to do after a look at all Leases. Linear in Leases and fabrics, times replicas.
     *
     * @param listed as the API server has them now
     * @param now groups as this replica sees them, which may be another's truth or an old one
     * @param fit whether this replica can lead what it holds
     * @param nanos before they were asked for
     * @param answeredNanos once they were there: what is new may have been written until then
     */
    public LeaseActions look(
            Collection<SeenLease> listed, FabricGroups now, boolean fit, long nanos, long answeredNanos) {
        looked = nanos;
        see(listed, nanos, answeredNanos);
        groups = now;
        SortedSet<String> replicas = replicas(nanos);
        aliveSince.keySet().retainAll(replicas);
        replicas.forEach(replica -> aliveSince.putIfAbsent(replica, nanos));
        if (missingNanos.isEmpty()) {
            missingNanos = OptionalLong.of(replicas.size() == 1 ? nanos : answeredNanos + LASTS.toNanos());
        }
        if (!fit) {
            fails(nanos);
        }
        boolean stands = unfit.isEmpty() || nanos - unfit.getAsLong() >= unfitNanos || replicas.size() == 1;
        SortedSet<Seat> wanted = new TreeSet<>();
        if (stands) {
            wanted.add(Seat.ofReplica(self));
        }
        if (stands && !isLedAsAWhole(nanos)) {
            wanted.add(Seat.GUARD);
            wanted.addAll(wanted(replicas, nanos));
        } else {
            uneven = OptionalLong.empty();
        }
        SortedMap<Seat, String> write = new TreeMap<>();
        wanted.stream()
                .filter(seat -> mayWrite(seat, nanos, answeredNanos))
                .forEach(seat -> write.put(seat, versions.getOrDefault(seat, "")));
        SortedSet<Seat> give = new TreeSet<>(held.keySet());
        give.removeAll(wanted);
        return new LeaseActions(write, give, counts(Seat.REST, nanos) ? unneeded(nanos) : new TreeMap<>());
    }

    private void fails(long nanos) {
        long since = unfit.isEmpty() ? Long.MAX_VALUE : nanos - unfit.getAsLong();
        if (unfit.isEmpty() || since >= unfitNanos + PROVED_NANOS) {
            unfitNanos = UNFIT_NANOS;
        } else if (since >= unfitNanos) {
            unfitNanos = Math.min(2 * unfitNanos, LONGEST_UNFIT_NANOS);
        }
        unfit = OptionalLong.of(nanos);
    }

    private void see(Collection<SeenLease> listed, long nanos, long answeredNanos) {
        Map<Seat, Seen> now = new HashMap<>();
        Map<Seat, String> there = new HashMap<>();
        boolean away = answered.isPresent() && answeredNanos - answered.getAsLong() > AWAY_NANOS;
        answered = OptionalLong.of(answeredNanos);
        for (SeenLease lease : listed) {
            Seen before = seen.get(lease.seat());
            if (lease.seat().equals(Seat.GUARD) && !lease.shared()) {
                guarded = OptionalLong.empty();
            }
            if (before == null || !before.lease().version().equals(lease.version())) {
                now.put(lease.seat(), new Seen(lease, answeredNanos));
            } else {
                now.put(lease.seat(), away ? before.afterAbsence(answeredNanos) : before);
            }
            there.put(lease.seat(), lease.version());
        }
        held.keySet().removeIf(seat -> {
            Seen of = now.get(seat);
            return of == null || !of.lease().holder().equals(self);
        });
        // whoever held one that was deleted may count on it for as long as if it were there
        seen.forEach((seat, before) -> {
            if (before.isHeld(nanos)) {
                now.putIfAbsent(seat, before);
            }
        });
        seen = now;
        versions = there;
        left.values().removeIf(since -> nanos - since > LEFT_NANOS);
    }

    private boolean isShared() {
        Seen guard = seen.get(Seat.GUARD);
        return guard == null || guard.lease().shared();
    }

    private boolean isLedAsAWhole(long nanos) {
        Seen guard = seen.get(Seat.GUARD);
        return guard != null && !guard.lease().shared() && guard.isHeld(nanos);
    }

    /** Names of those that are alive, this one among them. */
    private SortedSet<String> replicas(long nanos) {
        SortedSet<String> alive = new TreeSet<>();
        alive.add(self);
        seen.forEach((seat, of) -> {
            if (seat.kind() == Seat.Kind.REPLICA
                    && versions.containsKey(seat)
                    && of.lease().holder().equals(seat.name())
                    && of.isHeld(nanos)) {
                alive.add(seat.name());
            }
        });
        return alive;
    }

    private SortedSet<Seat> wanted(SortedSet<String> replicas, long nanos) {
        Map<String, String> holders = new HashMap<>();
        seen.forEach((seat, of) -> {
            if (seat.kind() == Seat.Kind.FABRIC && of.isHeld(nanos)) {
                holders.put(seat.name(), of.lease().holder());
            }
        });
        Map<String, SortedSet<String>> candidates = new HashMap<>();
        groups.groups()
                .forEach((group, fabrics) -> candidates.put(
                        group, candidates(fabrics.stream().map(Seat::ofFabric).toList(), replicas)));
        Assignment kept = Assignment.of(groups.groups(), holders, replicas, candidates);
        SortedSet<Seat> wanted = new TreeSet<>();
        for (String group : paced(kept, nanos)) {
            groups.groups().getOrDefault(group, new TreeSet<>()).stream()
                    .map(Seat::ofFabric)
                    .forEach(wanted::add);
        }
        Seen rest = seen.get(Seat.REST);
        String holder = rest != null && rest.isHeld(nanos) ? rest.lease().holder() : "";
        if (Assignment.one(Seat.REST.kind().name(), holder, replicas, candidates(List.of(Seat.REST), replicas))
                .equals(self)) {
            wanted.add(Seat.REST);
        }
        return wanted;
    }

    /**
     * Who may take Leases that ran out: the replicas that were alive when these were written last, or all if none was.
     * Whoever came later waits for them longer, from when it saw them first.
     */
    private SortedSet<String> candidates(Collection<Seat> seats, SortedSet<String> replicas) {
        Map<String, Long> alive = new HashMap<>(aliveSince);
        for (Seat seat : seats) {
            Seen of = seen.get(seat);
            if (of != null && !of.lease().holder().isEmpty()) {
                alive.values().removeIf(since -> since - of.nanos() > 0);
            }
        }
        return alive.isEmpty() ? replicas : new TreeSet<>(alive.keySet());
    }

    /** Names of groups. They move for evenness only if it was missing for a while, and always the same way. */
    private SortedSet<String> paced(Assignment kept, long nanos) {
        SortedSet<String> stays = kept.of(self);
        SortedSet<String> next = kept.balanced().of(self);
        if (next.equals(stays)) {
            uneven = OptionalLong.empty();
            return stays;
        }
        if (uneven.isEmpty() || !next.equals(even)) {
            even = next;
            uneven = OptionalLong.of(nanos);
        }
        return nanos - uneven.getAsLong() < UNEVEN.toNanos() ? stays : next;
    }

    /** @param writeNanos when it would be written */
    private boolean mayWrite(Seat seat, long nanos, long writeNanos) {
        if (seat.equals(Seat.GUARD)) {
            return guarded.isEmpty() || writeNanos - guarded.getAsLong() >= RENEW_GUARD_NANOS;
        }
        Long since = held.get(seat);
        if (since != null) {
            return writeNanos - since >= RENEW_NANOS;
        }
        if (seat.equals(Seat.ofReplica(self))) {
            return true;
        }
        Seen of = seen.get(seat);
        return of == null
                ? writeNanos - missingNanos.orElse(writeNanos) >= 0
                : !of.isHeld(nanos) || of.lease().holder().equals(self);
    }

    private SortedMap<Seat, String> unneeded(long nanos) {
        SortedMap<Seat, String> unneeded = new TreeMap<>();
        seen.forEach((seat, of) -> {
            boolean needed = switch (seat.kind()) {
                case GUARD, REST -> true;
                case FABRIC -> groups.has(seat.name());
                case REPLICA -> seat.equals(Seat.ofReplica(self));
            };
            if (!needed && nanos - of.nanos() > LEFT_NANOS) {
                unneeded.put(seat, of.lease().version());
            }
        });
        return unneeded;
    }

    /**
     * A write was carried out. However late its answer comes, it counts unless the Lease was written once more since,
     * or left. That of the guard counts as well where others that share wrote it since.
     *
     * @param over the version that it was to replace
     * @param version that it led to
     * @param nanos before it was asked for
     */
    public void wrote(Seat seat, String over, String version, long nanos) {
        String last = version(seat);
        if (seat.equals(Seat.GUARD) && isShared()) {
            guarded = OptionalLong.of(Math.max(nanos, guarded.orElse(nanos)));
        }
        if (!last.equals(over) && !last.equals(version) || left.containsKey(seat) && nanos - left.get(seat) < 0) {
            return;
        }
        boolean shared = seat.equals(Seat.GUARD);
        Duration lasts = shared ? GUARD_LASTS : LASTS;
        String holder = shared ? guardian(nanos) : self;
        seen.put(seat, new Seen(new SeenLease(seat, holder, shared, version, lasts), nanos));
        versions.put(seat, version);
        if (shared) {
            guarded = OptionalLong.of(nanos);
        } else {
            held.put(seat, nanos);
        }
    }

    /** From now on it does not count as this replica's, whether or not giving it back succeeds. */
    public void leave(Seat seat) {
        held.remove(seat);
        left.put(seat, looked);
    }

    /** What this replica holds, for certain or not. */
    public SortedSet<Seat> held() {
        return new TreeSet<>(held.keySet());
    }

    /** In whose name the guard is written: of whoever leads the rest, as far as this replica knows. */
    public String guardian(long nanos) {
        Seen guard = seen.get(Seat.GUARD);
        if (guard == null || !guard.lease().shared() || counts(Seat.REST, nanos)) {
            return self;
        }
        String holder = guard.lease().holder();
        return replicas(nanos).contains(holder) ? holder : self;
    }

    /** The version of a Lease as it was seen last; empty where there was none. */
    public String version(Seat seat) {
        return versions.getOrDefault(seat, "");
    }

    /** Whether this replica surely holds one of the Leases that it took. */
    private boolean counts(Seat seat, long nanos) {
        Long since = held.get(seat);
        return since != null && nanos - since < COUNTS_NANOS;
    }

    /** What this replica may lead now: of groups those that it holds all Leases of. */
    public Led led(long nanos) {
        SortedSet<String> fabrics = new TreeSet<>();
        if (guarded.isEmpty() || nanos - guarded.getAsLong() >= GUARD_COUNTS_NANOS) {
            return new Led(fabrics, false);
        }
        groups.groups().values().forEach(group -> {
            if (group.stream().allMatch(fabric -> counts(Seat.ofFabric(fabric), nanos))) {
                fabrics.addAll(group);
            }
        });
        return new Led(fabrics, counts(Seat.REST, nanos));
    }

    /**
     * What this replica is to lead until it looks again: what {@link #led} says, but without what is about to run out
     * while all else is renewed. Otherwise one Lease that cannot be written would end with its own time that of all
     * that is led beside it.
     */
    public Led leading(long nanos) {
        Led soon = led(nanos + AHEAD_NANOS);
        return !soon.isNothing() && soon.equals(led(nanos + AHEAD_NANOS + YOUNGER_NANOS)) ? soon : led(nanos);
    }

    /** How long that may be led without another word: before it, nobody else can have any of it. */
    public long ledUntil(Led led) {
        long until = guarded.orElse(Long.MIN_VALUE / 2) + GUARD_COUNTS_NANOS;
        for (String fabric : led.fabrics()) {
            until = Math.min(until, until(Seat.ofFabric(fabric)));
        }
        return led.rest() ? Math.min(until, until(Seat.REST)) : until;
    }

    private long until(Seat seat) {
        return held.getOrDefault(seat, Long.MIN_VALUE / 2) + COUNTS_NANOS;
    }
}
