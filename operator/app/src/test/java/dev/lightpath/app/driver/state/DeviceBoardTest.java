package dev.lightpath.app.driver.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DeviceBoardTest {
    private static final String[] ROLES = {"", "ours", "second", "theirs"};

    /** The driver is not waited for until it has read what it never reached. */
    @Test
    void aDeviceThatWasNeverReachedIsNotAboutToBeRead() {
        DeviceSnapshot silent = DeviceSnapshot.newBuilder()
                .setDeviceId("ocs-1")
                .setAvailability(Availability.AVAILABILITY_SILENT)
                .build();
        Alarm why = Alarm.newBuilder()
                .setKind(AlarmKind.ALARM_KIND_DEVICE_SILENT)
                .setNativeText("the host key is another one")
                .build();
        DeviceBoard board = new DeviceBoard(new TreeSet<>(Set.of("ours")));
        board.replace(silent);
        assertThat(board.unread()).as("it may be read soon").isEqualTo(1);
        board.replace(silent.toBuilder()
                .setKind(DeviceKind.DEVICE_KIND_SWITCH)
                .addAlarms(why)
                .build());
        assertThat(board.unread())
                .as("it answered an earlier run of the driver")
                .isEqualTo(1);
        board.replace(silent.toBuilder().addAlarms(why).build());
        assertThat(board.unread()).isZero();
        assertThat(board.states().get("ocs-1").silence()).contains("the host key is another one");
    }

    /** Devices come, go and change hands, and roles become ours, in any order, whoever looks in between. */
    @Test
    void foreignDevicesAreThoseThatAnotherRoleHolds() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            SortedSet<String> ours = new TreeSet<>(Set.of("ours"));
            DeviceBoard board = new DeviceBoard(new TreeSet<>(ours));
            SortedMap<String, String> holders = new TreeMap<>();
            for (int step = 0; step < 60; step++) {
                String device = "n" + random.nextInt(5);
                switch (random.nextInt(5)) {
                    case 0 -> {
                        board.remove(device);
                        holders.remove(device);
                    }
                    case 1 -> {
                        board.retain(Set.of(device));
                        holders.keySet().retainAll(Set.of(device));
                    }
                    case 2 -> {
                        ours = new TreeSet<>(random.nextBoolean() ? Set.of("ours") : Set.of("ours", "second"));
                        board.serve(ours);
                    }
                    default -> {
                        String holder = ROLES[random.nextInt(ROLES.length)];
                        board.replace(DeviceSnapshot.newBuilder()
                                .setDeviceId(device)
                                .setHoldingRole(holder)
                                .build());
                        holders.put(device, holder);
                    }
                }
                SortedSet<String> expected = new TreeSet<>();
                for (String each : holders.keySet()) {
                    String holder = holders.getOrDefault(each, "");
                    if (!holder.isEmpty() && !ours.contains(holder)) {
                        expected.add(each);
                    }
                }
                switch (random.nextInt(3)) {
                    case 0 ->
                        assertThat(board.foreign())
                                .as("seed %d, step %d", seed, step)
                                .isEqualTo(expected);
                    case 1 ->
                        assertThat(board.states().keySet())
                                .as("seed %d, step %d", seed, step)
                                .isEqualTo(holders.keySet());
                    default ->
                        assertThat(board.problem().orElse("").contains("another role holds"))
                                .as("seed %d, step %d", seed, step)
                                .isEqualTo(!expected.isEmpty());
                }
            }
        }
    }
}
