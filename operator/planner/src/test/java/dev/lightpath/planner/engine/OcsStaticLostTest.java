package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.CubeTorus;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The slice of a static topology is written again without its record: deleted by hand, or with its fabric. */
class OcsStaticLostTest {
    private static final Workload LIGHT = new Workload.LightOnly();

    private static void loseRecord(ToyOcs ocs) {
        ocs.ledger.put(ToyOcs.STATIC, new LedgerEntry(Optional.empty(), "anew"));
        ocs.decisions.clear();
    }

    private static void movesNothing(ToyOcs ocs, Deliberation rest, String what) {
        assertThat(ocs.decisions).as(what).noneMatch(Decision.Apply.class::isInstance);
        assertThat(rest.fabrics().get("spine").foreign()).as(what).isEmpty();
        assertThat(rest.ocsFabrics().get("spine").topologyObstacle()).as(what).isEmpty();
    }

    @Test
    void itsLightIsAdoptedBesideThatOfAJob() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 6, 1).wishStatic(true);
        ocs.settle();
        SwitchedLight standing = ocs.light();
        ocs.wishTorus("job", "4x4x8", true, LIGHT);
        ocs.settle();
        loseRecord(ocs);
        Deliberation rest = ocs.settle();
        movesNothing(ocs, rest, "beside a job");
        assertThat(ocs.recorded(ToyOcs.STATIC)).isEqualTo(standing);
    }

    @Test
    void itsLightStaysWhileNoSliceIsWritten() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 6, 1).wishStatic(true);
        ocs.policy = Policies.foreign(FabricPolicy.standard(), FabricPolicy.ForeignCircuits.REMOVE, Optional.empty());
        ocs.wishTorus("job", "4x4x8", true, LIGHT);
        ocs.settle();
        SwitchedLight before = ocs.light();
        SliceIntent wish = Objects.requireNonNull(ocs.slices.remove(ToyOcs.STATIC));
        ocs.ledger.remove(ToyOcs.STATIC);
        Deliberation rest = ocs.settle();
        assertThat(ocs.light()).isEqualTo(before);
        assertThat(rest.fabrics().get("spine").foreign()).isEmpty();
        ocs.slices.put(ToyOcs.STATIC, wish);
        loseRecord(ocs);
        movesNothing(ocs, ocs.settle(), "written again");
    }

    /** The leader remembers the record, and writes it again as it was. */
    @Test
    void itLendsNoCubesInThePassThatWritesItsRecordAgain() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 4, 1).wishStatic(true);
        ocs.settle();
        LedgerEntry was = ocs.ledger.get(ToyOcs.STATIC);
        ocs.ledger.put(ToyOcs.STATIC, new LedgerEntry(was.allocation(), "emptied", true, true));
        SliceId job = ocs.wishTorus("job", "4x4x8", true, LIGHT);
        ocs.step();
        assertThat(ocs.ledger.get(ToyOcs.STATIC).lost()).isFalse();
        assertThat(ocs.ledger.get(job).allocation()).isEmpty();
        Deliberation rest = ocs.settle();
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(ocs.light()).isEqualTo(ocs.recorded(ToyOcs.STATIC).and(ocs.recorded(job)));
    }

    @Test
    void cubesThatItLentComeBack() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 4, 1).wishStatic(true);
        ocs.settle();
        SwitchedLight whole = ocs.light();
        ocs.wishTorus("job", "4x4x8", true, LIGHT);
        ocs.settle();
        SwitchedLight left = ocs.recorded(ToyOcs.STATIC);
        loseRecord(ocs);
        movesNothing(ocs, ocs.settle(), "lent");
        assertThat(ocs.recorded(ToyOcs.STATIC)).isEqualTo(left);
        ocs.wishTorus("job", "4x4x8", false, LIGHT);
        ocs.settle();
        assertThat(ocs.light()).isEqualTo(whole);
    }

    @Test
    void lightOnCubesThatItWasJustLendingGoesDarkForTheJob() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 4, 1).wishStatic(true);
        ocs.settle();
        SliceId job = ocs.wishTorus("job", "4x4x8", true, LIGHT);
        ocs.step();
        assertThat(ocs.recorded(job).isEmpty()).isFalse();
        loseRecord(ocs);
        Deliberation rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").foreign()).isEmpty();
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(ocs.light()).isEqualTo(ocs.recorded(ToyOcs.STATIC).and(ocs.recorded(job)));
    }

    @Test
    void aPolarFlyIsAdoptedBesideTheRecordOfAnybody() {
        ToyOcs ocs = ToyOcs.polarFly(5, 0).wishStatic(true);
        ocs.settle();
        SwitchedLight standing = ocs.light();
        SliceId gone = ocs.wishTorus("gone", "4x4x8", true, LIGHT);
        ocs.ledger.put(
                gone,
                new LedgerEntry(
                        Optional.of(new dev.lightpath.planner.world.Allocation(
                                1,
                                List.of(),
                                new java.util.TreeSet<>(),
                                Optional.empty(),
                                SwitchedLight.none(),
                                new SwitchedLight.Builder()
                                        .add("no-more", new Circuit("1", "2"))
                                        .build())),
                        "left"));
        loseRecord(ocs);
        movesNothing(ocs, ocs.settle(), "PolarFly");
        assertThat(ocs.recorded(ToyOcs.STATIC)).isEqualTo(standing);
    }

    @Test
    void whateverJobsThereAre() {
        List<String> shapes = List.of("1x2x2", "2x2x2", "1x1x6", "1x2x4", "2x2x4");
        for (long seed = 1; seed <= 12; seed++) {
            Random random = new Random(seed);
            String shape = shapes.get(random.nextInt(shapes.size()));
            int cubes = List.of(shape.split("x")).stream()
                    .mapToInt(Integer::parseInt)
                    .reduce(1, (a, b) -> a * b);
            ToyOcs ocs = ToyOcs.torus(shape, cubes + random.nextInt(3), 1).wishStatic(true);
            ocs.settle();
            List<String> jobs = new ArrayList<>();
            for (int job = 0; job < 1 + random.nextInt(3); job++) {
                jobs.add("job-" + job);
                ocs.wishTorus("job-" + job, random.nextBoolean() ? "4x4x4" : "4x4x8", true, LIGHT);
                ocs.settle();
            }
            if (random.nextInt(3) == 0) {
                ocs.wishTorus(jobs.getFirst(), "4x4x4", false, LIGHT);
                ocs.settle();
            }
            SwitchedLight before = ocs.light();
            loseRecord(ocs);
            Deliberation rest = ocs.settle();
            String what = "seed " + seed + ": " + shape + " of " + ocs.pods.size() + " cubes";
            assertThat(before.minus(ocs.light()).isEmpty()).as(what).isTrue();
            assertThat(rest.fabrics().get("spine").foreign()).as(what).isEmpty();
            jobs.forEach(job -> ocs.wishTorus(job, "4x4x4", false, LIGHT));
            rest = ocs.settle();
            assertThat(rest.ocsFabrics().get("spine").topologyObstacle())
                    .as(what)
                    .isEmpty();
            assertThat(ocs.light()).as(what).isEqualTo(ocs.recorded(ToyOcs.STATIC));
        }
    }

    /** Whose cubes burn. */
    @Test
    void aJobThatComesAtFirstContactTakesDarkCubesFirst() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 6, 1).wishStatic(true);
        ocs.settle();
        SwitchedLight standing = ocs.light();
        loseRecord(ocs);
        SliceId job = ocs.wishTorus("job", "4x4x8", true, LIGHT);
        Deliberation rest = ocs.settle();
        assertThat(ocs.cubes(job)).containsExactly("pod-04", "pod-05");
        assertThat(ocs.recorded(ToyOcs.STATIC)).isEqualTo(standing);
        assertThat(rest.fabrics().get("spine").foreign()).isEmpty();
    }

    @Test
    void aJobThatComesAtFirstContactIsLentCubesAsEver() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 4, 1).wishStatic(true);
        ocs.settle();
        SwitchedLight standing = ocs.light();
        loseRecord(ocs);
        SliceId job = ocs.wishTorus("job", "4x4x8", true, LIGHT);
        Deliberation rest = ocs.settle();
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(rest.fabrics().get("spine").foreign()).isEmpty();
        assertThat(rest.ocsFabrics().get("spine").topologyObstacle()).isEmpty();
        ocs.wishTorus("job", "4x4x8", false, LIGHT);
        ocs.settle();
        assertThat(ocs.light()).isEqualTo(standing);
    }

    @Test
    void aJobOfTheSameShapeIsNotGivenItsLight() {
        ToyOcs ocs = ToyOcs.torus("1x1x2", 4, 1).wishStatic(true);
        ocs.settle();
        SwitchedLight standing = ocs.light();
        loseRecord(ocs);
        SliceId job = ocs.wishTorus("job", "4x4x8", true, LIGHT);
        ocs.settle();
        assertThat(ocs.cubes(job)).containsExactly("pod-02", "pod-03");
        assertThat(ocs.recorded(ToyOcs.STATIC)).isEqualTo(standing);
    }

    @Test
    void aJobIsNotSeatedOnItWhileNoSliceIsWritten() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 6, 1).wishStatic(true);
        ocs.settle();
        SwitchedLight standing = ocs.light();
        SliceIntent wish = Objects.requireNonNull(ocs.slices.remove(ToyOcs.STATIC));
        ocs.ledger.remove(ToyOcs.STATIC);
        SliceId job = ocs.wishTorus("job", "4x4x8", true, LIGHT);
        ocs.settle();
        assertThat(ocs.cubes(job)).containsExactly("pod-04", "pod-05");
        ocs.slices.put(ToyOcs.STATIC, wish);
        loseRecord(ocs);
        movesNothing(ocs, ocs.settle(), "written again");
        assertThat(ocs.recorded(ToyOcs.STATIC)).isEqualTo(standing);
    }

    @Test
    void itShinesOnFreeCubesThoughJobsHaveAsManyAsItNeeds() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 8, 1);
        ocs.wishTorus("job", "4x8x8", true, LIGHT);
        ocs.settle();
        ocs.wishStatic(true);
        ocs.settle();
        assertThat(ocs.cubes(ToyOcs.STATIC)).containsExactly("pod-04", "pod-05", "pod-06", "pod-07");
        assertThat(ocs.recorded(ToyOcs.STATIC).size()).isEqualTo(4 * 48);
    }

    @Test
    void whatAnEarlierTopologyStillTakesDownIsNotForgotten() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 4, 1).wishStatic(true);
        ocs.settle();
        ocs.silent.add("ocs-40");
        ocs.wishStatic(false);
        ocs.settle();
        ocs.topology = new OcsTopology.TwistedTorus(Shape.parse("1x1x2"));
        ocs.wishStatic(true);
        ocs.settle();
        ocs.silent.clear();
        Deliberation rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").foreign()).isEmpty();
        assertThat(ocs.light()).isEqualTo(ocs.recorded(ToyOcs.STATIC));
        assertThat(ocs.recorded(ToyOcs.STATIC).on("ocs-40")).hasSize(2);
    }

    @Test
    void lightThatFitsNowhereIsLookedAtOnce() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 6, 1);
        ocs.wishTorus("job", "4x4x8", true, LIGHT);
        ocs.settle();
        ocs.lit.get("ocs-03").add(new Circuit("5", "1006"));
        assertThat(ocs.settle().fabrics().get("spine").foreign()).hasSize(1);
        ocs.step();
        assertThat(ocs.remembered.get("spine").known(CubeTorus.LENT_TORI).size())
                .isEqualTo(1);
        assertThat(ocs.remembered.get("spine").known(CubeTorus.LENT_TORI).workedOut())
                .isZero();
    }

    private static void undescribe(ToyOcs ocs, int cube) {
        ocs.pods.removeIf(pod -> pod.index() == cube);
        ocs.switches.forEach((name, of) -> ocs.described.put(
                name,
                ToyOcs.rewired(
                        of,
                        of.wiring().stream()
                                .filter(wire -> !wire.pod().equals(ToyOcs.pod(cube)))
                                .toList())));
    }

    /** A cube that a running job has is described no more, and there is another that it may have once it may move. */
    private static ToyOcs withoutACubeOfTheJob(boolean cordoned) {
        ToyOcs ocs = ToyOcs.torus("2x2x2", 9, 1).wishStatic(true);
        ocs.wiring.close(8, true);
        ocs.settle();
        ocs.wishTorus("job", "4x4x8", true, new Workload.Pods(new TreeSet<>(Set.of("node-0", "node-1")), false));
        ocs.settle();
        assertThat(ocs.cubes(new SliceId("team", "job"))).containsExactly("pod-00", "pod-01");
        ocs.wiring.close(8, cordoned);
        undescribe(ocs, 0);
        return ocs;
    }

    @Test
    void aCubeThatIsDescribedNoMoreMayBeOneThatItLent() {
        for (boolean cordoned : List.of(false, true)) {
            ToyOcs ocs = withoutACubeOfTheJob(cordoned);
            ocs.settle();
            SwitchedLight before = ocs.light();
            loseRecord(ocs);
            Deliberation rest = ocs.settle();
            assertThat(ocs.decisions).noneMatch(Decision.Apply.class::isInstance);
            assertThat(rest.fabrics().get("spine").foreign()).isEmpty();
            assertThat(ocs.light()).isEqualTo(before);
        }
    }

    @Test
    void withItsFabricMadeAnewWithoutACube() {
        for (boolean hosted : List.of(false, true)) {
            ToyOcs ocs = ToyOcs.torus("2x2x2", 9, 1).wishStatic(true);
            ocs.wiring.close(8, true);
            ocs.settle();
            SliceId job = ocs.wishTorus(
                    "job",
                    "4x4x8",
                    true,
                    hosted ? new Workload.Pods(new TreeSet<>(Set.of("node-0", "node-1")), false) : LIGHT);
            ocs.settle();
            ocs.wiring.close(8, false);
            undescribe(ocs, 0);
            loseRecord(ocs);
            ocs.settle();
            assertThat(ocs.cubes(job)).as("hosted: %s", hosted).contains("pod-01");
            ocs.wishTorus("job", "4x4x8", false, LIGHT);
            Deliberation rest = ocs.settle();
            assertThat(ocs.cubes(ToyOcs.STATIC))
                    .containsExactlyInAnyOrder(
                            "pod-01", "pod-02", "pod-03", "pod-04", "pod-05", "pod-06", "pod-07", "pod-08");
            assertThat(rest.ocsFabrics().get("spine").topologyObstacle()).isEmpty();
            assertThat(ocs.light().minus(ocs.recorded(ToyOcs.STATIC)).isEmpty()).isTrue();
        }
    }
}
