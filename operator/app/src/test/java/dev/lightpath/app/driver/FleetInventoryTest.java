package dev.lightpath.app.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.proto.driver.v1alpha1.InventoryChanged;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What drivers list, and what devices consist of. */
class FleetInventoryTest extends FleetTrial {
    @Test
    void knowsWhatDevicesConsistOfAndSharesWhatIsAlike() {
        DriverFleet fleet = synced(fleet(PATIENT));

        Inventory inventory = device(fleet, "n1").inventory().orElseThrow();
        assertThat(inventory.make().vendor()).isEqualTo("acme");
        assertThat(inventory.ports()).hasSize(8).containsEntry("b1.path2", Inventory.Side.LINE);
        assertThat(inventory.refusal(PATH)).isEmpty();
        assertThat(inventory.refusal(new Circuit("b0.common", "b1.path1"))).isPresent();
        assertThat(device(fleet, "n2").inventory().orElseThrow()).isSameAs(inventory);
    }

    @Test
    void changedInventoryIsReadAgain() {
        DriverFleet fleet = synced(fleet(PATIENT));

        driver.inventories.put("n1", ScriptedDriver.modules("n1", "2", 3));
        driver.stream()
                .send(WatchResponse.newBuilder()
                        .setInventoryChanged(
                                InventoryChanged.newBuilder().setDeviceId("n1").setInventoryRevision("2")));

        await().until(() -> ports(fleet, "n1") == 12);
        assertThat(ports(fleet, "n2")).isEqualTo(8);
    }

    @Test
    void inventoryOfARestartedDriverIsReadAgainThoughItsRevisionIsTheSame() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));
        driver.stop();
        await().until(() -> !state(fleet).synced());

        driver.inventories.put("n1", ScriptedDriver.modules("n1", "1", 1));
        driver.restart("boot-2");

        await().until(() -> state(fleet).synced() && ports(fleet, "n1") == 4);
    }

    @Test
    void oneDeviceThatTheDriverWillNotTellOfKeepsNothingFromTheOthers() {
        driver.withheld.add("n1");
        DriverFleet fleet = synced(fleet(PATIENT));

        assertThat(device(fleet, "n1").inventory()).isEmpty();
        await().until(() -> state(fleet).problem().isPresent());
        assertThat(state(fleet).problem().orElseThrow())
                .contains("what 1 of its devices consist of cannot be read, n1 the first", "not for you");

        driver.withheld.clear();
        await().until(() -> ports(fleet, "n1") == 8);
        await().until(() -> state(fleet).problem().isEmpty());
    }

    /** It was forgotten if the time of its retry came before it counted as withheld. */
    @Test
    void aDeviceThatWasNotToldOfIsAskedForAgainHoweverSoon() {
        driver.withheld.add("n1");
        DriverFleet fleet = synced(
                fleet(new PatientTimings().firstRetry(Duration.ofNanos(1)).timings()));
        await().until(() -> state(fleet).problem().isPresent());

        driver.withheld.clear();
        await().until(() -> ports(fleet, "n1") == 8);
    }

    @Test
    void aDriverThatRepeatsAPageTokenEndsTheReading() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));
        driver.nextPageToken = "again";

        fleet.observe(new TreeSet<>(List.of(id("n1"), id("n2"))));

        assertThat(log.reading().read()).containsExactly(id("n1"), id("n2"));
    }

    @Test
    void aDriverThatInventsDevicesEndsTheReading() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));
        driver.invents = true;

        fleet.observe(new TreeSet<>(List.of(id("n1"), id("n2"))));

        assertThat(log.reading().read()).containsExactly(id("n1"), id("n2"));
    }
}
