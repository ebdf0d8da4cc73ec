package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.lightpath.conformance.Judge;
import dev.lightpath.conformance.Requirements;
import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Faults;
import dev.lightpath.conformance.bench.Housekeeping;
import dev.lightpath.conformance.bench.Restart;
import dev.lightpath.conformance.bench.Terms;
import dev.lightpath.conformance.report.Verdict;
import dev.lightpath.conformance.requirement.stream.Steps;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import io.grpc.ManagedChannel;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DynamicTest;

/** A device behind one of the driver's adapters, and the conformance kit that judges it. */
final class JudgedDriver implements AutoCloseable {
    /** How a device says that it cannot have a fault. */
    static final String NO_SUCH_FAULT = "the device has no fault";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * They wait for the driver's own clock, a minute in all, whatever device is behind it: the emulator's tests judge
     * them. {@code -Dlightpath.kit=whole} judges them here too.
     */
    private static final Set<String> LEFT_OUT = Set.of(
            "stream/slow-client",
            "stream/heartbeat",
            "stream/heartbeat-floor",
            "stream/usual-heartbeat",
            "operations/remembered-after-many",
            "confirmation/too-late",
            "confirmation/told-unasked",
            "confirmation/lapsed",
            "confirmation/lapsed-of-a-lower-epoch",
            "crash/unconfirmed",
            "crash/put-back-whole",
            "crash/confirmed-stays",
            "silence/in-the-middle",
            "silence/last-read",
            "silence/nothing-started");

    private static final boolean WHOLE = "whole".equals(System.getProperty("lightpath.kit"));

    private final Supplier<List<String>> light;
    private final DriverConfig config;
    private final Housekeeping house;
    private DriverServer driver;

    /**
     * @param light what the device itself shows, as "1->17"
     */
    JudgedDriver(
            Path state, AdapterConfig adapter, String deviceId, Optional<Faults> faults, Supplier<List<String>> light)
            throws Exception {
        this.light = light;
        config = DriverConfig.onLoopback(state, List.of(adapter));
        driver = DriverServer.start(config);
        awaitPresent(deviceId);
        house = Housekeeping.begin(
                EmulatedConformance.endpoint(() -> driver.port()),
                new Terms(
                        deviceId,
                        "lightpath-conformance",
                        List.of(),
                        Optional.empty(),
                        false,
                        false,
                        PATIENCE,
                        Duration.ZERO,
                        0,
                        DriverConfig.DEFAULT_WATCH_BUFFER,
                        Optional.of(this::restart),
                        faults));
    }

    /** A server of others may take a while before it answers. */
    private void awaitPresent(String deviceId) {
        ManagedChannel channel = EmulatedPlant.channel(driver.port());
        try {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> InventoryServiceGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(30, TimeUnit.SECONDS)
                            .listDevices(ListDevicesRequest.getDefaultInstance())
                            .getDevicesList()
                            .stream()
                            .anyMatch(d -> d.getDeviceId().equals(deviceId)
                                    && d.getAvailability() == Availability.AVAILABILITY_PRESENT));
        } finally {
            channel.shutdownNow();
        }
    }

    /**
     * An adapter may listen at a port that it was given. Other tests start processes, and each of those holds every
     * socket of this one until it runs its own program: a port that was given up may stay in use for a moment.
     */
    private void restart() {
        driver.close();
        driver = Awaitility.await()
                .atMost(PATIENCE)
                .ignoreExceptionsMatching(e -> e.getCause() instanceof BindException)
                .until(() -> DriverServer.start(config), started -> true);
    }

    /**
     * A test for each requirement. Those named do not apply to the device. Neither do those that need a fault which it
     * cannot have, nor those that judge several devices: such a test is aborted, and says why.
     */
    Stream<DynamicTest> meetsAllBut(Set<String> inapplicable) {
        return meetsAllBut(inapplicable, name -> true);
    }

    /**
     * As above, of some requirements only.
     *
     * @param judged whether one with this name is
     */
    Stream<DynamicTest> meetsAllBut(Set<String> inapplicable, Predicate<String> judged) {
        Judge judge = new Judge(house);
        return Requirements.all().stream()
                .filter(r -> judged.test(r.name()))
                .map(r -> dynamicTest(r.name(), () -> {
                    assumeTrue(
                            WHOLE || !LEFT_OUT.contains(r.name()),
                            "not judged: it waits for the driver's own clock; -Dlightpath.kit=whole judges it");
                    switch (judge.judge(r).verdict()) {
                        case Verdict.Passed unused ->
                            assertThat(inapplicable)
                                    .as("judged although it must not apply")
                                    .doesNotContain(r.name());
                        case Verdict.Failed failed -> fail("expected %s%nseen %s", failed.expected(), failed.seen());
                        case Verdict.Skipped skipped -> {
                            assertThat(light.get()).as("light left behind").isEmpty();
                            if (!inapplicable.contains(r.name())) {
                                assertThat(isBeyondIt(skipped.why()))
                                        .as(skipped.why())
                                        .isTrue();
                            }
                            abort("not judged: " + skipped.why());
                        }
                    }
                    assertThat(light.get()).as("light left behind").isEmpty();
                }));
    }

    /** A server that was killed has lost its circuits: the driver tells that they are gone, and makes them again. */
    void missesWhatWentWith(Restart killed) throws Exception {
        Bench bench = house.bench();
        bench.change().make(0).apply();
        List<String> made = light.get();
        assertThat(made).as("light").isNotEmpty();
        try (var watching = bench.watch()) {
            killed.restart();
            bench.await("the circuits of a server that was killed gone", bench::shown, List::isEmpty);
            watching.awaitDigest(bench.deviceId(), bench.read().getObservedDigest());
        }
        bench.await(
                "the device PRESENT",
                () -> bench.listed().getAvailability(),
                Availability.AVAILABILITY_PRESENT::equals);
        assertThat(light.get()).isEmpty();
        bench.change().make(0).apply();
        assertThat(light.get()).isEqualTo(made);
    }

    private static boolean isBeyondIt(String why) {
        return why.startsWith(NO_SUCH_FAULT)
                || why.equals("--slow-client-seconds is 0")
                // a quick device may be done before the driver is down; the emulator's own kit run judges it
                || why.endsWith("no restart cut an operation that made a circuit")
                || why.startsWith("needs a way to hurt the device")
                || why.startsWith("needs an element that fails")
                || why.startsWith(Steps.NOT_MEASURED)
                || why.equals("the driver shows no other device that answers");
    }

    @Override
    public void close() {
        house.close();
        driver.close();
    }
}
