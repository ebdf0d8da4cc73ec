package dev.lightpath.planner.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Replicas in virtual time, before a store that writes by version as the API server does. Requests take their time,
 * answers are lost, processes stop and go on, die and are replaced, see groups late, and some lead everything, as
 * before a roll-out.
 */
class SharedLeadershipPropertyTest {
    private static final int FABRICS = 4;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long TROUBLE = 120 * SECOND;
    /** Longer than who was unfit twice is out, and the two moves after that. */
    private static final long REST = 240 * SECOND;

    @Test
    void noTwoEverLeadOneFabricAndAllAreLedEvenlyOnceThereIsPeace() {
        for (int seed = 0; seed < Seeds.of(300); seed++) {
            try {
                new Cluster(new Random(seed), true).play();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    @Test
    void whatADeadReplicaLedIsLedAgainWithinTenSeconds() {
        for (int seed = 0; seed < Seeds.of(300); seed++) {
            try {
                Cluster cluster = new Cluster(new Random(seed), false);
                cluster.start("one", 0);
                cluster.start("other", 0);
                cluster.runTo(60 * SECOND);
                assertThat(cluster.leaders()).hasSize(2);
                cluster.replicas.get("one").kill();
                cluster.runTo(cluster.now + 9 * SECOND);
                assertThat(cluster.leaders()).containsExactly("other");
                assertThat(cluster.replicas.get("other").leads(cluster.now)).hasSize(FABRICS + 1);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    /** Whoever comes after the death waits for as long as the Leases last. Those who saw them before take them. */
    @Test
    void whatADeadReplicaLedWaitsForNoneThatCameAfterIt() {
        for (int seed = 0; seed < Seeds.of(300); seed++) {
            try {
                Cluster cluster = new Cluster(new Random(seed), false);
                cluster.start("one", 0);
                cluster.start("other", 0);
                cluster.runTo(60 * SECOND);
                cluster.replicas.get("one").kill();
                long killed = cluster.now;
                cluster.start("new", killed + 2 * SECOND + cluster.random.nextLong(4 * SECOND));
                cluster.runTo(killed + 9 * SECOND);
                assertThat(cluster.led()).hasSize(FABRICS + 1);
                cluster.runTo(killed + 60 * SECOND);
                assertThat(cluster.leaders()).as("it gets its share").contains("new");
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    @Test
    void whoCannotLeadGivesToOthersAndGetsNothing() {
        Cluster cluster = new Cluster(new Random(7), false);
        cluster.start("stuck", 0);
        cluster.start("other", 0);
        cluster.runTo(60 * SECOND);
        cluster.replicas.get("stuck").fit = false;
        cluster.runTo(cluster.now + 4 * SECOND);
        assertThat(cluster.leaders()).containsExactly("other");
        cluster.runTo(cluster.now + 50 * SECOND);
        assertThat(cluster.leaders()).containsExactly("other");
        cluster.replicas.get("other").kill();
        cluster.runTo(cluster.now + 10 * SECOND);
        assertThat(cluster.leaders()).as("it is better than nobody").containsExactly("stuck");
    }

    /** As a request that hangs in a broken connection: of that fabric alone. */
    @Test
    void aLeaseThatCannotBeWrittenCostsThatFabricAndNoOther() {
        for (int seed = 0; seed < Seeds.of(300); seed++) {
            Cluster cluster = new Cluster(new Random(seed), false);
            cluster.start("only", 0);
            cluster.runTo(20 * SECOND);
            Replica only = cluster.replicas.get("only");
            Set<String> all = only.leads(cluster.now);
            assertThat(all).hasSize(FABRICS + 1);
            cluster.hangs = Set.of(Seat.ofFabric("ring-2"));
            for (int step = 0; step < 300; step++) {
                cluster.runTo(cluster.now + SECOND / 10);
                assertThat(only.leads(cluster.now))
                        .as("seed %d, after %d ms", seed, 100 * step)
                        .contains("ring-0", "ring-1", "ring-3", "the rest");
            }
            assertThat(only.leads(cluster.now)).doesNotContain("ring-2");
            cluster.hangs = Set.of();
            cluster.runTo(cluster.now + 10 * SECOND);
            assertThat(only.leads(cluster.now)).isEqualTo(all);
        }
    }

    /** Longer than a look waits for its writes: their answers count when they come, not when the next look begins. */
    @Test
    void anApiServerThatAnswersLateCostsNothing() {
        for (long slow : List.of(SECOND * 6 / 10, SECOND * 8 / 10)) {
            Cluster cluster = new Cluster(new Random(3), false);
            cluster.start("only", 0);
            cluster.runTo(20 * SECOND);
            Replica only = cluster.replicas.get("only");
            cluster.slow = slow;
            for (int step = 0; step < 1200; step++) {
                cluster.runTo(cluster.now + SECOND / 20);
                assertThat(only.leads(cluster.now))
                        .as("%d ms each way, after %d ms", slow / 1_000_000, 50 * step)
                        .hasSize(FABRICS + 1);
            }
        }
    }

    /** All write the guard, so somebody is always there before somebody else. */
    @Test
    void anApiServerThatAnswersLateKeepsNoReplicaFromLeading() {
        for (int seed = 0; seed < Seeds.of(60); seed++) {
            Cluster cluster = new Cluster(new Random(seed), false);
            cluster.start("one", 0);
            cluster.start("other", cluster.random.nextLong(2 * SECOND));
            cluster.runTo(60 * SECOND);
            cluster.slow = SECOND * (4 + cluster.random.nextInt(5)) / 10;
            cluster.runTo(cluster.now + 30 * SECOND);
            for (int step = 0; step < 600; step++) {
                cluster.runTo(cluster.now + SECOND / 10);
                assertThat(cluster.leaders())
                        .as("seed %d, after %d ms", seed, 100 * step)
                        .hasSize(2);
            }
        }
    }

    /** Who is there again first does not take what the others led. */
    @Test
    void anApiServerThatWasAwayChangesNoShare() {
        for (int seed = 0; seed < Seeds.of(60); seed++) {
            Cluster cluster = new Cluster(new Random(seed), false);
            cluster.start("one", 0);
            cluster.start("other", cluster.random.nextLong(2 * SECOND));
            cluster.runTo(60 * SECOND);
            Set<String> one = cluster.replicas.get("one").leads(cluster.now);
            Set<String> other = cluster.replicas.get("other").leads(cluster.now);
            assertThat(one.size() + other.size()).isEqualTo(FABRICS + 1);
            cluster.away = true;
            cluster.runTo(cluster.now + 12 * SECOND + cluster.random.nextLong(60 * SECOND));
            assertThat(cluster.leaders()).isEmpty();
            cluster.away = false;
            for (int step = 0; step < 300; step++) {
                cluster.runTo(cluster.now + SECOND / 10);
                assertThat(one)
                        .as("seed %d, after %d ms", seed, 100 * step)
                        .containsAll(cluster.replicas.get("one").leads(cluster.now));
                assertThat(other)
                        .as("seed %d, after %d ms", seed, 100 * step)
                        .containsAll(cluster.replicas.get("other").leads(cluster.now));
            }
            assertThat(cluster.replicas.get("one").leads(cluster.now)).isEqualTo(one);
            assertThat(cluster.replicas.get("other").leads(cluster.now)).isEqualTo(other);
        }
    }

    /** The groups as of each moment. */
    private static FabricGroups groups(boolean joined) {
        SortedMap<String, SortedSet<String>> claims = new TreeMap<>();
        for (int fabric = 0; fabric < FABRICS; fabric++) {
            claims.put("ring-" + fabric, new TreeSet<>());
        }
        FabricGroups alone = FabricGroups.of(claims);
        return joined ? alone.joining(List.of(Set.of("ring-1", "ring-3"))) : alone;
    }

    private record Stored(String holder, boolean shared, String version, Duration lasts, long renewed) {}

    private record Event(long at, long order, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
        }
    }

    private static final class Cluster {
        final Random random;
        final SortedMap<String, Replica> replicas = new TreeMap<>();
        final List<Whole> wholes = new ArrayList<>();
        final Map<Seat, Stored> store = new HashMap<>();
        private final PriorityQueue<Event> events = new PriorityQueue<>();
        private final boolean troubled;
        long now;
        private long count;
        private boolean joined;
        private long guardRefused;
        /** Requests about these arrive, if at all, after all others have ended. */
        private Set<Seat> hangs = Set.of();
        /** No request is answered. */
        private boolean away;
        /** At least so long takes each way. */
        private long slow;

        Cluster(Random random, boolean troubled) {
            this.random = random;
            this.troubled = troubled;
        }

        boolean trouble() {
            return troubled && now < TROUBLE;
        }

        void at(long when, Runnable what) {
            events.add(new Event(Math.max(now, when), count++, what));
        }

        void start(String name, long when) {
            replicas.put(name, new Replica(this, name, when));
        }

        void play() {
            if (random.nextBoolean()) {
                wholes.add(new Whole(this, "old"));
            }
            for (int replica = 0; replica < 3; replica++) {
                start("replica-" + replica, random.nextLong(20 * SECOND));
            }
            for (int happening = random.nextInt(12); happening > 0; happening--) {
                at(random.nextLong(TROUBLE), this::happen);
            }
            at(TROUBLE, () -> {
                wholes.forEach(Whole::kill);
                joined = random.nextBoolean();
            });
            runTo(TROUBLE + REST);
            Set<String> led = new TreeSet<>();
            List<Integer> loads = new ArrayList<>();
            for (Replica replica : replicas.values()) {
                if (replica.alive) {
                    led.addAll(replica.leads(now));
                    loads.add((int) groups(joined).groups().keySet().stream()
                            .filter(replica.leads(now)::contains)
                            .count());
                }
            }
            assertThat(led).hasSize(FABRICS + 1);
            int most = loads.stream().max(Integer::compare).orElseThrow();
            int fewest = loads.stream().min(Integer::compare).orElseThrow();
            assertThat(most - fewest).as("loads %s", loads).isLessThan(2);
        }

        private void happen() {
            Replica some = replicas.values().stream()
                    .skip(random.nextInt(replicas.size()))
                    .findFirst()
                    .orElseThrow();
            switch (random.nextInt(9)) {
                case 0 -> some.stopped = now + random.nextLong(25 * SECOND);
                case 1 -> joined = !joined;
                case 2 -> {
                    some.kill();
                    start("replica-" + replicas.size(), now + random.nextLong(5 * SECOND));
                }
                case 3 -> wholes.add(new Whole(this, "old-" + wholes.size()));
                case 4 -> wholes.forEach(Whole::kill);
                // as by a policy: everything else is written as usual
                case 5 -> guardRefused = now + random.nextLong(40 * SECOND);
                case 6, 7 -> edit();
                default -> some.fit = !some.fit;
            }
        }

        /**
         * By hand. Not the guard where some lead everything: whoever takes it compares what is written there with its
         * clock and nothing else.
         */
        private void edit() {
            List<Seat> seats = store.keySet().stream()
                    .filter(seat -> wholes.isEmpty() || !seat.equals(Seat.GUARD))
                    .sorted()
                    .toList();
            if (seats.isEmpty()) {
                return;
            }
            Seat seat = seats.get(random.nextInt(seats.size()));
            Stored is = store.get(seat);
            Duration lasts = Duration.ofSeconds(List.of(1, 6, 100_000).get(random.nextInt(3)));
            String version = "by hand " + count++;
            switch (random.nextInt(4)) {
                case 0 -> store.remove(seat);
                case 1 -> store.put(seat, new Stored("nobody", false, version, lasts, is.renewed()));
                case 2 -> store.put(seat, new Stored(is.holder(), is.shared(), version, lasts, is.renewed()));
                default -> store.put(seat, new Stored("", false, version, is.lasts(), is.renewed()));
            }
            if (random.nextBoolean()) {
                start("replica-" + replicas.size(), now + random.nextLong(SECOND / 10));
            }
        }

        void runTo(long end) {
            while (!events.isEmpty() && events.element().at() <= end) {
                Event next = events.remove();
                now = next.at();
                next.what().run();
                check();
            }
            now = end;
            check();
        }

        Set<String> leaders() {
            return replicas.values().stream()
                    .filter(replica -> !replica.leads(now).isEmpty())
                    .map(replica -> replica.name)
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        /** Fabrics, and the rest. */
        Set<String> led() {
            return replicas.values().stream()
                    .flatMap(replica -> replica.leads(now).stream())
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        private void check() {
            Map<String, String> leaders = new HashMap<>();
            for (Replica replica : replicas.values()) {
                for (String what : replica.leads(now)) {
                    assertThat(leaders.put(what, replica.name))
                            .as("leads %s beside %s at %d ms", what, replica.name, now / 1_000_000)
                            .isNull();
                }
            }
            for (Whole whole : wholes) {
                if (whole.leads(now)) {
                    assertThat(leaders).as("led beside %s", whole.name).isEmpty();
                    leaders.put("everything", whole.name);
                }
            }
        }

        /** How long one way takes. */
        long way() {
            long usual = slow + random.nextLong(SECOND / 50);
            return trouble() && random.nextInt(30) == 0 ? random.nextLong(8 * SECOND) : usual;
        }

        boolean isLost() {
            return trouble() && random.nextInt(30) == 0;
        }

        boolean write(
                Seat seat, String seen, String version, String holder, boolean shared, Duration lasts, long wall) {
            Stored before = store.get(seat);
            if (away || shared && now < guardRefused || !(before == null ? "" : before.version()).equals(seen)) {
                return false;
            }
            store.put(seat, new Stored(holder, shared, version, lasts, wall));
            return true;
        }
    }

    /** One of those that share. */
    private static final class Replica {
        final Cluster cluster;
        final String name;
        final Contender contender;
        /** Its clock is its own. */
        final long epoch;

        boolean alive = true;
        boolean fit = true;
        long stopped;
        private Led led = new Led(new TreeSet<>(), false);
        private long until;
        private long writes;
        private long looks;
        /** When the last look did. */
        private long began;

        Replica(Cluster cluster, String name, long start) {
            this.cluster = cluster;
            this.name = name;
            this.contender = new Contender(name);
            this.epoch = cluster.random.nextLong(1000 * SECOND) - 500 * SECOND;
            cluster.at(start, this::look);
        }

        void kill() {
            alive = false;
        }

        /** What it would act on if it went on now. */
        Set<String> leads(long now) {
            Set<String> leads = new HashSet<>();
            if (alive && now + epoch < until) {
                leads.addAll(led.fabrics());
                if (led.rest()) {
                    leads.add("the rest");
                }
            }
            return leads;
        }

        /** A process that was stopped goes on where it was. */
        private void own(long when, Runnable what) {
            cluster.at(when, () -> {
                if (!alive) {
                    return;
                }
                if (cluster.now < stopped) {
                    own(stopped, what);
                } else {
                    what.run();
                }
            });
        }

        private void look() {
            if (!alive) {
                return;
            }
            looks++;
            began = cluster.now;
            long asked = began + epoch;
            cluster.at(cluster.now + cluster.way(), () -> {
                if (cluster.away) {
                    own(cluster.now + SECOND, this::look);
                    return;
                }
                List<SeenLease> listed = cluster.store.entrySet().stream()
                        .map(each -> new SeenLease(
                                each.getKey(),
                                each.getValue().holder(),
                                each.getValue().shared(),
                                each.getValue().version(),
                                each.getValue().lasts()))
                        .toList();
                boolean late = cluster.trouble() && cluster.random.nextInt(4) == 0;
                FabricGroups groups = groups(cluster.joined != late);
                own(
                        cluster.now + cluster.way(),
                        () -> carryOut(
                                contender.look(
                                        listed,
                                        groups,
                                        fit || !cluster.trouble() && cluster.troubled,
                                        asked,
                                        cluster.now + epoch),
                                groups));
            });
        }

        /** All Leases are written side by side, and what is answered late counts when it comes. */
        private void carryOut(LeaseActions actions, FabricGroups groups) {
            actions.give().forEach(contender::leave);
            serve(groups);
            long look = ++looks;
            AtomicInteger left = new AtomicInteger(actions.write().size());
            AtomicBoolean over = new AtomicBoolean();
            Runnable end = () -> {
                if (over.compareAndSet(false, true)) {
                    finish(actions, groups);
                }
            };
            actions.write()
                    .forEach((seat, version) -> write(seat, version, name, counts -> {
                        counts.run();
                        if (contender.led(cluster.now + epoch).equals(led)) {
                            until = led.isNothing() ? Long.MIN_VALUE : contender.ledUntil(led);
                        }
                        if (looks == look && left.decrementAndGet() == 0) {
                            end.run();
                        }
                    }));
            own(cluster.now + (actions.write().isEmpty() ? 0 : SECOND), end);
        }

        private void finish(LeaseActions actions, FabricGroups groups) {
            serve(groups);
            actions.give().forEach(seat -> write(seat, contender.version(seat), "", counts -> {}));
            actions.remove()
                    .forEach((seat, version) -> cluster.at(cluster.now + cluster.way(), () -> {
                        Stored there = cluster.store.get(seat);
                        if (there != null && there.version().equals(version)) {
                            cluster.store.remove(seat);
                        }
                    }));
            own(Math.max(began + SECOND, cluster.now + SECOND / 10), this::look);
        }

        /** @param then is told that it was answered, and given what makes the answer count */
        private void write(Seat seat, String seen, String holder, Consumer<Runnable> then) {
            long asked = cluster.now + epoch;
            long wall = cluster.now;
            String version = name + "-" + writes++;
            boolean guard = seat.equals(Seat.GUARD);
            Duration lasts = guard ? Contender.GUARD_LASTS : holder.isEmpty() ? Contender.GIVEN_BACK : Contender.LASTS;
            boolean lost = cluster.isLost();
            long there = cluster.now + (cluster.hangs.contains(seat) ? 8 * SECOND : 0) + cluster.way();
            cluster.at(there, () -> {
                boolean done = cluster.write(seat, seen, version, holder, guard, lasts, wall);
                own(
                        cluster.now + cluster.way(),
                        () -> then.accept(() -> {
                            if (done && !lost) {
                                contender.wrote(seat, seen, version, asked);
                            }
                        }));
            });
        }

        private void serve(FabricGroups groups) {
            led = contender.leading(cluster.now + epoch);
            until = led.isNothing() ? Long.MIN_VALUE : contender.ledUntil(led);
            groups.groups()
                    .values()
                    .forEach(group -> assertThat(led.fabrics().containsAll(group))
                            .as("%s of %s", led, group)
                            .isEqualTo(group.stream().anyMatch(led.fabrics()::contains)));
        }
    }

    /** One that leads everything: it compares the clock of the wall with what the holder wrote. */
    private static final class Whole {
        private final Cluster cluster;
        private final String name;
        private final long skew;
        private boolean alive = true;
        private long writes;
        private boolean holds;
        private long asked;

        Whole(Cluster cluster, String name) {
            this.cluster = cluster;
            this.name = name;
            this.skew = cluster.random.nextLong(6 * SECOND) - 3 * SECOND;
            cluster.at(cluster.now, this::look);
        }

        void kill() {
            alive = false;
        }

        boolean leads(long now) {
            return alive && holds && now - asked < Contender.GUARD_LASTS.toNanos();
        }

        private void look() {
            if (!alive) {
                return;
            }
            long began = cluster.now;
            cluster.at(cluster.now + cluster.way(), () -> {
                Stored there = cluster.store.get(Seat.GUARD);
                cluster.at(cluster.now + cluster.way(), () -> {
                    boolean ours = there != null && there.holder().equals(name);
                    holds &= ours;
                    boolean free = there == null
                            || there.holder().isEmpty()
                            || cluster.now + skew
                                    > there.renewed() + there.lasts().toNanos();
                    if (alive && (ours || free)) {
                        write(there == null ? "" : there.version(), began);
                    }
                });
            });
            cluster.at(cluster.now + 2 * SECOND, this::look);
        }

        private void write(String seen, long began) {
            String version = name + "-" + writes++;
            cluster.at(cluster.now + cluster.way(), () -> {
                boolean done =
                        cluster.write(Seat.GUARD, seen, version, name, false, Contender.GUARD_LASTS, began + skew);
                cluster.at(cluster.now + cluster.way(), () -> {
                    if (done) {
                        holds = true;
                        asked = began;
                    }
                });
            });
        }
    }
}
