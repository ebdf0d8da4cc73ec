package dev.lightpath.soak.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.soak.oracle.RingScheme;
import dev.lightpath.studies.evaluation.FaultTrace;
import dev.lightpath.studies.ring.TraceFile;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScriptTest {
    private static final FaultTrace TRACE = TraceFile.read(Optional.empty());

    private static RingScheme ring(int nodes) {
        return new RingScheme(
                "ring",
                true,
                3,
                4,
                IntStream.range(0, nodes).mapToObj(node -> "n" + node).toList());
    }

    private static Script script(int nodes, double from, double to, long seed) {
        return Script.of(TRACE, ring(nodes), Optional.empty(), new Script.Course(from, to, 20, 90, 0, seed));
    }

    @Test
    void playsEveryFaultOfTheTraceWhereEveryServerThatFailsHasAPlace() {
        Script whole = script(464, 0, TRACE.durationDays() + 1e-3, 1);
        assertThat(whole.faults()).isEqualTo(584);
        assertThat(whole.servers()).isEqualTo(231);
    }

    @Test
    void isTheSameForTheSameSeed() {
        assertThat(script(64, 50, 80, 7)).isEqualTo(script(64, 50, 80, 7));
        assertThat(script(64, 50, 80, 7)).isNotEqualTo(script(64, 50, 80, 8));
    }

    @Test
    void endsEveryFaultByTheMeansThatBeganIt() {
        for (Script script : List.of(script(464, 0, 350, 1), script(16, 59, 62, 3), script(64, 100, 160, 5))) {
            Map<Integer, NodeFault> open = new HashMap<>();
            Set<String> jobs = new HashSet<>();
            double day = -1;
            for (Moment moment : script.moments()) {
                assertThat(moment.day()).isGreaterThanOrEqualTo(day);
                day = moment.day();
                for (Change change : moment.changes()) {
                    switch (change) {
                        case Change.NodeFails fails ->
                            assertThat(open.put(fails.position(), fails.how())).isNull();
                        case Change.NodeRecovers recovers ->
                            assertThat(open.remove(recovers.position())).isEqualTo(recovers.how());
                        case Change.JobArrives arrives ->
                            assertThat(jobs.add(arrives.job().name())).isTrue();
                        case Change.JobLeaves leaves ->
                            assertThat(jobs.remove(leaves.job().name())).isTrue();
                        case Change.PortFails fails -> throw new AssertionError(fails);
                        case Change.PortRecovers recovers -> throw new AssertionError(recovers);
                        case Change.SwitchFails fails -> throw new AssertionError(fails);
                        case Change.SwitchRecovers recovers -> throw new AssertionError(recovers);
                    }
                }
            }
        }
    }

    @Test
    void breaksAndMendsNoNodeInOneMoment() {
        int within = 0;
        for (Moment moment : script(464, 0, 350, 1).moments()) {
            Set<Integer> broken = new HashSet<>();
            for (Change change : moment.changes()) {
                if (change instanceof Change.NodeFails fails) {
                    broken.add(fails.position());
                } else if (change instanceof Change.NodeRecovers recovers && broken.contains(recovers.position())) {
                    within++;
                }
            }
        }
        assertThat(within).isZero();
    }

    @Test
    void setsTheSceneWithWhatWasBrokenAlready() {
        Script late = script(464, 200, 201, 1);
        long broken = late.moments().stream()
                .filter(moment -> moment.day() < 200)
                .flatMap(moment -> moment.changes().stream())
                .filter(Change.NodeFails.class::isInstance)
                .count();
        assertThat(broken).isPositive();
    }

    @Test
    void keepsTheLoadThatWasAskedFor() {
        int nodes = 0;
        for (Moment moment : script(64, 50, 80, 7).moments()) {
            for (Change change : moment.changes()) {
                if (change instanceof Change.JobArrives arrives) {
                    nodes += arrives.job().nodes(4);
                } else if (change instanceof Change.JobLeaves leaves) {
                    nodes -= leaves.job().nodes(4);
                }
            }
        }
        assertThat(nodes).isBetween(64 * 90 / 100, 64 + 16);
    }

    @Test
    void playsAsManyFaultsForEachServerOnALongRing() {
        FaultTrace more = TRACE.times(Script.servers(ring(10_000)) / TRACE.servers(), new java.util.Random(1));
        Script whole = Script.of(
                more, ring(10_000), Optional.empty(), new Script.Course(0, TRACE.durationDays() + 1e-3, 20, 90, 0, 1));
        assertThat(whole.faults()).isGreaterThan(12 * 584);
        assertThat(whole.servers()).isEqualTo(12 * 231);
    }
}
