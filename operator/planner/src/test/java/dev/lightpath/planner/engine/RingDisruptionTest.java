package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.Stage.Cause;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the disruption budget of a ring counts: circuits under running pods, over all stages and restarts. */
class RingDisruptionTest {
    private static final int WORLDS = Seeds.of(200);

    private final ToyRing ring = ToyRing.of(64, 3);

    private SliceId running(String name, int... members) {
        SliceId id = ring.sits(name, members);
        ring.settle();
        runs(ring, id);
        return id;
    }

    /** Its pods run where it is recorded. */
    private static void runs(ToyRing ring, SliceId id) {
        Allocation recorded = ring.ledger.get(id).allocation().orElseThrow();
        ring.amend(id, true, new Workload.Pods(recorded.nodes(), false), false);
    }

    private void budget(int percent) {
        ring.policy = Policies.budget(FabricPolicy.standard(), percent);
    }

    /** Steps until a stage of this cause is under way. */
    private Stage started(Cause cause) {
        ring.slow = true;
        for (int pass = 0; pass < 10; pass++) {
            if (ring.step().decision() instanceof Decision.Apply apply) {
                assertThat(apply.stage().cause()).isEqualTo(cause);
                return apply.stage();
            }
        }
        throw new AssertionError("no stage: " + ring.decisions);
    }

    /** What is decided next; records are written meanwhile. */
    private Decision next() {
        Decision decision = FabricEngine.deliberate(ring.world()).decision();
        if (decision instanceof Decision.Adopt || decision instanceof Decision.Observe) {
            ring.step();
            return next();
        }
        return decision;
    }

    private static List<String> darkened(Stage stage) {
        return stage.changes().stream()
                .filter(change -> !change.disconnects().isEmpty())
                .map(change -> change.device().device())
                .toList();
    }

    @Test
    void aPlacementUnderWayHoldsUpNoRepair() {
        running("runs", 0, 1, 2, 3);
        ring.wish("starts", 8, 16);
        Stage placement = started(Cause.PLACE);
        assertThat(placement.changes().stream()
                        .mapToInt(change -> change.disconnects().size()))
                .as("loopbacks of the new job, as many as the budget of 25 percent allows to be dark")
                .satisfies(sizes -> assertThat(
                                sizes.stream().mapToInt(Integer::intValue).sum())
                        .isEqualTo(48));
        ring.notReady.add("n0");
        assertThat(next())
                .isInstanceOfSatisfying(
                        Decision.Apply.class,
                        apply -> assertThat(apply.stage().cause()).isEqualTo(Cause.REPAIR));
    }

    @Test
    void aRepairThatTheBudgetHoldsBackHoldsUpNoPlacementAndNoRelease() {
        budget(1);
        running("first", 0, 1, 2, 3);
        running("second", 20, 21, 22, 23);
        SliceId leaves = ring.sits("leaves", new int[] {40, 41, 42, 43});
        ring.settle();
        ring.notReady.add("n0");
        assertThat(darkened(started(Cause.REPAIR))).isNotEmpty();
        ring.notReady.add("n20");
        ring.wish("starts", 1, 16);
        ring.unwish(leaves);
        assertThat(next())
                .isInstanceOfSatisfying(
                        Decision.Apply.class,
                        apply -> assertThat(apply.stage().cause()).isEqualTo(Cause.PLACE));
        ring.step();
        assertThat(next())
                .isInstanceOfSatisfying(
                        Decision.Apply.class,
                        apply -> assertThat(apply.stage().cause()).isEqualTo(Cause.RELEASE));
    }

    @Test
    void theVerdictTellsHowMuchIsDarkAndHowMuchMayBe() {
        budget(1);
        running("first", 0, 1, 2, 3);
        assertThat(darkness()).isEqualTo(new FabricVerdict.Darkness(0, 192 / 100));
        ring.notReady.add("n0");
        int begun = darkened(started(Cause.REPAIR)).size();
        assertThat(darkness()).isEqualTo(new FabricVerdict.Darkness(begun, 1));
        ring.settle();
        assertThat(darkness().circuits()).isZero();
        budget(25);
        assertThat(darkness().most()).isEqualTo(48);
    }

    private FabricVerdict.Darkness darkness() {
        return FabricEngine.deliberate(ring.world())
                .fabrics()
                .values()
                .iterator()
                .next()
                .darkness();
    }

    @Test
    void whatAnInterruptedRepairLeftDarkCountsAfterARestart() {
        halfMade();
        ring.restart();
        ring.notReady.add("n0");
        assertOnlyLights();
    }

    @Test
    void whatAnUnknownOutcomeLeftDarkCounts() {
        halfMade();
        ring.loseOutcomes();
        assertOnlyLights();
    }

    /** A repair of one job is half made while a repair of another is due. */
    private void halfMade() {
        budget(1);
        running("first", 0, 1, 2, 3);
        running("second", 20, 21, 22, 23);
        ring.notReady.add("n0");
        assertThat(darkened(started(Cause.REPAIR))).hasSize(1);
        ring.notReady.add("n20");
    }

    private void assertOnlyLights() {
        ring.pass(Duration.ofMinutes(1));
        assertThat(ring.dark).isNotEmpty();
        assertThat(next())
                .isInstanceOfSatisfying(
                        Decision.Apply.class,
                        apply -> assertThat(darkened(apply.stage())).isEmpty());
        ring.slow = false;
        ring.settle();
        assertThat(ring.dark).isEmpty();
    }

    @Test
    void aDeviceThatStaysDarkHoldsUpRepairsOfOthersUntilItFailedAgainAndAgain() {
        halfMade();
        String dark = ring.dark.first().substring(0, ring.dark.first().indexOf('/'));
        ring.refusing.add(dark);
        ring.loseOutcomes();
        ring.slow = false;
        for (int minute = 0; minute < 20; minute++) {
            ring.settle();
            ring.pass(Duration.ofMinutes(1));
        }
        assertThat(ring.dark).isNotEmpty();
        SliceId second = new SliceId("team", "second");
        assertThat(ring.groups(second).getFirst()).doesNotContain("n20");
        assertThat(FabricEngine.deliberate(ring.world())
                        .slices()
                        .get(second)
                        .light()
                        .programmed())
                .isTrue();
    }

    @Test
    void neverIsMoreDarkThanTheBudgetOrOneChangeAllows() {
        int dark = 0;
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(seed);
            ToyRing crowded = ToyRing.of(48, 3);
            int percent = 1 + chance.nextInt(12);
            crowded.policy = Policies.massFailure(Policies.budget(FabricPolicy.standard(), percent), 100);
            List<SliceId> jobs = new ArrayList<>();
            for (int job = 0; job < 6; job++) {
                jobs.add(crowded.sits("job" + job, new int[] {8 * job, 8 * job + 1, 8 * job + 2, 8 * job + 3}));
            }
            crowded.settle();
            jobs.forEach(job -> runs(crowded, job));
            crowded.slow = true;
            for (int step = 0; step < 60; step++) {
                happen(crowded, chance);
                crowded.step();
                jobs.forEach(job -> runs(crowded, job));
                int now = darkUnderPods(crowded, jobs);
                dark = Math.max(dark, now);
                assertThat(now)
                        .as("seed %d, step %d, %d percent", seed, step, percent)
                        .isLessThanOrEqualTo(Math.max(3, 48 * 3 * percent / 100));
            }
        }
        assertThat(dark).isPositive();
    }

    private static void happen(ToyRing ring, Random chance) {
        ring.pass(Duration.ofSeconds(chance.nextInt(20)));
        switch (chance.nextInt(10)) {
            case 0 -> ring.notReady.add("n" + chance.nextInt(48));
            case 1 -> ring.notReady.clear();
            case 2 -> ring.restart();
            case 3 -> ring.loseOutcomes();
            default -> {}
        }
    }

    private static int darkUnderPods(ToyRing ring, List<SliceId> jobs) {
        TreeSet<String> nodes = new TreeSet<>();
        jobs.forEach(job ->
                nodes.addAll(ring.ledger.get(job).allocation().orElseThrow().nodes()));
        return (int) ring.dark.stream()
                .filter(bundle -> nodes.contains(bundle.substring(0, bundle.indexOf('/'))))
                .count();
    }
}
