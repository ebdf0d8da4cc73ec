package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.torus.CubeArrangement;
import dev.lightpath.planner.torus.CubeSlice;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.torus.TorusChoice;
import dev.lightpath.planner.world.Agreement;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OcsTorusTest {
    private static final Duration HOLD = Duration.ofSeconds(2);

    /** The light of a torus on these cubes, on ports {@code cube * stride + 1}. */
    private static SwitchedLight torus(String cubes, List<Integer> placement, int stride) {
        Shape shape = Shape.parse(cubes);
        SwitchedLight.Builder light = new SwitchedLight.Builder();
        new CubeSlice(CubeArrangement.box(shape, TorusChoice.bestTwist(shape)), placement)
                .circuits()
                .forEach(of -> of.circuits()
                        .forEach(circuit -> light.add(
                                String.format("ocs-%02d", of.switchIndex()),
                                new Circuit(
                                        Integer.toString(circuit.from() * stride + 1),
                                        Integer.toString(1000 + circuit.to() * stride + 1)))));
        return light.build();
    }

    private static Set<String> podsOf(SwitchedLight light) {
        Set<String> pods = new TreeSet<>();
        light.forEach((name, circuit) -> {
            pods.add(ToyOcs.pod(Integer.parseInt(circuit.ingress()) - 1));
            pods.add(ToyOcs.pod(Integer.parseInt(circuit.egress()) - 1001));
        });
        return pods;
    }

    @Test
    void lightsTheBestTwistOnTheLowestCubes() {
        ToyOcs ocs = ToyOcs.torus("1x1x2", 4, 1).wishStatic(true);
        Deliberation rest = ocs.settle();
        assertThat(ocs.light()).isEqualTo(torus("1x1x2", List.of(0, 1), 1));
        assertThat(rest.ocsFabrics().get("spine").topologyObstacle()).isEmpty();
        assertThat(rest.slices().get(ToyOcs.STATIC).light().qualified()).isTrue();
    }

    @Test
    void aWireThatFailsAtBothEndsHasFailedOnce() {
        ToyOcs ocs = ToyOcs.torus("1x1x2", 4, 1).wishStatic(true);
        ocs.settle();
        ocs.now = ocs.now.plusSeconds(60);
        // three of four cubes' wires of every fifth switch are a share of 15 percent; counted by ends, 30 of them would
        // be too many
        int switches = 0;
        for (String name : ocs.switches.keySet()) {
            if (switches++ % 5 == 0) {
                for (int cube = 1; cube <= 3; cube++) {
                    ocs.fail(name, Integer.toString(cube));
                    ocs.fail(name, Integer.toString(1000 + cube));
                }
            }
        }
        Deliberation rest = ocs.settleAfter(Duration.ofSeconds(2));
        assertThat(rest.fabrics().get("spine").massFailure()).isEmpty();
    }

    @Test
    void aFailedCubeIsReplacedTouchingOnlyItsOwnPorts() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 6, 1).wishStatic(true);
        ocs.settle();
        SwitchedLight before = ocs.light();
        ocs.silentPods.add(ToyOcs.pod(2));
        ocs.settleAfter(HOLD);
        assertThat(ocs.cubes(ToyOcs.STATIC)).containsExactly("pod-00", "pod-01", "pod-04", "pod-03");
        assertThat(ocs.light()).isEqualTo(torus("1x2x2", List.of(0, 1, 4, 3), 1));
        before.minus(ocs.light())
                .forEach((name, circuit) -> assertThat(circuit.ingress().equals("3")
                                || circuit.egress().equals("1003"))
                        .isTrue());
        assertThat(before.minus(ocs.light()).size()).isLessThanOrEqualTo(96);
    }

    @Test
    void aNodeThatFailsBreaksItsCube() {
        ToyOcs ocs = ToyOcs.torus("1x1x2", 4, 1).wishStatic(true);
        ocs.settle();
        ocs.nodeFails(0);
        ocs.settleAfter(HOLD);
        assertThat(ocs.cubes(ToyOcs.STATIC)).containsExactly("pod-02", "pod-01");
    }

    @Test
    void aFailedPortUsesTheCubesSparePortFirst() {
        ToyOcs ocs = ToyOcs.torus("1x1x2", 4, 2).wishStatic(true);
        ocs.settle();
        SwitchedLight before = ocs.light();
        ocs.fail("ocs-17", "1");
        ocs.settleAfter(HOLD);
        assertThat(ocs.cubes(ToyOcs.STATIC)).containsExactly("pod-00", "pod-01");
        assertThat(ocs.light().minus(before).on("ocs-17")).hasSize(1);
        assertThat(ocs.light().minus(before).on("ocs-17").iterator().next().ingress())
                .isEqualTo("2");
        assertThat(before.minus(ocs.light()).size()).isEqualTo(1);
    }

    @Test
    void aFailedPortWithoutASpareReplacesItsCube() {
        ToyOcs ocs = ToyOcs.torus("1x1x2", 4, 1).wishStatic(true);
        ocs.settle();
        ocs.fail("ocs-17", "1");
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(ocs.cubes(ToyOcs.STATIC)).containsExactly("pod-02", "pod-01");
        assertThat(rest.ocsFabrics().get("spine").topologyObstacle()).isEmpty();
    }

    @Test
    void aFailedSwitchDegradesAndMovesNothing() {
        ToyOcs ocs = ToyOcs.torus("1x1x2", 4, 1).wishStatic(true);
        ocs.settle();
        SwitchedLight before = ocs.light();
        ocs.silent.add("ocs-20");
        ocs.dark.add("ocs-20");
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(ocs.light()).isEqualTo(before);
        assertThat(rest.ocsFabrics().get("spine").topologyObstacle())
                .hasValueSatisfying(why -> assertThat(why.reason()).isEqualTo(Reason.DEGRADED));
    }

    @Test
    void jobsGetFreeCubesAndGiveThemBack() {
        ToyOcs ocs = ToyOcs.torus("1x1x2", 8, 1).wishStatic(true);
        ocs.settle();
        SwitchedLight standing = ocs.light();
        SliceId first = ocs.wishTorus("first", "4x4x8", true, new Workload.LightOnly());
        SliceId second = ocs.wishTorus("second", "4x4x8", true, new Workload.LightOnly());
        ocs.settle();
        assertThat(ocs.cubes(first)).containsExactly("pod-02", "pod-03");
        assertThat(ocs.cubes(second)).containsExactly("pod-04", "pod-05");
        assertThat(ocs.light())
                .isEqualTo(standing.and(torus("1x1x2", List.of(2, 3), 1)).and(torus("1x1x2", List.of(4, 5), 1)));
        ocs.wishTorus("first", "4x4x8", false, new Workload.LightOnly());
        ocs.settle();
        assertThat(ocs.light()).isEqualTo(standing.and(torus("1x1x2", List.of(4, 5), 1)));
    }

    @Test
    void theStaticTorusLendsCubesToAJobAndTakesThemBack() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 4, 1).wishStatic(true);
        ocs.settle();
        SwitchedLight before = ocs.light();
        SliceId job = ocs.wishTorus("job", "4x4x8", true, new Workload.LightOnly());
        Deliberation rest = ocs.settle();
        assertThat(ocs.cubes(job)).containsExactly("pod-00", "pod-01");
        assertThat(podsOf(ocs.recorded(ToyOcs.STATIC))).containsExactly("pod-02", "pod-03");
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        ocs.wishTorus("job", "4x4x8", false, new Workload.LightOnly());
        ocs.settle();
        assertThat(ocs.light()).isEqualTo(before);
    }

    @Test
    void aJobThatDoesNotFitSaysWhy() {
        ToyOcs ocs = ToyOcs.torus("1x1x2", 3, 1).wishStatic(true);
        SliceId never = ocs.wishTorus("never", "8x8x8", true, new Workload.LightOnly());
        ocs.wishTorus("first", "4x4x8", true, new Workload.LightOnly());
        SliceId second = ocs.wishTorus("second", "4x4x8", true, new Workload.LightOnly());
        ocs.nodeFails(2);
        Deliberation rest = ocs.settle();
        assertThat(rest.slices().get(never).placement())
                .isEqualTo(new SliceVerdict.Placement.Unplaced(
                        Reason.INSUFFICIENT_CAPACITY,
                        "wanted 8 cubes for 2x2x2, the fabric has 3: it can never fit on this fabric"));
        assertThat(rest.slices().get(second).placement())
                .isEqualTo(new SliceVerdict.Placement.Unplaced(
                        Reason.INSUFFICIENT_CAPACITY,
                        "wanted 2 cubes for 1x1x2, usable 0: of 3 cubes 1 is faulty, 2 held by jobs"));
    }

    @Test
    void aRunningJobKeepsItsCubeUntilItsPodsStop() {
        ToyOcs ocs = ToyOcs.torus("1x1x1", 6, 1).wishStatic(true);
        ocs.settle();
        Workload running = new Workload.Pods(new TreeSet<>(Set.of("node-1")), false);
        SliceId job = ocs.wishTorus("job", "4x4x8", true, running);
        ocs.settle();
        SwitchedLight before = ocs.light();
        ocs.silentPods.add(ocs.cubes(job).getFirst());
        Deliberation waits = ocs.settleAfter(HOLD);
        assertThat(ocs.light()).isEqualTo(before);
        assertThat(waits.slices().get(job).placement())
                .isInstanceOfSatisfying(
                        SliceVerdict.Placement.Faulted.class,
                        faulted -> assertThat(faulted.degraded()).isFalse());
        ocs.wishTorus("job", "4x4x8", true, new Workload.Pods(new TreeSet<>(), false));
        ocs.settle();
        assertThat(ocs.cubes(job).stream().collect(Collectors.toSet())).doesNotContain("pod-01");
    }

    /** A process that begins later would not know whose light it is. */
    @Test
    void aLostRecordIsWrittenAgainWhileARepairOrTheEndOfPodsIsWaitedFor() {
        for (boolean wanted : List.of(true, false)) {
            ToyOcs ocs = ToyOcs.torus("1x1x1", 6, 1).wishStatic(true);
            Workload running = new Workload.Pods(new TreeSet<>(Set.of("node-1")), false);
            SliceId job = ocs.wishTorus("job", "4x4x8", true, running);
            ocs.settle();
            SwitchedLight before = ocs.light();
            if (wanted) {
                ocs.silentPods.add(ocs.cubes(job).getFirst());
            } else {
                ocs.wishTorus("job", "4x4x8", false, running);
            }
            ocs.settleAfter(HOLD);
            LedgerEntry was = ocs.ledger.get(job);
            ocs.ledger.put(job, new LedgerEntry(was.allocation(), "emptied", true, true));
            ocs.settle();
            assertThat(ocs.ledger.get(job).lost()).as("wanted: %s", wanted).isFalse();
            assertThat(ocs.ledger.get(job).allocation()).isEqualTo(was.allocation());
            assertThat(ocs.light()).isEqualTo(before);
        }
    }

    /** After a fault elsewhere. */
    private static void givesGraceTo(BiConsumer<ToyOcs, String> fault) {
        ToyOcs ocs = ToyOcs.torus("1x1x1", 6, 1);
        Workload running = new Workload.Pods(new TreeSet<>(Set.of("node-1")), false);
        ocs.grace = Optional.of(HOLD.multipliedBy(3));
        SliceId job = ocs.wishTorus("job", "4x4x8", true, running);
        ocs.settle();
        SwitchedLight before = ocs.light();
        List<String> cubes = ocs.cubes(job);
        fault.accept(
                ocs,
                IntStream.range(0, 6)
                        .mapToObj(ToyOcs::pod)
                        .filter(pod -> !cubes.contains(pod))
                        .findFirst()
                        .orElseThrow());
        ocs.settleAfter(HOLD.multipliedBy(10));
        fault.accept(ocs, cubes.getFirst());
        ocs.settleAfter(HOLD);
        assertThat(ocs.light()).isEqualTo(before);
        ocs.settleAfter(HOLD.multipliedBy(4));
        assertThat(ocs.cubes(job)).doesNotContain(cubes.getFirst());
    }

    @Test
    void theGraceOfAJobBeginsWithAFaultOfItsOwn() {
        givesGraceTo((ocs, pod) -> ocs.nodeFails(IntStream.range(0, 6)
                .filter(index -> ToyOcs.pod(index).equals(pod))
                .findFirst()
                .orElseThrow()));
    }

    @Test
    void theGraceOfAJobBeginsWithTheSilenceOfItsCube() {
        givesGraceTo((ocs, pod) -> ocs.silentPods.add(pod));
    }

    /** The cubes have unequal numbers of nodes, so the job runs on a part of one. */
    @Test
    void aChipThatFailsOutsideTheRecordIsALossThatIsNotAskedAbout() {
        ToyOcs ocs = ToyOcs.torus("1x1x1", 4, 1);
        ocs.moreNodes.put(ToyOcs.pod(0), List.of("node-0-9"));
        Workload running = new Workload.Pods(new TreeSet<>(Set.of("node-0", "node-1")), false);
        SliceId job = ocs.wishTorus("job", "4x4x8", true, running);
        ocs.slices.put(
                job,
                ocs.slices
                        .get(job)
                        .but()
                        .replacement(new Replacement.Immediately())
                        .agreement(Optional.of(Agreement.within(Duration.ofMinutes(5))))
                        .build());
        ocs.settle();
        assertThat(ocs.nodes(job)).containsExactly(List.of("node-0"), List.of("node-1"));
        ocs.nodeSignals.put(
                "node-0-9", List.of(new Signal(new Subject.OfNode("node-0-9"), "NodeNotReady", Duration.ZERO)));
        ocs.settleAfter(HOLD);
        assertThat(ocs.ledger.get(job).allocation().orElseThrow().announcement())
                .isEmpty();
        assertThat(ocs.cubes(job)).containsExactly("pod-02", "pod-01");
        assertThat(ocs.light()).isEqualTo(torus("1x1x2", List.of(2, 1), 1));
    }

    @Test
    void aTorusThatIsThereIsAdopted() {
        ToyOcs ocs = ToyOcs.torus("1x2x2", 6, 1).wishStatic(true);
        SwitchedLight there = torus("1x2x2", List.of(5, 1, 4, 3), 1);
        there.forEach((name, circuit) -> ocs.lit.get(name).add(circuit));
        ocs.settle();
        assertThat(ocs.decisions).noneMatch(Decision.Apply.class::isInstance);
        assertThat(ocs.recorded(ToyOcs.STATIC)).isEqualTo(there);
    }

    private static final Workload NO_PODS_YET = new Workload.Pods(new TreeSet<>(), false);

    @Test
    void aTorusWithPodsNamesTheNodesOfEachCubeInOrder() {
        ToyOcs ocs = ToyOcs.torus("1x1x1", 6, 1).wishStatic(true);
        for (int cube = 0; cube < 6; cube++) {
            ocs.moreNodes.put(ToyOcs.pod(cube), List.of("node-" + cube + "-10", "node-" + cube + "-9"));
        }
        SliceId job = ocs.wishTorus("job", "4x4x8", true, NO_PODS_YET);
        ocs.settle();
        assertThat(ocs.nodes(job))
                .containsExactly(
                        List.of("node-0", "node-0-9", "node-0-10"), List.of("node-1", "node-1-9", "node-1-10"));
        assertThat(ocs.cubes(job)).containsExactly("pod-00", "pod-01");
        assertThat(ocs.recorded(job)).isEqualTo(torus("1x1x2", List.of(0, 1), 1));
    }

    @Test
    void cubesWithoutANodeServeLightAndNoPods() {
        ToyOcs ocs = ToyOcs.torus("1x1x1", 3, 1);
        ocs.goneNodes.add("node-0");
        SliceId light = ocs.wishTorus("light", "4x4x4", true, new Workload.LightOnly());
        SliceId pods = ocs.wishTorus("pods", "4x4x12", true, NO_PODS_YET);
        SliceVerdict.Placement placement = ocs.settle().slices().get(pods).placement();
        assertThat(ocs.cubes(light)).containsExactly("pod-00");
        assertThat(placement).isInstanceOf(SliceVerdict.Placement.Unplaced.class);
        SliceId small = ocs.wishTorus("small", "4x4x8", true, NO_PODS_YET);
        ocs.settle();
        assertThat(ocs.nodes(small)).containsExactly(List.of("node-1"), List.of("node-2"));
    }

    @Test
    void aNodeThatIsGoneHasItsCubeReplacedOnceThePodsStop() {
        ToyOcs ocs = ToyOcs.torus("1x1x1", 4, 1);
        SliceId job = ocs.wishTorus("job", "4x4x8", true, NO_PODS_YET);
        ocs.settle();
        SwitchedLight before = ocs.light();
        ocs.wishTorus("job", "4x4x8", true, new Workload.Pods(new TreeSet<>(Set.of("node-0", "node-1")), false));
        ocs.goneNodes.add("node-1");
        Deliberation waits = ocs.settleAfter(HOLD);
        assertThat(ocs.light()).isEqualTo(before);
        assertThat(waits.slices().get(job).placement())
                .isInstanceOfSatisfying(
                        SliceVerdict.Placement.Faulted.class,
                        faulted -> assertThat(faulted.members()).containsExactly("node-1"));
        ocs.wishTorus("job", "4x4x8", true, new Workload.Pods(new TreeSet<>(Set.of("node-0")), true));
        ocs.settle();
        assertThat(ocs.nodes(job)).containsExactly(List.of("node-0"), List.of("node-2"));
        assertThat(ocs.light()).isEqualTo(torus("1x1x2", List.of(0, 2), 1));
    }

    @Test
    void aNodeThatTakesThePlaceOfOneThatIsGoneTakesItsRankAndMovesNoLight() {
        ToyOcs ocs = ToyOcs.torus("1x1x1", 4, 1);
        for (int cube = 0; cube < 2; cube++) {
            ocs.moreNodes.put(ToyOcs.pod(cube), List.of("node-" + cube + "-1"));
        }
        SliceId job = ocs.wishTorus("job", "4x4x8", true, NO_PODS_YET);
        ocs.settle();
        SwitchedLight before = ocs.light();
        ocs.goneNodes.add("node-0");
        ocs.moreNodes.put(ToyOcs.pod(0), List.of("node-0-1", "node-0-2"));
        ocs.settleAfter(HOLD);
        assertThat(ocs.nodes(job)).containsExactly(List.of("node-0-2", "node-0-1"), List.of("node-1", "node-1-1"));
        assertThat(ocs.light()).isEqualTo(before);
    }

    private static void undescribe(ToyOcs ocs, int cube) {
        ocs.pods.removeIf(pod -> pod.index() == cube);
        ocs.switches.forEach((name, of) -> ocs.described.put(
                name,
                ToyOcs.rewired(
                        of,
                        ocs.described.getOrDefault(name, of).wiring().stream()
                                .filter(wire -> !wire.pod().equals(ToyOcs.pod(cube)))
                                .toList())));
    }

    @Test
    void aCubeOfSeveralNodesThatIsDescribedNoMoreIsReplacedAlone() {
        ToyOcs ocs = ToyOcs.torus("1x1x1", 5, 1);
        for (int cube = 0; cube < 5; cube++) {
            ocs.moreNodes.put(ToyOcs.pod(cube), List.of("node-" + cube + "-1"));
        }
        SliceId job = ocs.wishTorus("job", "4x4x12", true, NO_PODS_YET);
        ocs.settle();
        ocs.wishTorus("job", "4x4x12", true, new Workload.Pods(new TreeSet<>(Set.of("node-1", "node-2")), false));
        SwitchedLight before = ocs.light();
        undescribe(ocs, 0);
        Deliberation waits = ocs.settleAfter(HOLD);
        assertThat(ocs.light()).isEqualTo(before);
        assertThat(waits.slices().get(job).placement())
                .isInstanceOfSatisfying(
                        SliceVerdict.Placement.Faulted.class,
                        faulted -> assertThat(faulted.members()).contains("node-0", "node-0-1"));
        ocs.wishTorus("job", "4x4x12", true, NO_PODS_YET);
        ocs.settle();
        assertThat(ocs.nodes(job))
                .containsExactly(
                        List.of("node-3", "node-3-1"), List.of("node-1", "node-1-1"), List.of("node-2", "node-2-1"));
        assertThat(ocs.recorded(job)).isEqualTo(torus("1x1x3", List.of(3, 1, 2), 1));
    }

    @Test
    void aCubeThatIsDescribedNoMoreAndHasNoSpareDegrades() {
        for (Workload workload : List.of(NO_PODS_YET, new Workload.LightOnly())) {
            ToyOcs ocs = ToyOcs.torus("1x1x1", 3, 1);
            for (int cube = 0; cube < 3; cube++) {
                ocs.moreNodes.put(ToyOcs.pod(cube), List.of("node-" + cube + "-1"));
            }
            SliceId job = ocs.wishTorus("job", "4x4x12", true, workload);
            ocs.settle();
            undescribe(ocs, 0);
            undescribe(ocs, 1);
            Deliberation rest = ocs.settleAfter(HOLD);
            assertThat(rest.slices().get(job).placement())
                    .isInstanceOfSatisfying(
                            SliceVerdict.Placement.Faulted.class,
                            faulted -> assertThat(faulted.degraded()).isTrue());
            assertThat(ocs.ledger.get(job).allocation().orElseThrow().groups().stream()
                            .flatMap(group -> group.members().stream())
                            .map(member -> member.position())
                            .distinct())
                    .containsExactly(0, 1, 2);
        }
    }

    @Test
    void nobodyIsPlacedWhileAResetGoesOn() {
        ToyOcs ocs = ToyOcs.torus("1x1x2", 6, 1).wishStatic(true);
        Circuit strange = new Circuit("1", "1002");
        for (String name : List.of("ocs-03", "ocs-20")) {
            ocs.lit.get(name).add(strange);
        }
        SliceId job = ocs.wishTorus("job", "4x4x8", true, new Workload.LightOnly());
        assertThat(ocs.settle().fabrics().get("spine").awaitingAdoption()).isTrue();
        FabricPolicy standard = FabricPolicy.standard();
        ocs.policy = Policies.foreign(standard, standard.foreignCircuits(), Optional.of(FabricPolicy.Adoption.RESET));
        Deliberation rest = ocs.settle();
        assertThat(rest.fabrics().get("spine").foreign()).isEmpty();
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
        assertThat(ocs.light()).isEqualTo(ocs.recorded(ToyOcs.STATIC).and(ocs.recorded(job)));
    }

    @Test
    void foreignLightOnItsPortsIsNamed() {
        ToyOcs ocs = ToyOcs.torus("1x1x2", 2, 1).wishStatic(true);
        ocs.settle();
        ocs.lit.get("ocs-03").clear();
        ocs.lit
                .get("ocs-03")
                .add(new Circuit(
                        "1",
                        ocs.recorded(ToyOcs.STATIC).on("ocs-03").contains(new Circuit("1", "1002")) ? "1001" : "1002"));
        assertThat(ocs.settle().ocsFabrics().get("spine").topologyObstacle())
                .hasValueSatisfying(why -> assertThat(why.message())
                        .startsWith("no free ports for 2 links: ")
                        .contains("1 circuit that nobody planned"));
    }

    @Test
    void aFabricThatIsBeingDeletedRepairsWhoHasAPlace() {
        ToyOcs ocs = ToyOcs.torus("1x1x2", 4, 1);
        SliceId job = ocs.wishTorus("job", "4x4x8", true, new Workload.LightOnly());
        ocs.settle();
        ocs.retiring = true;
        ocs.silentPods.add(ToyOcs.pod(0));
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(ocs.cubes(job)).containsExactly("pod-02", "pod-01");
        assertThat(rest.slices().get(job).light().qualified()).isTrue();
    }

    private static ToyOcs resetting(String where) {
        ToyOcs ocs = ToyOcs.torus("1x1x2", 6, 1);
        ocs.lit.get(where).add(new Circuit("1", "1002"));
        FabricPolicy standard = FabricPolicy.standard();
        ocs.policy = Policies.foreign(standard, standard.foreignCircuits(), Optional.of(FabricPolicy.Adoption.RESET));
        return ocs;
    }

    @Test
    void aResetSaysWhichSwitchesItWaitsFor() {
        ToyOcs ocs = resetting("ocs-20");
        SliceId job = ocs.wishTorus("job", "4x4x8", true, new Workload.LightOnly());
        assertThat(FabricEngine.deliberate(ocs.world()).slices().get(job).placement())
                .isInstanceOfSatisfying(
                        SliceVerdict.Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.message())
                                .isEqualTo("light that was there before goes first (spec.adopt: Reset), on ocs-20"));
    }

    @Test
    void aResetWaitsForNoSwitchThatRefusesAgainAndAgain() {
        ToyOcs ocs = resetting("ocs-20");
        ocs.deaf.add("ocs-20/1");
        SliceId job = ocs.wishTorus("job", "4x4x8", true, new Workload.LightOnly());
        assertThat(ocs.settle().slices().get(job).placement()).isInstanceOf(SliceVerdict.Placement.Unplaced.class);
        for (int look = 0; look < 3; look++) {
            ocs.settleAfter(ToyOcs.SETBACK);
        }
        assertThat(ocs.recorded(job).isEmpty()).isFalse();
    }

    @Test
    void whoHasAPlaceWithoutLightKeepsItWhileAResetGoesOn() {
        ToyOcs ocs = ToyOcs.torus("1x1x2", 2, 1);
        SliceId job = ocs.wishTorus("job", "4x4x8", true, new Workload.LightOnly());
        ocs.settle();
        ocs.wishStatic(true);
        ocs.settle();
        ocs.slices.remove(job);
        ocs.ledger.remove(job);
        ocs.lit.values().forEach(Set::clear);
        ocs.lit.get("ocs-20").add(new Circuit("1", "1001"));
        FabricPolicy standard = FabricPolicy.standard();
        ocs.policy = Policies.foreign(standard, standard.foreignCircuits(), Optional.of(FabricPolicy.Adoption.RESET));
        assertThat(ocs.recorded(ToyOcs.STATIC).isEmpty()).isTrue();
        assertThat(FabricEngine.deliberate(ocs.world())
                        .slices()
                        .get(ToyOcs.STATIC)
                        .placement())
                .isInstanceOf(SliceVerdict.Placement.Placed.class);
        ocs.settle();
        assertThat(ocs.light()).isEqualTo(ocs.recorded(ToyOcs.STATIC));
        assertThat(ocs.light().size()).isEqualTo(2 * 48);
    }
}
