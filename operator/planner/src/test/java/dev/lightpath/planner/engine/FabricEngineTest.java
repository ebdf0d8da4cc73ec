package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FabricEngineTest {
    private final ToyRing ring = ToyRing.of(16, 3);

    @Test
    void recordsBeforeItTouchesADevice() {
        ring.wish("a", 2, 16);
        ring.settle();
        assertThat(ring.decisions.get(0)).isInstanceOf(Decision.Adopt.class);
        assertThat(ring.decisions.get(1)).isInstanceOf(Decision.Apply.class);
        assertThat(ring.decisions).hasSize(3);
    }

    @Test
    void qualifiesWhatItPlaced() {
        SliceId a = ring.wish("a", 2, 16);
        SliceVerdict verdict = ring.settle().slices().get(a);
        assertThat(verdict.placement()).isInstanceOf(SliceVerdict.Placement.Placed.class);
        assertThat(verdict.light().qualified()).isTrue();
        assertThat(verdict.light().links()).isEqualTo(6);
        assertThat(verdict.light().total()).isEqualTo(24);
    }

    @Test
    void saysWhatIsMissingWhenThereIsNoRoom() {
        ring.wish("a", 3, 16);
        SliceId b = ring.wish("b", 2, 16);
        SliceVerdict verdict = ring.settle().slices().get(b);
        assertThat(verdict.placement()).isInstanceOfSatisfying(SliceVerdict.Placement.Unplaced.class, unplaced -> {
            assertThat(unplaced.reason()).isEqualTo(Reason.INSUFFICIENT_CAPACITY);
            assertThat(unplaced.message()).contains("wanted 32 GPUs in 2 groups of 16", "12 allocated");
        });
    }

    @Test
    void repairsAroundAFailedNodeAndPutsItsLightBack() {
        SliceId a = ring.wish("a", 3, 16);
        ring.settle();
        String victim = ring.groups(a).get(1).get(1);
        ring.notReady.add(victim);
        Deliberation settled = ring.settle();
        assertThat(ring.groups(a).stream().flatMap(List::stream)).doesNotContain(victim);
        assertThat(ring.ledger.get(a).allocation().orElseThrow().revision()).isEqualTo(2);
        assertThat(ring.ledger.get(a).allocation().orElseThrow().releasing()).isEmpty();
        assertThat(ring.bundles.get(victim)).containsOnly(BundleState.LOOPBACK);
        assertThat(settled.slices().get(a).light().qualified()).isTrue();
    }

    /** It is read when it comes back: nobody could read it now. */
    @Test
    void aDeviceThatItsDriverRemovedIsNotRead() {
        ring.unsettled.add(new DeviceId(ToyRing.DRIVER, "removed"));
        assertThat(FabricEngine.deliberate(ring.world()).decision()).isInstanceOf(Decision.Rest.class);
        DeviceId there = new DeviceId(ToyRing.DRIVER, "n1");
        ring.unsettled.add(there);
        assertThat(FabricEngine.deliberate(ring.world()).decision())
                .isEqualTo(new Decision.Observe(new TreeSet<>(List.of(there))));
    }

    @Test
    void keepsTheLightOfUntouchedSlices() {
        ring.wish("a", 1, 16);
        SliceId b = ring.wish("b", 1, 16);
        SliceId a = new SliceId("team", "a");
        ring.settle();
        List<List<String>> before = ring.groups(a);
        ring.notReady.add(ring.groups(b).getFirst().get(2));
        ring.decisions.clear();
        ring.settle();
        assertThat(ring.groups(a)).isEqualTo(before);
        assertThat(ring.ledger.get(a).allocation().orElseThrow().revision()).isEqualTo(1);
        TreeSet<String> touched = new TreeSet<>();
        ring.decisions.stream()
                .filter(Decision.Apply.class::isInstance)
                .map(decision -> ((Decision.Apply) decision).stage())
                .forEach(stage -> stage.devices().forEach(device -> touched.add(device.device())));
        assertThat(touched).isNotEmpty().doesNotContainAnyElementsOf(before.getFirst());
    }

    @Test
    void waitsForTheWorkloadKey() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        String victim = ring.groups(a).getFirst().get(1);
        ring.wish(
                "a",
                1,
                16,
                new Workload.Pods(new TreeSet<>(ring.groups(a).getFirst()), false),
                new Replacement.WithWorkload(),
                true);
        ring.notReady.add(victim);
        SliceVerdict waiting = ring.settle().slices().get(a);
        assertThat(waiting.placement()).isInstanceOfSatisfying(SliceVerdict.Placement.Faulted.class, faulted -> {
            assertThat(faulted.members()).containsExactly(victim);
            assertThat(faulted.degraded()).isFalse();
        });
        ring.wish(
                "a",
                1,
                16,
                new Workload.Pods(new TreeSet<>(ring.groups(a).getFirst()), true),
                new Replacement.WithWorkload(),
                true);
        ring.settle();
        assertThat(ring.groups(a).getFirst()).doesNotContain(victim);
    }

    @Test
    void changesNothingWhileTheDriverIsAway() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        ring.contact = DriverState.Contact.UNREACHABLE;
        ring.silent.addAll(ring.groups(a).getFirst());
        ring.notReady.add(ring.groups(a).getFirst().getFirst());
        ring.wish("b", 1, 16);
        ring.decisions.clear();
        Deliberation deliberation = ring.settle();
        assertThat(ring.decisions).hasSize(1);
        assertThat(deliberation.slices().get(a).light().obstacle())
                .hasValueSatisfying(obstacle -> assertThat(obstacle.reason()).isEqualTo(Reason.DRIVER_UNREACHABLE));
    }

    @Test
    void takesASilentDeviceForAFaultOnlyAfterItsHold() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        String victim = ring.groups(a).getFirst().get(3);
        ring.silent.add(victim);
        ring.settle();
        assertThat(ring.groups(a).getFirst()).contains(victim);
        ring.pass(Duration.ofMillis(250));
        ring.settle();
        assertThat(ring.groups(a).getFirst()).doesNotContain(victim);
        assertThat(ring.ledger.get(a).allocation().orElseThrow().releasing()).containsExactly(victim);
        assertThat(ring.settle().slices().get(a).leftOnlySilence()).isTrue();
        ring.contact = DriverState.Contact.UNREACHABLE;
        assertThat(ring.settle().slices().get(a).leftOnlySilence())
                .as("a driver that is away says nothing of its devices")
                .isFalse();
        ring.contact = DriverState.Contact.SYNCED;
        ring.silent.remove(victim);
        assertThat(ring.settle().slices().get(a).leftOnlySilence()).isFalse();
        assertThat(ring.ledger.get(a).allocation().orElseThrow().releasing()).isEmpty();
        assertThat(ring.bundles.get(victim)).containsOnly(BundleState.LOOPBACK);
    }

    /** What a silent device showed last is not read back. */
    @Test
    void countsNoCircuitOfASilentDeviceAsLit() {
        ring.wish("a", 1, 16);
        FabricVerdict.Circuits all = ring.settle().fabrics().get("ring-a").circuits();
        assertThat(all.lit()).isEqualTo(all.planned());
        ring.silent.add("n15");
        assertThat(ring.settle().fabrics().get("ring-a").circuits())
                .isEqualTo(new FabricVerdict.Circuits(all.planned(), all.planned() - 3, 0, 0));
        ring.silent.clear();
        assertThat(ring.settle().fabrics().get("ring-a").circuits()).isEqualTo(all);
    }

    @Test
    void aDeviceThatIsGoneHoldsUpNobodyAndSeatsNobody() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        String victim = ring.groups(a).getFirst().get(1);
        ring.gone.add(victim);
        ring.unwish(a);
        assertThat(ring.settle().slices().get(a).placement())
                .isInstanceOfSatisfying(SliceVerdict.Placement.Releasing.class, releasing -> {
                    assertThat(releasing.remaining()).isEqualTo(1);
                    assertThat(releasing.onlySilent()).isTrue();
                });
        SliceId b = ring.wish("b", 1, 16);
        Deliberation rest = ring.settle();
        assertThat(rest.slices().get(b).placement()).isInstanceOf(SliceVerdict.Placement.Placed.class);
        assertThat(ring.groups(b).getFirst()).doesNotContain(victim);
        ring.gone.clear();
        assertThat(ring.settle().slices().get(a).placement()).isInstanceOf(SliceVerdict.Placement.Released.class);
        assertThat(ring.bundles.get(victim)).containsOnly(BundleState.LOOPBACK);
    }

    @Test
    void takesDownItsOwnLightOnNodesThatClaimOnePosition() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        List<String> members = ring.groups(a).getFirst();
        int position = Integer.parseInt(members.get(1).substring(1));
        ring.miswired.put(position, List.of(members.get(0), members.get(1)));
        ring.settle();
        assertThat(ring.groups(a).getFirst()).doesNotContain(members.get(0), members.get(1));
        assertThat(ring.bundles.get(members.get(0))).containsOnly(BundleState.LOOPBACK);
        assertThat(ring.bundles.get(members.get(1))).containsOnly(BundleState.LOOPBACK);
        assertThat(ring.ledger.get(a).allocation().orElseThrow().releasing()).isEmpty();
    }

    @Test
    void releasesToLoopbackAndThenToNothing() {
        SliceId a = ring.wish("a", 2, 16);
        ring.settle();
        ring.unwish(a);
        SliceVerdict verdict = ring.settle().slices().get(a);
        assertThat(verdict.placement()).isInstanceOf(SliceVerdict.Placement.Released.class);
        assertThat(ring.litNodes()).isEmpty();
    }

    @Test
    void leavesLightUnderRunningPodsUntilTheyAreGone() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        TreeSet<String> occupied = new TreeSet<>(ring.groups(a).getFirst());
        ring.wish("a", 1, 16, new Workload.Pods(occupied, false), new Replacement.WithWorkload(), false);
        SliceVerdict verdict = ring.settle().slices().get(a);
        assertThat(verdict.placement()).isInstanceOf(SliceVerdict.Placement.Releasing.class);
        assertThat(ring.litNodes()).isEqualTo(occupied);
    }

    @Test
    void awaitsAWordBeforeItTouchesLightItDoesNotKnow() {
        ring.bundles.get("n3")[1] = BundleState.PATH_1;
        SliceId a = ring.wish("a", 1, 16);
        Deliberation deliberation = ring.settle();
        assertThat(deliberation.fabrics().get("ring-a").awaitingAdoption()).isTrue();
        assertThat(deliberation.slices().get(a).placement()).isInstanceOf(SliceVerdict.Placement.Unplaced.class);
        assertThat(ring.bundles.get("n3")[1]).isEqualTo(BundleState.PATH_1);
    }

    /** Its first contact is over: what burns beside the jobs then is foreign, also when the last of them is gone. */
    @Test
    void aFabricOnWhichARecordStoodAwaitsNoAdoptionAgain() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        String free = "n" + freePosition(a);
        ring.bundles.get(free)[1] = BundleState.PATH_1;
        ring.unwish(a);
        ring.settle();
        ring.slices.remove(a);
        ring.ledger.remove(a);
        assertThat(ring.settle().fabrics().get("ring-a").awaitingAdoption()).isTrue();
        ring.policy = Policies.afterFirstContact(ring.policy);
        SliceId b = ring.wish("b", 1, 16);
        Deliberation deliberation = ring.settle();
        assertThat(deliberation.fabrics().get("ring-a").awaitingAdoption()).isFalse();
        assertThat(deliberation.slices().get(b).placement()).isInstanceOf(SliceVerdict.Placement.Placed.class);
        assertThat(ring.groups(b).getFirst()).doesNotContain(free);
        assertThat(ring.bundles.get(free)[1]).isEqualTo(BundleState.PATH_1);
        assertThat(deliberation.fabrics().get("ring-a").circuits().foreign()).isEqualTo(1);
    }

    /** Its record is all that is known of its light, and the fabric may come back. */
    @Test
    void lightOfAFabricThatIsGoneIsNotReleased() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        ring.unwish(a);
        assertThat(withoutTheFabric().slices().get(a).placement())
                .isInstanceOfSatisfying(SliceVerdict.Placement.Releasing.class, releasing -> {
                    assertThat(releasing.remaining()).isEqualTo(4);
                    assertThat(releasing.waitsFor()).contains("there is no fabric ring-a", "force-release");
                });
        ring.settle();
        assertThat(withoutTheFabric().slices().get(a).placement())
                .as("dark before it went")
                .isInstanceOf(SliceVerdict.Placement.Released.class);
    }

    private Deliberation withoutTheFabric() {
        return FabricEngine.deliberate(World.atRest(
                ring.now,
                new StageId(7, 1),
                new TreeMap<>(),
                new TreeMap<>(),
                ring.slices,
                ring.ledger,
                new TreeMap<>()));
    }

    @Test
    void keptLightStaysBesideJobsWhateverBecomesOfOtherForeignLight() {
        ring.bundles.get("n3")[1] = BundleState.PATH_1;
        FabricPolicy was = ring.policy;
        ring.policy = removing(was, Optional.of(FabricPolicy.Adoption.KEEP));
        SliceId a = ring.wish("a", 1, 16);
        Deliberation rest = ring.settle();
        assertThat(rest.slices().get(a).placement()).isInstanceOf(SliceVerdict.Placement.Placed.class);
        assertThat(ring.bundles.get("n3")[1]).isEqualTo(BundleState.PATH_1);
        ring.policy = removing(was, Optional.empty());
        ring.settle();
        assertThat(ring.bundles.get("n3")).containsOnly(BundleState.LOOPBACK);
    }

    @Test
    void weakLightThatAGroupLeftKeepsItsPathOutUntilAPersonClearsIt() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        String member = ring.groups(a).getFirst().get(1);
        BundleState[] states = ring.bundles.get(member);
        int bundle = 0;
        while (states[bundle] == BundleState.LOOPBACK) {
            bundle++;
        }
        BundleState weak = states[bundle];
        String port = "b" + bundle + (weak == BundleState.PATH_1 ? ".path1" : ".path2");
        ring.failedPorts.put(member, new TreeMap<>(Map.of(port, "LowPower")));
        ring.settle();
        ring.now = ring.now.plusSeconds(1);
        ring.settle();
        assertThat(ring.bundles.get(member)[bundle]).isNotEqualTo(weak);
        ring.failedPorts.clear();
        ring.settle();
        ring.now = ring.now.plus(Duration.ofMinutes(20));
        assertThat(ring.settle().fabrics().get("ring-a").faults())
                .singleElement()
                .satisfies(fault -> {
                    assertThat(fault.subject().label()).isEqualTo("port/" + member + "/" + port);
                    assertThat(fault.quarantined()).isTrue();
                });
    }

    @Test
    void aNodeWhoseTransceiversAreInLoopbackForAMomentWasNotLeft() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        String member = ring.groups(a).getFirst().get(1);
        BundleState[] states = ring.bundles.get(member);
        int bundle = 0;
        while (states[bundle] == BundleState.LOOPBACK) {
            bundle++;
        }
        String port = "b" + bundle + (states[bundle] == BundleState.PATH_1 ? ".path1" : ".path2");
        ring.paused = true;
        ring.failedPorts.put(member, new TreeMap<>(Map.of(port, "LowPower")));
        ring.settle();
        ring.now = ring.now.plusSeconds(1);
        ring.settle();
        ring.failedPorts.clear();
        java.util.Arrays.fill(states, BundleState.LOOPBACK);
        ring.settle();
        ring.now = ring.now.plusSeconds(2);
        assertThat(ring.settle().fabrics().get("ring-a").faults())
                .filteredOn(fault -> fault.reason().equals("LowPower"))
                .singleElement()
                .matches(fault -> !fault.quarantined());
    }

    private static FabricPolicy removing(FabricPolicy was, Optional<FabricPolicy.Adoption> adopt) {
        return Policies.foreign(was, FabricPolicy.ForeignCircuits.REMOVE, adopt);
    }

    @Test
    void keepsOffForeignLight() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        String free = "n" + freePosition(a);
        ring.bundles.get(free)[1] = BundleState.PATH_1;
        ring.wish("b", 2, 16);
        ring.settle();
        assertThat(ring.bundles.get(free)[1]).isEqualTo(BundleState.PATH_1);
        assertThat(ring.groups(new SliceId("team", "b")).stream().flatMap(List::stream))
                .doesNotContain(free);
    }

    private int freePosition(SliceId slice) {
        for (int position = 0; position < 16; position++) {
            if (!ring.groups(slice).getFirst().contains("n" + position)) {
                return position;
            }
        }
        throw new AssertionError();
    }

    /** Whoever adds the figures up must not miss nodes. */
    @Test
    void everyNodeIsCountedWhereThereIsNoRoom() {
        SliceId going = ring.wish("going", 1, 16);
        ring.settle();
        String free = "n" + freePosition(going);
        ring.bundles.get(free)[1] = BundleState.PATH_1;
        String silent = ring.groups(going).getFirst().getFirst();
        ring.silent.add(silent);
        ring.wish("going", 1, 16, new Workload.LightOnly(), new Replacement.Immediately(), false);
        SliceId late = ring.wish("late", 4, 16);
        assertThat(unplaced(ring.settle(), late))
                .contains("of 16 nodes 0 are faulty")
                .contains(" 2 kept from use by foreign light, a quarantine, their device or a record,")
                .contains("; 14 are free");
    }

    private static String unplaced(Deliberation settled, SliceId slice) {
        return java.util.Objects.requireNonNull(settled.slices().get(slice)).placement()
                        instanceof SliceVerdict.Placement.Unplaced(Reason reason, String message, boolean ports)
                ? reason + ": " + message
                : "placed";
    }

    @Test
    void movesNothingOnAPausedFabric() {
        ring.paused = true;
        SliceId a = ring.wish("a", 1, 16);
        SliceVerdict verdict = ring.settle().slices().get(a);
        assertThat(verdict.placement())
                .isInstanceOfSatisfying(
                        SliceVerdict.Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.reason()).isEqualTo(Reason.FABRIC_PAUSED));
        assertThat(ring.decisions).allMatch(Decision.Rest.class::isInstance);
    }

    /** "Not made yet" alone lets a user wait for what nobody will make. */
    @Test
    void lightThatIsNotMadeOnAPausedFabricSaysSo() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        java.util.Arrays.fill(ring.bundles.get(ring.groups(a).getFirst().get(1)), BundleState.LOOPBACK);
        ring.paused = true;
        assertThat(ring.settle().slices().get(a).light().obstacle())
                .hasValueSatisfying(obstacle -> assertThat(obstacle.message())
                        .endsWith("is not made yet: the fabric is paused: set spec.paused to false to go on"));
        ring.paused = false;
        assertThat(ring.settle().slices().get(a).light().obstacle()).isEmpty();
    }

    @Test
    void stopsWhenTooMuchFailsAtOnce() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        ring.pass(Duration.ofSeconds(5));
        List<List<String>> before = ring.groups(a);
        ring.notReady.addAll(before.getFirst());
        Deliberation deliberation = ring.settle();
        assertThat(deliberation.fabrics().get("ring-a").massFailure())
                .contains(
                        "4 of 16 nodes failed within 30 s (n6, n7, n8, n9), and from 20 % on (spec.policy.massFailure) all"
                                + " automatic moves stand still, until these faults clear or a person goes on: kubectl lightpath"
                                + " resume fabric/ring-a, or annotate it lightpath.dev/resume-after-mass-failure with the time");
        assertThat(ring.groups(a)).isEqualTo(before);
    }

    @Test
    void isNotStoppedByNodesThatJoinBeforeTheyAreReady() {
        for (int position = 8; position < 16; position++) {
            ring.names.remove(position);
        }
        ring.settle();
        ring.pass(Duration.ofSeconds(5));
        for (int position = 8; position < 16; position++) {
            ring.names.put(position, "n" + position);
            ring.notReady.add("n" + position);
        }
        assertThat(ring.settle().fabrics().get("ring-a").massFailure()).isEmpty();
        ring.pass(Duration.ofSeconds(5));
        ring.notReady.clear();
        SliceId all = ring.wish("all", 4, 16);
        ring.settle();
        assertThat(ring.groups(all)).hasSize(4);
    }

    @Test
    void doesNotCallADeviceSilentThatAnotherRoleHolds() {
        ring.settle();
        ring.foreign.add("n3");
        ring.settle();
        ring.pass(Duration.ofSeconds(1));
        assertThat(ring.settle().faults().get("ring-a").faults())
                .singleElement()
                .matches(fault -> fault.subject().holder().equals("n3"))
                .matches(fault -> fault.reason().equals("HeldByAnotherRole"));
    }

    @Test
    void stopsWhenNewNodesFailThatWereReadyOnce() {
        ring.settle();
        ring.pass(Duration.ofSeconds(5));
        for (int position = 8; position < 16; position++) {
            ring.notReady.add("n" + position);
        }
        assertThat(ring.settle().fabrics().get("ring-a").massFailure()).isPresent();
    }

    @Test
    void usesAnotherReachWhenAPathFails() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        List<String> members = ring.groups(a).getFirst();
        ring.failedPorts.put(members.get(1), new java.util.TreeMap<>(java.util.Map.of("b1.path1", "PortFailed")));
        ring.settle();
        ring.pass(Duration.ofMillis(250));
        Deliberation deliberation = ring.settle();
        assertThat(deliberation.slices().get(a).light().qualified()).isTrue();
        assertThat(ring.bundles.get(members.get(1))[1]).isNotEqualTo(BundleState.PATH_1);
    }

    /** What its members can do without broke nothing. */
    @Test
    void theGraceOfAGroupBeginsWithTheFaultThatBreaksIt() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        List<String> members = ring.groups(a).getFirst();
        ring.wish(
                "a",
                1,
                16,
                new Workload.Pods(new TreeSet<>(members), false),
                new Replacement.After(Duration.ofMinutes(10)),
                true);
        int spare = List.of(ring.bundles.get(members.get(1))).indexOf(BundleState.LOOPBACK);
        ring.failedPorts.put(members.get(1), new TreeMap<>(java.util.Map.of("b" + spare + ".path1", "PortFailed")));
        ring.settle();
        ring.pass(Duration.ofHours(1));
        assertThat(ring.settle().slices().get(a).placement()).isInstanceOf(SliceVerdict.Placement.Placed.class);
        ring.notReady.add(members.get(1));
        assertThat(ring.settle().slices().get(a).placement())
                .isInstanceOfSatisfying(
                        SliceVerdict.Placement.Faulted.class,
                        faulted ->
                                assertThat(faulted.waitsFor()).startsWith("waits until " + ring.now.plusSeconds(600)));
        ring.pass(Duration.ofMinutes(10));
        ring.settle();
        assertThat(ring.groups(a).getFirst()).doesNotContain(members.get(1));
    }

    @Test
    void putsBackLightThatWentAstray() {
        SliceId a = ring.wish("a", 1, 16);
        ring.settle();
        String victim = ring.groups(a).getFirst().get(1);
        java.util.Arrays.fill(ring.bundles.get(victim), BundleState.LOOPBACK);
        Deliberation deliberation = ring.settle();
        assertThat(deliberation.slices().get(a).light().qualified()).isTrue();
    }

    @Test
    void staysWithinTheDisruptionBudgetUnderRunningPods() {
        ToyRing large = ToyRing.of(64, 3);
        SliceId a = large.wish("a", 12, 16);
        large.settle();
        TreeSet<String> occupied = new TreeSet<>();
        large.groups(a).forEach(occupied::addAll);
        large.wish("a", 12, 16, new Workload.Pods(occupied, false), new Replacement.WithWorkload(), true);
        occupied.forEach(node -> java.util.Arrays.fill(large.bundles.get(node), BundleState.LOOPBACK));
        large.policy = Policies.budget(large.policy, 5);
        large.decisions.clear();
        large.settle();
        List<Stage> stages = large.decisions.stream()
                .filter(Decision.Apply.class::isInstance)
                .map(decision -> ((Decision.Apply) decision).stage())
                .toList();
        int budget = 64 * 3 * 5 / 100;
        assertThat(stages)
                .hasSizeGreaterThan(5)
                .allSatisfy(stage -> assertThat(stage.changes().stream()
                                .mapToInt(change -> change.disconnects().size())
                                .sum())
                        .isBetween(1, budget));
    }
}
