package dev.lightpath.app.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.app.measuring.QueriedTimes;
import dev.lightpath.app.measuring.QueryAnswer;
import dev.lightpath.app.publish.metrics.FabricMetrics;
import dev.lightpath.app.publish.status.OldDefinitions;
import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.app.publish.status.Scenes;
import dev.lightpath.app.publish.status.StatusRound;
import dev.lightpath.app.publish.status.StatusStore;
import dev.lightpath.app.publish.status.Unguarded.AdmissionPolicies;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricSpec;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.fabric.measurement.MeasurementSource;
import dev.lightpath.crds.fabric.measurement.PrometheusQuery;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.opticalswitch.OpticalSwitchSpec;
import dev.lightpath.crds.opticalswitch.StripedWiring;
import dev.lightpath.crds.opticalswitch.SwitchDriver;
import dev.lightpath.crds.opticalswitch.Wiring;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceSpec;
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
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.RoutedRevision;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StatusPublisherTest {
    private static final QueriedTimes UNASKED = new QueriedTimes(System::nanoTime);

    /** Shows its objects as a watch that lags behind for ever; answers writes as the API server does. */
    private static final class LaggingStore implements StatusStore {
        private volatile List<TrainingJob> jobs = List.of();
        private volatile Runnable jobListener = () -> {};
        /** Whether a job changes whenever jobs are looked at. */
        private volatile boolean busyJobs;

        final AtomicInteger looks = new AtomicInteger();
        /** How many writes there were when jobs were looked at. */
        final List<Integer> writesBefore = new CopyOnWriteArrayList<>();
        /** What the API server is to compare before it writes. */
        final Map<String, Optional<String>> compared = new ConcurrentHashMap<>();

        volatile Runnable written = () -> {};
        /** Whether the API server knows no observedRevision. */
        private volatile boolean oldDefinitions;

        final OpticalFabric fabric = new OpticalFabric();
        final FabricSlice slice = new FabricSlice();
        /** As a watch shows it. */
        volatile FabricSlice shown = slice;

        final OpticalSwitch device = new OpticalSwitch();
        final List<CustomResource<?, ?>> writes = new CopyOnWriteArrayList<>();
        final List<ObjectEvent> happenings = new CopyOnWriteArrayList<>();
        final AtomicInteger refusals = new AtomicInteger();
        final AtomicInteger tries = new AtomicInteger();
        String refused = "";
        int code = 500;
        private int version = 10;

        LaggingStore() {
            fabric.setMetadata(new ObjectMetaBuilder()
                    .withName("ring-a")
                    .withUid("f")
                    .withGeneration(4L)
                    .withResourceVersion("1")
                    .build());
            fabric.setSpec(new OpticalFabricSpec(null, null, null, null, null, null, null, null));
            slice.setMetadata(new ObjectMetaBuilder()
                    .withNamespace("team")
                    .withName(Scenes.SLICE.name())
                    .withUid("s")
                    .withGeneration(1L)
                    .withResourceVersion("2")
                    .build());
            slice.setSpec(new FabricSliceSpec("ring-a", null, 0, new Demand(null, null, null)));
            device.setSpec(new OpticalSwitchSpec(
                    "spine",
                    new SwitchDriver("driver:9440", "ocs-1", null),
                    null,
                    new Wiring(new StripedWiring(1, null, 1), List.of(), null),
                    List.of(),
                    0,
                    false));
            device.setMetadata(new ObjectMetaBuilder()
                    .withName("ocs-1")
                    .withUid("d")
                    .withGeneration(2L)
                    .withResourceVersion("3")
                    .build());
        }

        @Override
        public List<OpticalFabric> fabrics() {
            return List.of(fabric);
        }

        @Override
        public Optional<FabricSlice> slice(SliceId id) {
            return id.equals(Scenes.SLICE) ? Optional.of(shown) : Optional.empty();
        }

        @Override
        public List<OpticalSwitch> switches() {
            return List.of(device);
        }

        @Override
        public List<TrainingJob> jobs() {
            writesBefore.add(writes.size());
            looks.incrementAndGet();
            if (busyJobs) {
                jobListener.run();
            }
            return jobs;
        }

        @Override
        public void listenForJobs(Runnable listener) {
            jobListener = listener;
        }

        @Override
        public <T extends CustomResource<?, ?>> T write(T object) {
            tries.incrementAndGet();
            compared.put(
                    object.getMetadata().getName(),
                    Optional.ofNullable(object.getMetadata().getResourceVersion()));
            written.run();
            if (refused.equals(object.getMetadata().getName())
                    || refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new KubernetesClientException("refused", code, null);
            }
            object.getMetadata().setResourceVersion(Integer.toString(version++));
            object.getMetadata()
                    .setGeneration(object instanceof OpticalFabric ? 4L : object instanceof FabricSlice ? 1L : 2L);
            writes.add(object);
            if (oldDefinitions && object instanceof FabricSlice each) {
                each.setStatus(each.getStatus().withoutObservedRevision());
            }
            return object;
        }

        @Override
        public void tell(CustomResource<?, ?> about, ObjectEvent happening) {
            happenings.add(happening);
        }
    }

    /** As a test tells them. */
    private static final class ToldPolicies implements AdmissionPolicies {
        private volatile Optional<SortedMap<String, String>> missing = Optional.empty();
        private volatile Runnable changed = () -> {};

        @Override
        public Optional<SortedMap<String, String>> notInForce() {
            return missing;
        }

        @Override
        public void listen(Runnable listener) {
            changed = listener;
        }
    }

    private final LaggingStore store = new LaggingStore();
    private final StatusRound round = new StatusRound(store, AdmissionPolicies.COMPLETE, UNASKED);

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

    /** The slice as a watch shows it; counts how often somebody looks of which generation it is, as who compares a status does. */
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

    /** Nothing else happens: what was published last is told again. */
    @Test
    void aQueryThatFailsIsToldOnTheFabricUntilItIsAnswered() {
        PrometheusQuery query = new PrometheusQuery("http://prometheus:9090", "x", null, null, null);
        store.fabric.setSpec(
                new OpticalFabricSpec(null, null, null, null, null, null, null, new MeasurementSource(query)));
        QueriedTimes times = new QueriedTimes(System::nanoTime);
        StatusPublisher publisher = new StatusPublisher(
                store,
                ignored -> {},
                new FabricMetrics(new SimpleMeterRegistry()),
                AdmissionPolicies.COMPLETE,
                times,
                InstantSource.system());
        publisher.publish(Scenes.outcome().world(), Scenes.outcome().deliberation());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(measurementsRead()).isEqualTo("absent"));
        QueriedTimes.Due due = times.due(List.of(store.fabric)).getFirst();
        times.answered(due, new QueryAnswer.Failed("HTTP 503: no answer"), 0);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(measurementsRead())
                        .isEqualTo("False QueryFailed spec.measurements.prometheus: HTTP 503: no answer"));
        times.answered(due, new QueryAnswer.Times(Map.of()), 0);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(measurementsRead())
                        .isEqualTo("True Satisfied spec.measurements.prometheus is answered"));
        store.fabric.setSpec(new OpticalFabricSpec(null, null, null, null, null, null, null, null));
        publisher.publish(Scenes.outcome().world(), Scenes.outcome().deliberation());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(measurementsRead()).isEqualTo("absent"));
        publisher.close();
    }

    /** What the fabric said last; empty while it said nothing. */
    private String measurementsRead() {
        return store.writes.stream()
                .filter(OpticalFabric.class::isInstance)
                .reduce((before, after) -> after)
                .map(written -> ((OpticalFabric) written)
                        .getStatus().conditions().stream()
                                .filter(condition -> condition.getType().equals("MeasurementsRead"))
                                .findFirst()
                                .map(condition -> condition.getStatus() + " " + condition.getReason() + " "
                                        + condition.getMessage())
                                .orElse("absent"))
                .orElse("");
    }

    /** Nothing else happens: what was published last is told again. */
    @Test
    void policiesThatAreNotInForceAreToldOnTheFabricUntilTheyAre() {
        ToldPolicies policies = new ToldPolicies();
        policies.missing = Optional.of(Collections.emptySortedMap());
        StatusPublisher publisher = new StatusPublisher(
                store,
                ignored -> {},
                new FabricMetrics(new SimpleMeterRegistry()),
                policies,
                UNASKED,
                InstantSource.system());
        publisher.publish(Scenes.outcome().world(), Scenes.outcome().deliberation());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(unguarded()).isEqualTo(List.of()));
        policies.missing = Optional.of(new TreeMap<>(Map.of("lightpath-use", "is not there")));
        policies.changed.run();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(unguarded())
                        .containsExactly(
                                "True PoliciesMissing admission policies are not in force, so more is allowed than"
                                        + " docs/security.md says: lightpath-use is not there; kubectl apply --server-side -k"
                                        + " deploy/kubernetes/access"));
        policies.missing = Optional.of(Collections.emptySortedMap());
        policies.changed.run();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(unguarded()).isEqualTo(List.of()));
        publisher.close();
    }

    /** A leader that has only just started does not know better than the one before it. */
    @Test
    void aFabricSaysWhatItSaidOfPoliciesUntilTheyWereLookedAt() {
        ToldPolicies policies = new ToldPolicies();
        policies.missing = Optional.of(new TreeMap<>(Map.of("lightpath-use", "is not there")));
        new StatusRound(store, policies, UNASKED).run(Scenes.outcome(), Scenes.NOW);
        assertThat(unguarded()).hasSize(1);
        store.fabric.setStatus(fabrics().getLast().getStatus());
        policies.missing = Optional.empty();
        new StatusRound(store, policies, UNASKED).run(Scenes.outcome(), Scenes.NOW);
        assertThat(fabrics()).as("nothing new is said").hasSize(1);
        policies.missing = Optional.of(Collections.emptySortedMap());
        new StatusRound(store, policies, UNASKED).run(Scenes.outcome(), Scenes.NOW);
        assertThat(unguarded()).isEmpty();
    }

    private List<OpticalFabric> fabrics() {
        return store.writes.stream()
                .filter(OpticalFabric.class::isInstance)
                .map(OpticalFabric.class::cast)
                .toList();
    }

    /** What the last write of the fabric says. */
    private List<String> unguarded() {
        return fabrics().stream()
                .reduce((first, last) -> last)
                .map(fabric -> fabric.getStatus().conditions().stream()
                        .filter(condition -> condition.getType().equals("Unguarded"))
                        .map(condition ->
                                condition.getStatus() + " " + condition.getReason() + " " + condition.getMessage())
                        .toList())
                .orElse(List.of("not written yet"));
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
        assertThat(fabrics().getLast().getStatus().opticalHealth()).satisfies(told -> {
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
        assertThat(fabrics().getLast().getStatus().opticalHealth().degradingPorts())
                .as("what lasts is told, though late")
                .isEqualTo(1);
    }

    @Test
    void aChangeThatWasRefusedAndTakenBackIsNotTriedWithoutPause() {
        round.run(Scenes.outcome(), Scenes.NOW);
        for (int second = 1; second <= 120; second++) {
            round.run(second % 2 == 0 ? Scenes.outcome() : losing(2.5), Scenes.NOW.plusSeconds(second));
        }
        boolean told = fabrics().getLast().getStatus().opticalHealth().degradingPorts() > 0;
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

    @Test
    void theThreadTriesAgainUntilEverythingIsWritten() {
        store.refusals.set(4);
        StatusPublisher publisher = new StatusPublisher(
                store,
                ignored -> {},
                new FabricMetrics(new SimpleMeterRegistry()),
                AdmissionPolicies.COMPLETE,
                UNASKED,
                InstantSource.system());
        assertThat(publisher.view()).isEmpty();
        Outcome outcome = Scenes.outcome();
        publisher.publish(outcome.world(), outcome.deliberation());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() ->
                        store.writes.stream().map(Object::getClass).distinct().count() == 3);
        assertThat(publisher.view().orElseThrow().namespaces()).containsOnlyKeys(Scenes.SLICE.namespace());
        publisher.close();
    }

    @Test
    void theThreadOutlivesAnError() {
        AtomicInteger errors = new AtomicInteger(2);
        store.written = () -> {
            if (errors.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new StackOverflowError();
            }
        };
        StatusPublisher publisher = new StatusPublisher(
                store,
                ignored -> {},
                new FabricMetrics(new SimpleMeterRegistry()),
                AdmissionPolicies.COMPLETE,
                UNASKED,
                InstantSource.system());
        Outcome outcome = Scenes.outcome();
        publisher.publish(outcome.world(), outcome.deliberation());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() ->
                        store.writes.stream().map(Object::getClass).distinct().count() == 3);
        assertThat(errors).hasValue(0);
        publisher.close();
    }

    @Test
    void jobsThatChangeWithoutPauseAreCountedWithPauses() {
        store.busyJobs = true;
        StatusPublisher publisher = new StatusPublisher(
                store,
                ignored -> {},
                new FabricMetrics(new SimpleMeterRegistry()),
                AdmissionPolicies.COMPLETE,
                UNASKED,
                InstantSource.system());
        Outcome outcome = Scenes.outcome();
        long beganNanos = System.nanoTime();
        publisher.publish(outcome.world(), outcome.deliberation());
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> store.looks.get() >= 8);
        int looks = store.looks.get();
        publisher.close();
        assertThat(Duration.ofNanos(System.nanoTime() - beganNanos))
                .as("a pause after each look, and after the round before them")
                .isGreaterThan(StatusPublisher.BREATH.multipliedBy(looks - 1));
    }

    @Test
    void aRoundEndsWithTheLeadership() {
        StatusPublisher publisher = new StatusPublisher(
                store,
                ignored -> {},
                new FabricMetrics(new SimpleMeterRegistry()),
                AdmissionPolicies.COMPLETE,
                UNASKED,
                InstantSource.system());
        store.written = publisher::ended;
        Outcome outcome = Scenes.outcome();
        publisher.publish(outcome.world(), outcome.deliberation());
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !store.writes.isEmpty());
        // a pass of who leads no more comes to its end
        publisher.publish(outcome.world(), outcome.deliberation());
        assertThat(publisher.view()).isEmpty();
        publisher.begun();
        publisher.publish(outcome.world(), outcome.deliberation());
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> store.looks.get() >= 2);
        publisher.close();
        assertThat(store.writesBefore.get(1)).as("writes of the round before").isEqualTo(1);
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
    void aJobThatBecameReadyIsCountedWithoutANewPass() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        StatusPublisher publisher = new StatusPublisher(
                store,
                ignored -> {},
                new FabricMetrics(registry),
                AdmissionPolicies.COMPLETE,
                UNASKED,
                InstantSource.system());
        Outcome outcome = Scenes.outcome();
        publisher.publish(outcome.world(), outcome.deliberation());
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() ->
                        store.writes.stream().map(Object::getClass).distinct().count() == 3);
        TrainingJob job = new TrainingJob();
        job.setMetadata(new ObjectMetaBuilder()
                .withUid("u")
                .withCreationTimestamp(Scenes.NOW.toString())
                .build());
        store.jobs = List.of(job);
        store.jobListener.run();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() ->
                        registry.find("lightpath.job.count").gauges().stream().anyMatch(g -> g.value() == 1));
        publisher.close();
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
}
