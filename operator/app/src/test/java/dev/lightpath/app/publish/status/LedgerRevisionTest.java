package dev.lightpath.app.publish.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.fabric.LedgerStatus;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.world.Lineage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LedgerRevisionTest {
    private static final String ROLE = "cluster/ring-a";
    private static final LedgerStatus TOLD = new LedgerStatus(40, "old", null);

    private static FabricVerdict verdict(String digest, Optional<FabricVerdict.Newer> newer) {
        FabricVerdict sound = Scenes.sound();
        return new FabricVerdict(
                sound.nodes(),
                sound.gpus(),
                sound.circuits(),
                sound.darkness(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                false,
                newer,
                Optional.empty(),
                digest,
                new TreeSet<>(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                FabricVerdict.Optical.NONE);
    }

    private static FabricVerdict found(long revision) {
        return verdict("new", Optional.of(new FabricVerdict.Newer("why", revision, true)));
    }

    private static DriverState driver(Contact contact, long remembered) {
        return new DriverState(
                contact,
                Optional.empty(),
                "toy",
                "1",
                7,
                new TreeMap<>(),
                false,
                new TreeMap<>(),
                remembered == 0 ? new TreeMap<>() : new TreeMap<>(Map.of(ROLE, remembered)),
                new TreeSet<>());
    }

    private static DriverState told(long revision) {
        DriverState driver = driver(Contact.SYNCED, 0);
        return new DriverState(
                driver.contact(),
                driver.problem(),
                driver.name(),
                driver.version(),
                driver.highestEpoch(),
                driver.devices(),
                driver.plaintext(),
                driver.strange(),
                driver.revisions(),
                driver.foreign(),
                driver.agents(),
                new TreeMap<>(Map.of(ROLE, revision)));
    }

    private static @Nullable LedgerStatus next(
            FabricVerdict verdict, DriverState driver, @Nullable LedgerStatus told, long accepted) {
        OpticalFabricStatus before = new OpticalFabricStatus(
                1L, List.of(), null, null, null, null, null, List.of(), List.of(), true, told, null);
        return LedgerRevision.next(verdict, new Lineage(0, "", 0, 0, accepted), List.of(driver), ROLE, before);
    }

    @Test
    void growsByOneWhenRecordsChangeAndStandsStillOtherwise() {
        DriverState synced = driver(Contact.SYNCED, 0);
        assertThat(next(verdict("new", Optional.empty()), synced, TOLD, 0))
                .isEqualTo(new LedgerStatus(41, "new", null));
        assertThat(next(verdict("old", Optional.empty()), synced, TOLD, 0)).isEqualTo(TOLD);
    }

    /** A job came and went while the status was not written. */
    @Test
    void isNeverBelowWhatThisProcessToldDevices() {
        assertThat(next(verdict("old", Optional.empty()), told(41), TOLD, 0))
                .isEqualTo(new LedgerStatus(41, "old", null));
        assertThat(next(verdict("old", Optional.empty()), told(45), TOLD, 0))
                .as("a status that was set back proves no more than it says")
                .isEqualTo(TOLD);
    }

    @Test
    void standsStillWhileADriverIsAway() {
        FabricVerdict changed = verdict("new", Optional.empty());
        assertThat(next(changed, driver(Contact.UNREACHABLE, 0), TOLD, 0)).isEqualTo(TOLD);
        assertThat(next(changed, driver(Contact.UNREACHABLE, 0), null, 0)).isNull();
    }

    @Test
    void keepsWhatDevicesRememberUntilItIsAccepted() {
        DriverState synced = driver(Contact.SYNCED, 50);
        LedgerStatus kept = next(found(50), synced, TOLD, 0);
        assertThat(kept).isEqualTo(new LedgerStatus(40, "old", 50L));
        assertThat(next(found(0), synced, kept, 0)).as("an epoch tells").isEqualTo(kept);
        assertThat(next(found(41), synced, TOLD, 0))
                .as("found by a pass that had read an older status")
                .isEqualTo(TOLD);
        assertThat(next(verdict("new", Optional.empty()), synced, kept, 50))
                .isEqualTo(new LedgerStatus(50, "new", null));
    }

    @Test
    void aFabricThatIsMadeAnewStartsAtWhatItsDevicesRemember() {
        FabricVerdict sound = verdict("new", Optional.empty());
        assertThat(next(sound, driver(Contact.SYNCED, 50), null, 0)).isEqualTo(new LedgerStatus(50, "new", null));
        assertThat(next(sound, told(50), null, 0))
                .as("this process told them when there was a fabric of that name")
                .isEqualTo(new LedgerStatus(50, "new", null));
        assertThat(next(sound, driver(Contact.SYNCED, 0), null, 0)).isEqualTo(new LedgerStatus(1, "new", null));
    }
}
