package dev.lightpath.soak.script;

import dev.lightpath.soak.oracle.RingScheme;
import dev.lightpath.soak.oracle.SpineScheme;
import dev.lightpath.studies.evaluation.FaultTrace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What happens, and when: decided before anything is played, by the trace, the environment and the seed alone.
 *
 * <p>A server of the trace has 8 GPUs and stands for two neighbouring nodes of 4: a fault takes exactly one of them
 * with 99 %, both with 1 %. Servers are dealt to places at random. A ring that has not room for all gets those first
 * that fail in the window, so that a short ring sees much of what the cluster saw. A fault that ends in the instant in
 * which it begins is two moments: between them all is checked as after any other.
 *
 * @param moments in order of time; the first sets the scene
 * @param faults of the trace that are played
 * @param servers that they are of
 */
public record Script(List<Moment> moments, int faults, int servers) {
    private static final double BOTH = 0.01;
    private static final int SERVER_GPUS = 8;
    /** What leaves makes room for what arrives this long after, in days; sooner where the next one leaves sooner. */
    private static final double VACANCY = 0.02;
    /** How long before the window its scene is set. */
    private static final double SCENE = 1e-6;

    /**
     * What to play.
     *
     * @param from first day
     * @param to day of the end
     * @param turnovers how often a job leaves and others arrive
     * @param loadPercent GPUs that jobs ask for, of those of the ring
     * @param portFaults how often a port of a switch fails; one more fault takes a whole switch
     */
    public record Course(double from, double to, int turnovers, int loadPercent, int portFaults, long seed) {}

    public static Script of(FaultTrace trace, RingScheme ring, Optional<SpineScheme> spine, Course course) {
        Random random = new Random(course.seed());
        List<Moment> moments = new ArrayList<>();
        Nodes nodes = new Nodes(trace, ring, course, random);
        nodes.write(moments);
        jobs(ring, spine, course, random).forEach(moments::add);
        spine.ifPresent(of -> switches(of, course, random, moments));
        moments.sort(Comparator.comparingDouble(Moment::day));
        return new Script(List.copyOf(moments), nodes.faults.size(), nodes.servers.size());
    }

    /** Servers of a trace that a ring has room for. */
    public static int servers(RingScheme ring) {
        return ring.positions() / nodesOfServer(ring);
    }

    private static int nodesOfServer(RingScheme ring) {
        return ring.gpusPerNode() >= SERVER_GPUS ? 1 : 2;
    }

    private static final class Nodes {
        private final FaultTrace trace;
        private final Course course;
        private final Random random;
        private final int positions;
        private final int perServer;
        private final int[] place;
        private final Map<Integer, Integer> halves = new TreeMap<>();
        final Set<Integer> faults = new TreeSet<>();
        final Set<Integer> servers = new TreeSet<>();

        Nodes(FaultTrace trace, RingScheme ring, Course course, Random random) {
            this.trace = trace;
            this.course = course;
            this.random = random;
            this.positions = ring.positions();
            this.perServer = nodesOfServer(ring);
            this.place = places();
        }

        private int[] places() {
            Set<Integer> failing = new TreeSet<>();
            for (FaultTrace.Event event : trace.events()) {
                if (event.starts() && event.timeDays() >= course.from() && event.timeDays() < course.to()) {
                    failing.add(event.server());
                }
            }
            List<Integer> order = new ArrayList<>();
            for (int server = 0; server < trace.servers(); server++) {
                order.add(server);
            }
            java.util.Collections.shuffle(order, random);
            int room = positions / perServer;
            if (room < trace.servers()) {
                order.sort(Comparator.comparing(server -> !failing.contains(server)));
            }
            int[] seats = new int[trace.servers()];
            Arrays.fill(seats, -1);
            List<Integer> dealt = new ArrayList<>();
            for (int at = 0; at < room; at++) {
                dealt.add(at);
            }
            java.util.Collections.shuffle(dealt, random);
            for (int i = 0; i < Math.min(room, order.size()); i++) {
                seats[order.get(i)] = dealt.get(i);
            }
            return seats;
        }

        void write(List<Moment> moments) {
            int[] open = new int[positions];
            NodeFault[] nodeFaults = new NodeFault[positions];
            List<Change> now = new ArrayList<>();
            double day = course.from() - SCENE;
            boolean set = false;
            for (FaultTrace.Event event : trace.events()) {
                if (event.timeDays() >= course.to()) {
                    break;
                }
                if (event.timeDays() >= course.from()) {
                    if (!set) {
                        scene(open, nodeFaults, now);
                        set = true;
                    }
                    if (event.timeDays() > day) {
                        add(moments, day, now);
                        day = event.timeDays();
                    }
                    if (event.starts() && place[event.server()] >= 0) {
                        faults.add(event.fault());
                        servers.add(event.server());
                    }
                }
                for (int node : nodesOf(event)) {
                    open[node] += event.starts() ? 1 : -1;
                    if (event.starts() && open[node] == 1) {
                        nodeFaults[node] = NodeFault.values()[random.nextInt(NodeFault.values().length)];
                        if (set) {
                            now.add(new Change.NodeFails(node, nodeFaults[node]));
                        }
                    } else if (!event.starts() && open[node] == 0 && set) {
                        if (now.contains(new Change.NodeFails(node, nodeFaults[node]))) {
                            add(moments, day, now);
                        }
                        now.add(new Change.NodeRecovers(node, nodeFaults[node]));
                    }
                }
            }
            if (!set) {
                scene(open, nodeFaults, now);
            }
            add(moments, day, now);
        }

        /** What was broken already when the window opens. */
        private static void scene(int[] open, NodeFault[] nodeFaults, List<Change> now) {
            for (int node = 0; node < open.length; node++) {
                if (open[node] > 0) {
                    now.add(new Change.NodeFails(node, nodeFaults[node]));
                }
            }
        }

        private List<Integer> nodesOf(FaultTrace.Event event) {
            int at = place[event.server()];
            if (at < 0) {
                return List.of();
            }
            int which = halves.computeIfAbsent(event.fault(), unseen -> {
                Random of = new Random(course.seed() * 1_000_003L + event.fault());
                of.nextInt();
                return of.nextDouble() < BOTH ? 3 : of.nextBoolean() ? 1 : 2;
            });
            List<Integer> nodes = new ArrayList<>();
            for (int half = 0; half < perServer; half++) {
                if (perServer == 1 || (which >> half & 1) == 1) {
                    nodes.add(perServer * at + half);
                }
            }
            return nodes;
        }

        private static void add(List<Moment> moments, double day, List<Change> changes) {
            if (!changes.isEmpty()) {
                moments.add(new Moment(day, changes));
                changes.clear();
            }
        }
    }

    private static List<Moment> jobs(RingScheme ring, Optional<SpineScheme> spine, Course course, Random random) {
        Wishes wishes = new Wishes(random, ring, spine);
        int nodes = ring.positions() * course.loadPercent() / 100;
        List<Moment> moments = new ArrayList<>();
        List<JobWish> running = new ArrayList<>();
        fill(course.from() - 2 * SCENE, nodes, ring, wishes, running).ifPresent(moments::add);
        double[] times = random.doubles(course.turnovers(), course.from(), course.to())
                .sorted()
                .toArray();
        for (int i = 0; i < times.length; i++) {
            double day = times[i];
            double next = i + 1 < times.length ? times[i + 1] : course.to();
            if (!running.isEmpty()) {
                JobWish leaving = running.remove(random.nextInt(running.size()));
                moments.add(new Moment(day, List.of(new Change.JobLeaves(leaving))));
            }
            fill(Math.min(day + VACANCY, (day + next) / 2), nodes, ring, wishes, running)
                    .ifPresent(moments::add);
        }
        return moments;
    }

    /** Jobs arrive until the load is reached. */
    private static Optional<Moment> fill(double day, int nodes, RingScheme ring, Wishes wishes, List<JobWish> running) {
        List<Change> changes = new ArrayList<>();
        int asked =
                running.stream().mapToInt(job -> job.nodes(ring.gpusPerNode())).sum();
        while (asked < nodes) {
            JobWish job = wishes.draw();
            asked += job.nodes(ring.gpusPerNode());
            running.add(job);
            changes.add(new Change.JobArrives(job));
        }
        return changes.isEmpty() ? Optional.empty() : Optional.of(new Moment(day, changes));
    }

    private static void switches(SpineScheme spine, Course course, Random random, List<Moment> moments) {
        List<String> ports = List.copyOf(spine.pods().keySet());
        List<String> devices = List.copyOf(spine.devices().values());
        double length = course.to() - course.from();
        Set<String> broken = new TreeSet<>();
        for (int fault = 0; fault < course.portFaults() && broken.size() < ports.size(); fault++) {
            String port = ports.get(random.nextInt(ports.size()));
            double begin = course.from() + length * random.nextDouble();
            double end = Math.min(course.to(), begin + length * 0.2 * random.nextDouble());
            if (broken.add(port)) {
                int slash = port.indexOf('/');
                String device = port.substring(0, slash);
                String name = port.substring(slash + 1);
                moments.add(new Moment(begin, List.of(new Change.PortFails(device, name))));
                moments.add(new Moment(end, List.of(new Change.PortRecovers(device, name))));
            }
        }
        if (course.portFaults() > 0 && !devices.isEmpty()) {
            String device = devices.get(random.nextInt(devices.size()));
            double begin = course.from() + length * (0.3 + 0.2 * random.nextDouble());
            moments.add(new Moment(begin, List.of(new Change.SwitchFails(device))));
            moments.add(new Moment(begin + length * 0.1, List.of(new Change.SwitchRecovers(device))));
        }
    }
}
