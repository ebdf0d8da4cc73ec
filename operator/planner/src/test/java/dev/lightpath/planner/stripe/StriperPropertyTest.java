package dev.lightpath.planner.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class StriperPropertyTest {

    private static final SearchBudget SHORT = new SearchBudget(20_000, 7, () -> false);

    @Test
    void everyDemandWithinTheBudgetsIsStripedOnTwoSidedSwitches() {
        for (long seed = 0; seed < 60; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int pods = 2 + random.nextInt(14);
            int switches = 1 + random.nextInt(7);
            int ports = 1 + random.nextInt(4);
            int degree = switches * ports;
            int[][] x = RandomStriping.directed(pods, degree, pods * degree, random);
            StripingOutcome.Striped first = striped(
                    seed,
                    new StripingRequest(
                            switches, ports, DeviceKind.TWO_SIDED, LogicalTopology.of(x), List.of(), new TreeSet<>()));
            int[][] y = RandomStriping.changed(x, degree, 0.2, random);
            StripingOutcome.Striped second = striped(
                    seed,
                    new StripingRequest(
                            switches,
                            ports,
                            DeviceKind.TWO_SIDED,
                            LogicalTopology.of(y),
                            first.switches(),
                            new TreeSet<>()));
            stagesKeepTheRules(seed, DeviceKind.TWO_SIDED, first.switches(), second.switches(), 1 + random.nextInt(6));
        }
    }

    @Test
    void everyDemandWithinEvenBudgetsIsStripedOnAnyToAnySwitches() {
        for (long seed = 0; seed < 60; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int pods = 2 + random.nextInt(14);
            int switches = 1 + random.nextInt(6);
            int ports = 2 + 2 * random.nextInt(2);
            int degree = switches * ports;
            int[][] x = RandomStriping.symmetric(pods, degree, pods * degree / 2, random);
            StripingOutcome.Striped first = striped(
                    seed,
                    new StripingRequest(
                            switches, ports, DeviceKind.ANY_TO_ANY, LogicalTopology.of(x), List.of(), new TreeSet<>()));
            int[][] y = RandomStriping.symmetric(pods, degree, pods * degree / 2, random);
            StripingOutcome.Striped second = striped(
                    seed,
                    new StripingRequest(
                            switches,
                            ports,
                            DeviceKind.ANY_TO_ANY,
                            LogicalTopology.of(y),
                            first.switches(),
                            new TreeSet<>()));
            stagesKeepTheRules(seed, DeviceKind.ANY_TO_ANY, first.switches(), second.switches(), 1 + random.nextInt(6));
        }
    }

    @Test
    void aStripingThatExistsAroundUnusablePortsIsFound() {
        for (long seed = 0; seed < 60; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            DeviceKind device = random.nextBoolean() ? DeviceKind.TWO_SIDED : DeviceKind.ANY_TO_ANY;
            int pods = 3 + random.nextInt(8);
            int switches = 2 + random.nextInt(4);
            int ports = 1 + random.nextInt(3);
            TreeSet<SwitchPort> unusable = new TreeSet<>();
            for (int i = 0; i < pods; i++) {
                unusable.add(
                        new SwitchPort(random.nextInt(switches), random.nextInt(pods * ports), SwitchPort.Side.BOTH));
            }
            int[][] x = lightUp(device, pods, switches, ports, unusable, random);
            striped(seed, new StripingRequest(switches, ports, device, LogicalTopology.of(x), List.of(), unusable));
        }
    }

    @Test
    void keepsAsMuchAsEveryOtherSplitOverTwoSwitches() {
        for (long seed = 0; seed < 40; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int[][] x = RandomStriping.directed(3, 4, 8, random);
            List<SwitchCircuits> previous = striped(
                            seed,
                            new StripingRequest(
                                    2, 2, DeviceKind.TWO_SIDED, LogicalTopology.of(x), List.of(), new TreeSet<>()))
                    .switches();
            StripingRequest request = new StripingRequest(
                    2,
                    2,
                    DeviceKind.TWO_SIDED,
                    LogicalTopology.of(RandomStriping.changed(x, 4, 0.4, random)),
                    previous,
                    new TreeSet<>());
            assertThat(striped(seed, request).kept())
                    .as("seed %s", seed)
                    .isEqualTo(mostKept(new CircuitGraph(request), 0, new int[12]));
        }
    }

    /** Brute force over all counts on switch 0. */
    private static int mostKept(CircuitGraph graph, int q, int[] load) {
        if (q == graph.pairs()) {
            return 0;
        }
        int best = Integer.MIN_VALUE / 2;
        for (int y = 0; y <= graph.wanted[q]; y++) {
            int[] next = load.clone();
            int z = graph.wanted[q] - y;
            next[2 * graph.first[q]] += y;
            next[2 * graph.second[q]] += y;
            next[2 * graph.first[q] + 1] += z;
            next[2 * graph.second[q] + 1] += z;
            boolean fits = true;
            for (int i = 0; i < next.length; i++) {
                fits &= next[i] <= 2;
            }
            if (fits) {
                int kept = Math.min(y, graph.old[2 * q]) + Math.min(z, graph.old[2 * q + 1]);
                best = Math.max(best, kept + mostKept(graph, q + 1, next));
            }
        }
        return best;
    }

    private static StripingOutcome.Striped striped(long seed, StripingRequest request) {
        StripingOutcome outcome = Striper.stripe(request, SHORT);
        assertThat(outcome).as("seed %s", seed).isInstanceOf(StripingOutcome.Striped.class);
        StripingOutcome.Striped striped = (StripingOutcome.Striped) outcome;
        assertThat(StripingCheck.violations(request, striped))
                .as("seed %s", seed)
                .isEmpty();
        return striped;
    }

    private static int[][] lightUp(
            DeviceKind device, int pods, int switches, int ports, Set<SwitchPort> unusable, SplittableRandom random) {
        int[][] x = new int[pods][pods];
        for (int k = 0; k < switches; k++) {
            List<Integer> from = usable(k, pods * ports, unusable);
            List<Integer> to = device == DeviceKind.TWO_SIDED ? usable(k, pods * ports, unusable) : from;
            for (int tries = 0; tries < 3 * pods * ports; tries++) {
                if (from.size() < 2 || to.isEmpty()) {
                    break;
                }
                Integer a = from.get(random.nextInt(from.size()));
                Integer b = to.get(random.nextInt(to.size()));
                if (a / ports != b / ports) {
                    x[a / ports][b / ports]++;
                    if (device == DeviceKind.ANY_TO_ANY) {
                        x[b / ports][a / ports]++;
                    }
                    from.remove(a);
                    to.remove(b);
                }
            }
        }
        return x;
    }

    private static List<Integer> usable(int k, int count, Set<SwitchPort> unusable) {
        List<Integer> ports = new ArrayList<>();
        for (int port = 0; port < count; port++) {
            if (!unusable.contains(new SwitchPort(k, port, SwitchPort.Side.BOTH))) {
                ports.add(port);
            }
        }
        return ports;
    }

    private static void stagesKeepTheRules(
            long seed, DeviceKind device, List<SwitchCircuits> from, List<SwitchCircuits> to, int mostDark) {
        List<StageOrder.Stage> stages = StageOrder.order(device, from, to, mostDark, lit -> true);
        Set<String> circuits = new HashSet<>();
        from.forEach(of -> of.circuits().forEach(c -> circuits.add(of.switchIndex() + ":" + c)));
        Set<String> ports = new HashSet<>();
        from.forEach(of -> of.circuits().forEach(c -> ports.addAll(ports(device, of.switchIndex(), c))));
        int dark = 0;
        for (StageOrder.Stage stage : stages) {
            assertThat(stage.disconnect().size() + stage.connect().size()).isPositive();
            assertThat(stage.dark() <= mostDark || stage.disconnect().size() <= 2)
                    .as("seed %s", seed)
                    .isTrue();
            assertThat(stage.disconnect().size()).isLessThanOrEqualTo(stage.dark());
            for (StageOrder.Lit lit : stage.disconnect()) {
                assertThat(circuits.remove(lit.switchIndex() + ":" + lit.circuit()))
                        .isTrue();
                ports.removeAll(ports(device, lit.switchIndex(), lit.circuit()));
            }
            for (StageOrder.Lit lit : stage.connect()) {
                circuits.add(lit.switchIndex() + ":" + lit.circuit());
                for (String port : ports(device, lit.switchIndex(), lit.circuit())) {
                    assertThat(ports.add(port))
                            .as("seed %s port %s twice", seed, port)
                            .isTrue();
                }
            }
            dark = Math.max(dark, stage.dark());
        }
        Set<String> wanted = new HashSet<>();
        to.forEach(of -> of.circuits().forEach(c -> wanted.add(of.switchIndex() + ":" + c)));
        assertThat(circuits).as("seed %s", seed).isEqualTo(wanted);
    }

    private static List<String> ports(DeviceKind device, int k, Circuit circuit) {
        return List.of(k + ":" + circuit.from(), k + (device == DeviceKind.TWO_SIDED ? "e" : ":") + circuit.to());
    }
}
