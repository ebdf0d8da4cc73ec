package dev.lightpath.app.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.app.measuring.QueriedTimes;
import dev.lightpath.app.publish.status.OldDefinitions;
import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.app.publish.status.Scenes;
import dev.lightpath.app.publish.status.StatusRound;
import dev.lightpath.app.publish.status.Unguarded.AdmissionPolicies;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.opticalswitch.OpticalSwitchStatus;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.crds.slice.Programmed;
import dev.lightpath.planner.engine.FabricEngine;
import dev.lightpath.planner.engine.decision.DegradingPort;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.health.Finding;
import dev.lightpath.planner.health.Place;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.RoutedRevision;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.World;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What one round writes of an outcome, and what it leaves. */
class StatusRoundTest {
    private final LaggingStore store = new LaggingStore();
    private final StatusRound round =
            new StatusRound(store, AdmissionPolicies.COMPLETE, new QueriedTimes(System::nanoTime));

    @Test
    void writesEveryObjectOnceAndThenNothing() {
        assertThat(round.run(Scenes.outcome(), Scenes.NOW)).isEqualTo(done(3));
        assertThat(store.writes).hasSize(3);
        assertThat(round.run(Scenes.outcome(), Scenes.NOW.plusSeconds(60))).isEqualTo(done(0));
        assertThat(round.run(Scenes.outcome(), Scenes.NOW.plusSeconds(120))).isEqualTo(done(0));
        assertThat(store.writes).hasSize(3);
    }

    @Test
    void looksAtASliceAgainOnlyWhenItOrItsVerdictIsAnother() {
        Outcome outcome = lit(4);
        round.run(outcome, Scenes.NOW);
        AtomicInteger looks = new AtomicInteger();
        store.shown = counting(looks, store.slice.getMetadata().getUid(), "99", lastWritten());
        assertThat(round.run(outcome, Scenes.NOW)).isEqualTo(done(0));
        assertThat(looks.getAndSet(0)).as("it is compared").isPositive();
        assertThat(round.run(outcome, Scenes.NOW.plusSeconds(60))).isEqualTo(done(0));
        assertThat(looks).as("nothing changed").hasValue(0);

        assertThat(round.run(lit(3), Scenes.NOW.plusSeconds(120)))
                .as("another verdict")
                .isEqualTo(done(1));
        store.shown = counting(looks, store.slice.getMetadata().getUid(), "100", lastWritten());
        round.run(lit(3), Scenes.NOW.plusSeconds(130));
        store.shown = counting(looks, store.slice.getMetadata().getUid(), "101", null);
        assertThat(round.run(lit(3), Scenes.NOW.plusSeconds(140)))
                .as("somebody took its status away")
                .isEqualTo(done(1));
    }

    private FabricSliceStatus lastWritten() {
        return store.writes.stream()
                .filter(FabricSlice.class::isInstance)
                .map(written -> ((FabricSlice) written).getStatus())
                .reduce((before, after) -> after)
                .orElseThrow();
    }

    /**
     * The slice as a watch shows it; counts how often somebody looks of which generation it is, as who compares a
     * status does.
     */
    private static FabricSlice counting(
            AtomicInteger looks, String uid, String version, @Nullable FabricSliceStatus status) {
        ObjectMeta metadata = new ObjectMeta() {
            private static final long serialVersionUID = 1;

            @Override
            public Long getGeneration() {
                looks.incrementAndGet();
                return 1L;
            }
        };
        metadata.setNamespace("team");
        metadata.setName(Scenes.SLICE.name());
        metadata.setUid(uid);
        metadata.setResourceVersion(version);
        FabricSlice shown = new FabricSlice();
        shown.setMetadata(metadata);
        shown.setStatus(status);
        return shown;
    }

    /** An administrator turned policy.routes off. */
    @Test
    void routesThatNobodyAsksForAnyMoreAreNotTold() {
        round.run(asked(Optional.of(new RoutedRevision.Acknowledged(7))), Scenes.NOW);
        assertThat(types(store.writes.getLast())).contains("Routed");
        assertThat(round.run(asked(Optional.empty()), Scenes.NOW)).isEqualTo(done(1));
        assertThat(types(store.writes.getLast())).doesNotContain("Routed");
        assertThat(round.run(asked(Optional.empty()), Scenes.NOW)).isEqualTo(done(0));
    }

    private static List<String> types(CustomResource<?, ?> written) {
        return ((FabricSlice) written)
                .getStatus().conditions().stream().map(Condition::getType).toList();
    }

    private static Outcome asked(Optional<RoutedRevision> routed) {
        Outcome outcome = recorded(lit(4));
        SliceVerdict verdict =
                Objects.requireNonNull(outcome.deliberation().slices().get(Scenes.SLICE));
        return with(
                new SliceVerdict(
                        verdict.placement(),
                        verdict.allocation(),
                        verdict.light(),
                        verdict.siting(),
                        verdict.leftOnlySilence(),
                        verdict.preemptor(),
                        routed),
                outcome);
    }

    @Test
    void progressIsToldTwiceASecondAndItsEndAtOnce() {
        round.run(lit(0), Scenes.NOW);
        assertThat(round.run(lit(1), Scenes.NOW)).isEqualTo(done(1));
        assertThat(round.run(lit(2), Scenes.NOW.plusMillis(100)))
                .isEqualTo(new StatusRound.Tally(0, Optional.of(Duration.ofMillis(400))));
        assertThat(round.run(lit(3), Scenes.NOW.plusMillis(500))).isEqualTo(done(1));
        assertThat(round.run(lit(4), Scenes.NOW.plusMillis(600)))
                .as("all is lit: that is no progress but the end of it")
                .isEqualTo(done(1));
        assertThat(store.writes.getLast())
                .asInstanceOf(InstanceOfAssertFactories.type(FabricSlice.class))
                .satisfies(slice -> assertThat(slice.getStatus().programmed()).isEqualTo(new Programmed(4, 4, 0)));
    }

    /** As after an upgrade of the operator alone. */
    @Test
    void aFieldThatTheApiServerDropsIsTriedAgainNowAndThen() {
        store.oldDefinitions = true;
        assertThat(round.run(recorded(lit(0)), Scenes.NOW).writes()).isEqualTo(3);
        assertThat(round.run(recorded(lit(0)), Scenes.NOW))
                .isEqualTo(new StatusRound.Tally(0, Optional.of(OldDefinitions.RETRY)));
        round.run(recorded(lit(1)), Scenes.NOW.plusSeconds(10));
        assertThat(round.run(recorded(lit(2)), Scenes.NOW.plusMillis(10_100)).again())
                .as("progress keeps its pace")
                .hasValue(Duration.ofMillis(400));
        assertThat(round.run(recorded(lit(2)), Scenes.NOW.plusSeconds(11)).writes())
                .isEqualTo(1);
        assertThat(round.run(recorded(lit(2)), Scenes.NOW.plusSeconds(59)))
                .isEqualTo(new StatusRound.Tally(0, Optional.of(Duration.ofSeconds(1))));
        assertThat(round.run(recorded(lit(2)), Scenes.NOW.plusSeconds(60)).writes())
                .isEqualTo(1);
        assertThat(round.run(recorded(lit(2)), Scenes.NOW.plusSeconds(60)).writes())
                .isZero();
        store.oldDefinitions = false;
        assertThat(round.run(recorded(lit(2)), Scenes.NOW.plusSeconds(120))).isEqualTo(done(1));
        assertThat(store.writes.getLast())
                .asInstanceOf(InstanceOfAssertFactories.type(FabricSlice.class))
                .satisfies(slice ->
                        assertThat(slice.getStatus().observedRevision()).isEqualTo(7));
        assertThat(round.run(recorded(lit(2)), Scenes.NOW.plusSeconds(121))).isEqualTo(done(0));
    }

    @Test
    void namesOfForeignCircuitsThatTheApiServerDropsAreTriedAgainNowAndThen() {
        Outcome sound = Scenes.outcome();
        Outcome foreign = new Outcome(
                sound.world(),
                Scenes.deliberation(
                        sound.deliberation().decision(),
                        sound.deliberation().slices(),
                        new TreeMap<>(Map.of("ring-a", Scenes.verdict(new FabricVerdict.Circuits(16, 16, 7, 2)))),
                        Optional.empty()));
        store.oldDefinitions = true;
        round.run(foreign, Scenes.NOW);
        assertThat(round.run(foreign, Scenes.NOW.plusSeconds(1)))
                .isEqualTo(new StatusRound.Tally(0, Optional.of(Duration.ofSeconds(59))));
        assertThat(store.writtenFabrics()).hasSize(1);
        round.run(foreign, Scenes.NOW.plusSeconds(60));
        round.run(foreign, Scenes.NOW.plusSeconds(61));
        assertThat(store.writtenFabrics()).hasSize(2);
        store.oldDefinitions = false;
        round.run(foreign, Scenes.NOW.plusSeconds(120));
        assertThat(round.run(foreign, Scenes.NOW.plusSeconds(121))).isEqualTo(done(0));
        assertThat(store.writtenFabrics()).hasSize(3);
        assertThat(store.writtenFabrics().getLast().getStatus().circuits().foreignCircuits())
                .hasSize(7);
    }

    private static Outcome recorded(Outcome outcome) {
        SliceVerdict verdict =
                Objects.requireNonNull(outcome.deliberation().slices().get(Scenes.SLICE));
        return with(
                new SliceVerdict(
                        verdict.placement(),
                        Optional.of(new Allocation(7, List.of(), new TreeSet<>())),
                        verdict.light()),
                outcome);
    }

    private static Outcome lit(int count) {
        Optional<SliceVerdict.Obstacle> obstacle = count == 4
                ? Optional.empty()
                : Optional.of(new SliceVerdict.Obstacle(Reason.PROGRAMMING, count + " of 4 are made"));
        SliceVerdict verdict = new SliceVerdict(
                new SliceVerdict.Placement.Placed(),
                Optional.empty(),
                new SliceVerdict.Light(4, count, 0, 0, 0, obstacle));
        return with(verdict, Scenes.outcome());
    }

    private static Outcome with(SliceVerdict verdict, Outcome sound) {
        return new Outcome(
                sound.world(),
                Scenes.deliberation(
                        sound.deliberation().decision(),
                        new TreeMap<>(Map.of(Scenes.SLICE, verdict)),
                        sound.deliberation().fabrics(),
                        Optional.empty()));
    }

    @Test
    void writesCarryIdentityAndStatusOnly() {
        round.run(Scenes.outcome(), Scenes.NOW);
        assertThat(store.writes).allSatisfy(object -> {
            assertThat(object.getSpec()).isNull();
            assertThat(object.getMetadata().getUid()).isNotNull();
            assertThat(object.getMetadata().getManagedFields()).isNullOrEmpty();
        });
        assertThat(store.writes)
                .filteredOn(FabricSlice.class::isInstance)
                .singleElement()
                .satisfies(
                        object -> assertThat(((FabricSlice) object).getStatus().allocation())
                                .isNull());
    }

    @Test
    void writesAgainWhenTheVerdictChanges() {
        round.run(Scenes.outcome(), Scenes.NOW);
        store.writes.clear();
        store.happenings.clear();
        World away = Scenes.world(Scenes.driver(Contact.UNREACHABLE, "refused"));
        round.run(new Outcome(away, FabricEngine.deliberate(away)), Scenes.NOW);
        assertThat(store.writes).hasSize(2);
        assertThat(store.happenings).extracting(ObjectEvent::reason).containsExactly(EventReason.DISCONNECTED);
    }

    @Test
    void lightThatGetsWorseIsToldThoughNothingElseHappens() {
        round.run(Scenes.outcome(), Scenes.NOW);
        assertThat(round.run(losing(2.5), Scenes.NOW)).isEqualTo(done(1));
        assertThat(store.writtenFabrics().getLast().getStatus().opticalHealth()).satisfies(told -> {
            assertThat(told.degradingPorts()).isEqualTo(1);
            assertThat(told.ports())
                    .singleElement()
                    .satisfies(port -> assertThat(port.measured()).startsWith("loses 2.5 dB more"));
        });
        assertThat(round.run(losing(2.5), Scenes.NOW)).as("at rest").isEqualTo(done(0));
        assertThat(round.run(Scenes.outcome(), Scenes.NOW)).as("well again").isEqualTo(done(1));
        assertThat(store.happenings)
                .extracting(ObjectEvent::reason)
                .doesNotContain(EventReason.FAULT_DETECTED, EventReason.FAULT_CLEARED);
    }

    @Test
    void aPortThatFlickersIsNoReasonToWriteEachSecond() {
        round.run(Scenes.outcome(), Scenes.NOW);
        int writes = 0;
        for (int second = 1; second <= 3600; second++) {
            Outcome now = second % 2 == 0 ? Scenes.outcome() : losing(second % 4 == 1 ? 2.5 : 7.5);
            writes += round.run(now, Scenes.NOW.plusSeconds(second)).writes();
        }
        assertThat(writes).isBetween(2, 16);
        Instant later = Scenes.NOW.plusSeconds(3601);
        Duration wait = round.run(losing(2.5), later).again().orElse(Duration.ZERO);
        round.run(losing(2.5), later.plus(wait));
        assertThat(store.writtenFabrics().getLast().getStatus().opticalHealth().degradingPorts())
                .as("what lasts is told, though late")
                .isEqualTo(1);
    }

    @Test
    void aChangeThatWasRefusedAndTakenBackIsNotTriedWithoutPause() {
        round.run(Scenes.outcome(), Scenes.NOW);
        for (int second = 1; second <= 120; second++) {
            round.run(second % 2 == 0 ? Scenes.outcome() : losing(2.5), Scenes.NOW.plusSeconds(second));
        }
        boolean told =
                store.writtenFabrics().getLast().getStatus().opticalHealth().degradingPorts() > 0;
        store.refused = "ring-a";
        World away = Scenes.world(Scenes.driver(Contact.UNREACHABLE, "refused"));
        round.run(new Outcome(away, FabricEngine.deliberate(away)), Scenes.NOW.plusSeconds(121));
        store.refused = "";
        assertThat(round.run(told ? Scenes.outcome() : losing(2.5), Scenes.NOW.plusSeconds(125))
                        .again())
                .hasValueSatisfying(wait -> assertThat(wait).isPositive());
    }

    @Test
    void aPortMoreOrLessThatIsMeasuredIsNoNews() {
        round.run(measured(32), Scenes.NOW);
        for (int second = 1; second <= 60; second++) {
            assertThat(round.run(measured(31 + second % 2), Scenes.NOW.plusSeconds(second)))
                    .isEqualTo(done(0));
        }
        assertThat(round.run(measured(24), Scenes.NOW.plusSeconds(61))).isEqualTo(done(1));
    }

    private static Outcome measured(int ports) {
        return optical(new FabricVerdict.Optical(ports, List.of(), 0, 0));
    }

    private static Outcome losing(double lossDb) {
        DegradingPort port = new DegradingPort(
                new Subject.OfPort("n1", "b1.path1"),
                new Finding(new Place("n1", "b1.path1"), Finding.Why.LOSS, lossDb, OptionalDouble.of(0), Scenes.NOW),
                DegradingPort.Course.TOLD);
        return optical(new FabricVerdict.Optical(32, List.of(port), 0, lossDb));
    }

    private static Outcome optical(FabricVerdict.Optical optical) {
        Outcome sound = Scenes.outcome();
        FabricVerdict verdict = Scenes.with(
                Objects.requireNonNull(sound.deliberation().fabrics().get("ring-a")), optical);
        return new Outcome(
                sound.world(),
                Scenes.deliberation(
                        sound.deliberation().decision(),
                        sound.deliberation().slices(),
                        new TreeMap<>(Map.of("ring-a", verdict)),
                        Optional.empty()));
    }

    @Test
    void aFabricThatContradictsItselfSaysHow() {
        World world = Scenes.leftAlone("positions 7 is no multiple of 2");
        round.run(new Outcome(world, FabricEngine.deliberate(world)), Scenes.NOW);
        OpticalFabric written = (OpticalFabric) store.writes.stream()
                .filter(OpticalFabric.class::isInstance)
                .findFirst()
                .orElseThrow();
        assertThat(written.getStatus().conditions()).anySatisfy(ready -> {
            assertThat(ready.getType()).isEqualTo("Ready");
            assertThat(ready.getStatus()).isEqualTo("False");
            assertThat(ready.getReason()).isEqualTo("InvalidWiring");
            assertThat(ready.getMessage()).contains("positions 7");
        });
        assertThat(written.getStatus().conditions())
                .anyMatch(stalled -> stalled.getType().equals("Stalled")
                        && stalled.getStatus().equals("True"));
    }

    @Test
    void aStatusChangedByAnotherHandIsWrittenAgain() {
        round.run(Scenes.outcome(), Scenes.NOW);
        store.writes.clear();
        store.device.getMetadata().setResourceVersion("99");
        round.run(Scenes.outcome(), Scenes.NOW);
        assertThat(store.writes).anyMatch(OpticalSwitch.class::isInstance);
    }

    @Test
    void deletedObjectsAreNoFailure() {
        store.code = 404;
        store.refusals.set(3);
        assertThat(round.run(Scenes.outcome(), Scenes.NOW)).isEqualTo(done(0));
        assertThat(store.happenings).isEmpty();
    }

    @Test
    void oneRefusalDoesNotKeepTheOthersFromBeingWritten() {
        store.refusals.set(1);
        assertThat(round.run(Scenes.outcome(), Scenes.NOW).writes()).isEqualTo(2);
    }

    @Test
    void whoeverCannotBeWrittenWaitsAloneAndLonger() {
        store.refused = "ring-a";
        StatusRound.Tally first = round.run(Scenes.outcome(), Scenes.NOW);
        assertThat(first).isEqualTo(new StatusRound.Tally(2, Optional.of(Duration.ofMillis(500))));
        store.tries.set(0);
        store.device.getMetadata().setResourceVersion("99");
        assertThat(round.run(Scenes.outcome(), Scenes.NOW.plusMillis(100)).writes())
                .as("the switch does not wait for the fabric")
                .isEqualTo(1);
        assertThat(store.tries).hasValue(1);
        store.device.getMetadata().setResourceVersion("3");
        assertThat(round.run(Scenes.outcome(), Scenes.NOW.plusMillis(600)).again())
                .hasValue(Duration.ofSeconds(1));
        store.refused = "";
        assertThat(round.run(Scenes.outcome(), Scenes.NOW.plusMillis(700)))
                .isEqualTo(new StatusRound.Tally(0, Optional.of(Duration.ofMillis(900))));
        assertThat(round.run(Scenes.outcome(), Scenes.NOW.plusMillis(1600))).isEqualTo(done(1));
    }

    @Test
    void whereNobodyAnswersTheOthersAreNotTried() {
        store.code = 0;
        store.refusals.set(1);
        StatusRound.Tally first = round.run(Scenes.outcome(), Scenes.NOW);
        assertThat(first.writes()).isZero();
        assertThat(store.tries).hasValue(1);
        assertThat(first.again()).hasValue(Duration.ofSeconds(2));
        assertThat(round.run(Scenes.outcome(), Scenes.NOW.plusSeconds(2))).isEqualTo(done(3));
    }

    private static StatusRound.Tally done(int writes) {
        return new StatusRound.Tally(writes, Optional.empty());
    }

    /** What is in quarantine is read back from the status: who writes it must have seen it. */
    @Test
    void onlyTheStatusOfAFabricThatIsAsItWasKnownIsReplaced() {
        round.run(Scenes.outcome(), Scenes.NOW);
        assertThat(store.compared.get("ring-a")).contains("1");
        assertThat(store.compared.get(Scenes.SLICE.name())).isEmpty();
        String ours = store.writes.stream()
                .filter(OpticalFabric.class::isInstance)
                .findFirst()
                .orElseThrow()
                .getMetadata()
                .getResourceVersion();
        World away = Scenes.world(Scenes.driver(Contact.UNREACHABLE, "refused"));
        round.run(new Outcome(away, FabricEngine.deliberate(away)), Scenes.NOW);
        assertThat(store.compared.get("ring-a")).contains(ours);
    }

    @Test
    void aFabricThatIsAdoptedSinceIsWrittenForThatAlone() {
        round.run(Scenes.outcome(), Scenes.NOW);
        OpticalFabricStatus said = store.writes.stream()
                .flatMap(object -> object instanceof OpticalFabric fabric ? Stream.of(fabric.getStatus()) : null)
                .findFirst()
                .orElseThrow();
        assertThat(said.adopted()).isTrue();
        store.fabric.setStatus(new OpticalFabricStatus(
                said.observedGeneration(),
                said.conditions(),
                said.nodes(),
                said.gpus(),
                said.circuits(),
                said.driver(),
                said.positions(),
                said.quarantinedPorts(),
                said.faults(),
                null,
                said.ledger(),
                said.opticalHealth()));
        store.fabric.getMetadata().setResourceVersion("100");
        assertThat(round.run(Scenes.outcome(), Scenes.NOW.plusSeconds(60))).isEqualTo(done(1));
        assertThat(store.writes.getLast().getStatus()).isEqualTo(said);
    }

    /** All drivers have TLS by now, and nothing else of the fabric and the switch changed. */
    @Test
    void insecureIsTakenBackThoughNothingElseHappens() {
        round.run(Scenes.outcome(), Scenes.NOW);
        OpticalFabricStatus fabric = store.writtenFabrics().getFirst().getStatus();
        OpticalSwitchStatus device = store.writes.stream()
                .flatMap(object -> object instanceof OpticalSwitch of ? Stream.of(of.getStatus()) : null)
                .findFirst()
                .orElseThrow();
        store.fabric.setStatus(new OpticalFabricStatus(
                fabric.observedGeneration(),
                insecure(fabric.conditions()),
                fabric.nodes(),
                fabric.gpus(),
                fabric.circuits(),
                fabric.driver(),
                fabric.positions(),
                fabric.quarantinedPorts(),
                fabric.faults(),
                fabric.adopted(),
                fabric.ledger(),
                fabric.opticalHealth()));
        store.fabric.getMetadata().setResourceVersion("100");
        store.device.setStatus(new OpticalSwitchStatus(
                device.observedGeneration(),
                insecure(device.conditions()),
                device.device(),
                device.observed(),
                device.ports(),
                device.discovery()));
        store.device.getMetadata().setResourceVersion("101");
        assertThat(round.run(Scenes.outcome(), Scenes.NOW.plusSeconds(60))).isEqualTo(done(2));
        assertThat(store.writtenFabrics().getLast().getStatus()).isEqualTo(fabric);
        assertThat(store.writes)
                .filteredOn(OpticalSwitch.class::isInstance)
                .last()
                .extracting(CustomResource::getStatus)
                .isEqualTo(device);
    }

    private static List<Condition> insecure(List<Condition> others) {
        Condition insecure = new ConditionBuilder()
                .withType("Insecure")
                .withStatus("True")
                .withReason("Plaintext")
                .withMessage("no TLS")
                .build();
        return Stream.concat(others.stream(), Stream.of(insecure)).toList();
    }
}
