package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import dev.lightpath.planner.engine.ToyOcs;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that could be done for a placed job, tried: other counts for it, with the circuits of others on other
 * switches, also where they take each other's ports. Of jobs of one or two replicas with one stage a pod, on fabrics so
 * small that all of it ends. It counts ports of a pod on a switch and knows nothing of planner, striper or budgets.
 */
public final class EveryRedistribution {
    private static final double HORIZON_SECONDS = 600;
    private static final double ROUNDING = 1e-6;

    /** A pair of pods in one direction; of any-to-any switches in the one that was thought of. */
    private record Way(int from, int to) {}

    /**
     * What could have been done.
     *
     * @param circuits of the job, a count for each group
     * @param seconds its iteration then
     * @param jobs of which light would go dark for it
     */
    public record Better(SliceId id, List<Integer> circuits, double seconds, double now, int jobs) {}

    private final class Job {
        private final SliceId id;
        private final Demand.Traffic traffic;
        private final boolean movable;
        private final List<Integer> pods;
        private final Map<Way, int[]> lit = new HashMap<>();

        private Job(SliceId id) {
            this.id = id;
            this.traffic = (Demand.Traffic) ocs.slices.get(id).demand();
            this.movable = PortBudgets.movable(ocs.slices.get(id));
            Allocation allocation = ocs.ledger.get(id).allocation().orElseThrow();
            this.pods = allocation.groups().stream()
                    .map(group -> group.members().getFirst().position())
                    .toList();
            allocation.circuits().forEach((name, circuit) -> {
                Way way = way(name, circuit);
                lit.computeIfAbsent(way, of -> new int[switches.size()])[switches.indexOf(name)]++;
            });
        }

        private int stages() {
            return traffic.parallelism().pipeline();
        }

        /** Links that counts ask for. */
        private Map<Way, Integer> ways(List<Integer> counts) {
            Map<Way, Integer> ways = new HashMap<>();
            for (int replica = 0; replica < traffic.parallelism().replicas(); replica++) {
                for (int stage = 0; stage + 1 < stages(); stage++) {
                    int first = replica * stages() + stage;
                    add(ways, pods.get(first), pods.get(first + 1), counts.get(stage));
                }
            }
            for (int stage = 0; traffic.parallelism().replicas() == 2 && stage < stages(); stage++) {
                add(ways, pods.get(stage), pods.get(stages() + stage), counts.get(stages() - 1 + stage));
            }
            return ways;
        }

        private int groups() {
            return stages() - 1 + (traffic.parallelism().replicas() == 2 ? stages() : 0);
        }

        private Map<Way, Integer> litWays() {
            Map<Way, Integer> ways = new HashMap<>();
            lit.forEach((way, on) -> ways.put(way, sum(on)));
            return ways;
        }
    }

    private final ToyOcs ocs;
    private final DeviceKind kind;
    private final List<String> switches;
    private final List<Job> jobs = new ArrayList<>();
    /** Ports of pods that nobody has who stays: by switch, pod and side. */
    private final int[][][] room;

    private EveryRedistribution(ToyOcs ocs) {
        this.ocs = ocs;
        this.switches = List.copyOf(ocs.switches.keySet());
        this.kind = ocs.switches.firstEntry().getValue().kind();
        this.room = new int[switches.size()][ocs.pods.size()][2];
        ocs.slices.forEach((id, intent) -> {
            if (ocs.ledger
                    .get(id)
                    .allocation()
                    .filter(of -> !of.circuits().isEmpty())
                    .isPresent()) {
                jobs.add(new Job(id));
            }
        });
        for (int on = 0; on < switches.size(); on++) {
            OcsSwitch of = ocs.switches.get(switches.get(on));
            Set<String> failed = new HashSet<>(ocs.failedPorts
                    .getOrDefault(of.name(), Collections.emptySortedMap())
                    .keySet());
            for (OcsSwitch.Wire wire : of.wiring()) {
                int pod = Integer.parseInt(wire.pod().substring(4));
                room[on][pod][0] += failed.contains(wire.ingress()) ? 0 : 1;
                room[on][pod][1] += failed.contains(wire.egress()) ? 0 : 1;
            }
        }
    }

    /** The first thing that should have been done and was not; empty when all is well. */
    public static Optional<Better> of(ToyOcs ocs) {
        EveryRedistribution every = new EveryRedistribution(ocs);
        every.jobs.forEach(job -> every.take(job.lit, 1));
        for (Job job : every.jobs) {
            Optional<Better> better = job.movable ? every.better(job) : Optional.empty();
            if (better.isPresent()) {
                return better;
            }
        }
        return Optional.empty();
    }

    private Optional<Better> better(Job job) {
        List<Integer> ports = new ArrayList<>();
        for (int stage = 0; stage < job.stages(); stage++) {
            int least = Integer.MAX_VALUE;
            for (int pod = stage; pod < job.pods.size(); pod += job.stages()) {
                least = Math.min(least, limit(job, job.pods.get(pod)));
            }
            ports.add(Math.max(1, least));
        }
        Simulator simulator = new Simulator(new TopologyQuestion(
                        job.traffic.iteration(),
                        job.traffic.parallelism(),
                        1,
                        400,
                        ports,
                        job.traffic.goal(),
                        job.traffic.timeLimit())
                .instance());
        double now = ocs.ledger
                .get(job.id)
                .allocation()
                .orElseThrow()
                .prediction()
                .orElseThrow()
                .iterationSeconds();
        List<Integer> counts = new ArrayList<>(Collections.nCopies(job.groups(), 1));
        do {
            if (used(job, counts, ports)) {
                double then = simulator.makespanSeconds(new Topology(List.copyOf(counts)), Rates.JOINT);
                double gain = 1 - then / now;
                if (gain > ROUNDING) {
                    int most = (int) Math.ceil(gain * HORIZON_SECONDS) - 1;
                    Optional<Integer> cost = cheapest(job, job.ways(counts), most);
                    if (cost.isPresent()) {
                        return Optional.of(new Better(job.id, List.copyOf(counts), then, now, cost.get()));
                    }
                }
            }
        } while (next(counts, Collections.max(ports)));
        return Optional.empty();
    }

    private static boolean next(List<Integer> counts, int most) {
        for (int group = 0; group < counts.size(); group++) {
            if (counts.get(group) < most) {
                counts.set(group, counts.get(group) + 1);
                return true;
            }
            counts.set(group, 1);
        }
        return false;
    }

    private static boolean used(Job job, List<Integer> counts, List<Integer> ports) {
        for (int stage = 0; stage < job.stages(); stage++) {
            int used = (stage > 0 ? counts.get(stage - 1) : 0)
                    + (stage + 1 < job.stages() ? counts.get(stage) : 0)
                    + (job.traffic.parallelism().replicas() == 2 ? counts.get(job.stages() - 1 + stage) : 0);
            if (used > ports.get(stage)) {
                return false;
            }
        }
        return true;
    }

    /** Ports of a pod that nobody else has. */
    private int limit(Job job, int pod) {
        int leaving = held(job, pod, true);
        int arriving = held(job, pod, false);
        for (int[][] on : room) {
            leaving += on[pod][0];
            arriving += on[pod][1];
        }
        return kind == DeviceKind.ANY_TO_ANY ? leaving : Math.min(leaving, arriving);
    }

    private int held(Job job, int pod, boolean leaving) {
        int held = 0;
        for (Map.Entry<Way, int[]> each : job.lit.entrySet()) {
            boolean counts = kind == DeviceKind.ANY_TO_ANY
                    ? each.getKey().from() == pod || each.getKey().to() == pod
                    : (leaving ? each.getKey().from() : each.getKey().to()) == pod;
            held += counts ? sum(each.getValue()) : 0;
        }
        return held;
    }

    /** The fewest jobs whose light goes dark for it, at most so many; empty when there is no way. */
    private Optional<Integer> cheapest(Job job, Map<Way, Integer> wanted, int most) {
        List<Job> others =
                jobs.stream().filter(other -> other != job && other.movable).toList();
        for (int cost = 0; cost <= most && cost <= others.size() + 1; cost++) {
            for (int set = 0; set < 1 << others.size(); set++) {
                int moved = Integer.bitCount(set);
                if (moved != cost && moved != cost - 1) {
                    continue;
                }
                List<Job> movers = new ArrayList<>();
                for (int other = 0; other < others.size(); other++) {
                    if ((set >> other & 1) == 1) {
                        movers.add(others.get(other));
                    }
                }
                movers.add(job);
                if (together(List.copyOf(movers), job, wanted, moved == cost)) {
                    return Optional.of(cost);
                }
            }
        }
        return Optional.empty();
    }

    /** All give up what they have, and take what they will have. */
    private boolean together(List<Job> movers, Job job, Map<Way, Integer> wanted, boolean ownStays) {
        movers.forEach(mover -> take(mover.lit, -1));
        boolean found = placed(movers, job, wanted, ownStays);
        movers.forEach(mover -> take(mover.lit, 1));
        return found;
    }

    private boolean placed(List<Job> left, Job job, Map<Way, Integer> wanted, boolean ownStays) {
        if (left.isEmpty()) {
            return true;
        }
        Job next = left.getFirst();
        List<Job> rest = left.subList(1, left.size());
        return place(
                List.copyOf((next == job ? wanted : next.litWays()).entrySet()),
                0,
                0,
                new HashMap<>(),
                next == job && ownStays ? next.lit : Map.of(),
                () -> placed(rest, job, wanted, ownStays));
    }

    private interface Then {
        boolean goesOn();
    }

    /** Every way of putting the links of a job on switches, keeping at least these; ports are given back afterwards. */
    private boolean place(
            List<Map.Entry<Way, Integer>> links,
            int link,
            int on,
            Map<Way, int[]> placed,
            Map<Way, int[]> kept,
            Then then) {
        if (link == links.size()) {
            return kept.keySet().stream().allMatch(placed::containsKey) && then.goesOn();
        }
        Way way = links.get(link).getKey();
        int[] spread = placed.computeIfAbsent(way, of -> new int[switches.size()]);
        int open = links.get(link).getValue() - sum(spread);
        if (on == switches.size()) {
            boolean found = open == 0 && place(links, link + 1, 0, placed, kept, then);
            if (spread == placed.get(way) && sum(spread) == 0) {
                placed.remove(way);
            }
            return found;
        }
        int least = kept.containsKey(way) ? kept.get(way)[on] : 0;
        for (int count = least; count <= open && count <= most(on, way); count++) {
            use(on, way, count);
            spread[on] = count;
            boolean found = place(links, link, on + 1, placed, kept, then);
            spread[on] = 0;
            placed.put(way, spread);
            use(on, way, -count);
            if (found) {
                return true;
            }
        }
        return false;
    }

    private int most(int on, Way way) {
        int other = kind == DeviceKind.ANY_TO_ANY ? 0 : 1;
        return Math.min(room[on][way.from()][0], room[on][way.to()][other]);
    }

    private void use(int on, Way way, int count) {
        room[on][way.from()][0] -= count;
        room[on][way.to()][kind == DeviceKind.ANY_TO_ANY ? 0 : 1] -= count;
    }

    private void take(Map<Way, int[]> lit, int sign) {
        lit.forEach((way, on) -> {
            for (int at = 0; at < on.length; at++) {
                use(at, way, sign * on[at]);
            }
        });
    }

    private void add(Map<Way, Integer> ways, int from, int to, int count) {
        if (kind == DeviceKind.ANY_TO_ANY) {
            ways.merge(new Way(Math.min(from, to), Math.max(from, to)), count, Integer::sum);
        } else {
            ways.merge(new Way(from, to), count, Integer::sum);
            ways.merge(new Way(to, from), count, Integer::sum);
        }
    }

    private Way way(String name, Circuit circuit) {
        int from = -1;
        int to = -1;
        for (OcsSwitch.Wire wire : ocs.switches.get(name).wiring()) {
            int pod = Integer.parseInt(wire.pod().substring(4));
            from = wire.ingress().equals(circuit.ingress()) ? pod : from;
            to = wire.egress().equals(circuit.egress()) ? pod : to;
        }
        return kind == DeviceKind.ANY_TO_ANY ? new Way(Math.min(from, to), Math.max(from, to)) : new Way(from, to);
    }

    private static int sum(int[] counts) {
        int sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }
}
