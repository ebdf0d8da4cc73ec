package dev.lightpath.app.driver;

import static java.util.Objects.requireNonNull;

import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.planner.light.ChangeOutcome.Rejected;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A fleet in front of one scripted driver of two devices. */
abstract class FleetTrial {
    static final String ROLE = "cluster/ring-a";
    static final Circuit LOOP = new Circuit("b0.common", "b0.loop");
    static final Circuit PATH = new Circuit("b0.common", "b0.path1");
    static final FleetTimings PATIENT = new PatientTimings().timings();

    static final FleetTimings HURRIED =
            new PatientTimings().apply(Duration.ofMillis(500)).timings();

    static final FleetTimings IMPATIENT = new PatientTimings()
            .silence(Duration.ofMillis(600))
            .ask(Duration.ofMillis(600))
            .timings();

    static final FleetTimings WAITING =
            new PatientTimings().settle(Duration.ofSeconds(30)).timings();

    /** Who begins to list again forty times waits for hours. */
    static final FleetTimings RARELY_AGAIN =
            new PatientTimings().lastRetry(Duration.ofHours(1)).timings();

    /** The scripted driver tells no holder when it is read. */
    static final FleetTimings RARELY_CHECKED =
            new PatientTimings().recheck(Duration.ofHours(1)).timings();

    final AtomicLong epoch = new AtomicLong(3);
    final FleetLog log = new FleetLog();
    final List<DriverFleet> fleets = new ArrayList<>();
    ScriptedDriver driver;

    @BeforeEach
    void startDriver() {
        driver = new ScriptedDriver();
        driver.light("n1", "b0.common", "b0.loop");
        driver.light("n2", "b0.common", "b0.loop");
    }

    @AfterEach
    void stop() throws InterruptedException {
        fleets.forEach(DriverFleet::close);
        driver.close();
    }

    int ports(DriverFleet fleet, String name) {
        return device(fleet, name)
                .inventory()
                .map(listed -> listed.ports().size())
                .orElse(0);
    }

    DriverFleet fleet(FleetTimings timings) {
        DriverFleet fleet = new DriverFleet(epoch::get, timings, InstantSource.system(), new Random(1));
        fleets.add(fleet);
        fleet.listen(log);
        fleet.connect(List.of(DriverEndpoint.plaintext(driver.address(), ROLE)));
        return fleet;
    }

    DriverFleet synced(DriverFleet fleet) {
        await().until(() -> state(fleet).synced() && !driver.streams.isEmpty() && listed(fleet));
        return fleet;
    }

    boolean listed(DriverFleet fleet) {
        return state(fleet).devices().entrySet().stream()
                .filter(device -> !driver.withheld.contains(device.getKey()))
                .map(java.util.Map.Entry::getValue)
                .allMatch(device -> !device.present() || device.inventory().isPresent());
    }

    DriverState state(DriverFleet fleet) {
        return requireNonNull(fleet.states().get(driver.address()));
    }

    DeviceState device(DriverFleet fleet, String name) {
        return requireNonNull(state(fleet).devices().get(name), name);
    }

    java.util.SortedSet<Circuit> circuits(DriverFleet fleet, String name) {
        return device(fleet, name).circuits().circuits();
    }

    DeviceId id(String device) {
        return new DeviceId(driver.address(), device);
    }

    static Rejected rejection(FleetLog.Answers outcome, String device) {
        return outcome.outcomes().entrySet().stream()
                .filter(entry -> entry.getKey().device().equals(device))
                .map(entry -> (Rejected) entry.getValue())
                .findFirst()
                .orElseThrow();
    }

    Stage stage(DriverFleet fleet, long ofEpoch, long counter, String... devices) {
        List<DeviceChange> changes = new ArrayList<>();
        for (String device : devices) {
            changes.add(new DeviceChange(
                    id(device),
                    device(fleet, device).digest(),
                    new TreeSet<>(List.of(LOOP)),
                    new TreeSet<>(List.of(PATH))));
        }
        return new Stage(new StageId(ofEpoch, counter), ROLE, Stage.Cause.PLACE, changes);
    }

    static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }
}
