package dev.lightpath.app.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.driver.state.ProtoCodec;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmChanged;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.AvailabilityChanged;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.CircuitsChanged;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.ForeignChange;
import dev.lightpath.proto.driver.v1alpha1.LockState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.OperationChanged;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortOperState;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.PortsChanged;
import dev.lightpath.proto.driver.v1alpha1.Synced;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DriverViewPropertyTest {
    private static final String ROLE = "cluster/ring-a";
    private static final String[] NAMES = {"", "1", "2", "3", "b0", "b0.common", "b0.path1", "b0.path2"};

    @Test
    void foldingUpdatesShowsWhatAListingWould() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            SortedMap<String, SortedMap<String, String>> truth = new TreeMap<>();
            DriverView view = new DriverView(new TreeSet<>(List.of(ROLE)));
            view.list();
            for (String device : List.of("n1", "n2", "n3")) {
                truth.put(device, new TreeMap<>());
                view.hear(message().setSnapshot(snapshot(device, truth)).build());
            }
            view.hear(message().setSynced(Synced.getDefaultInstance()).build());
            for (int step = 0; step < 50; step++) {
                String device = "n" + (1 + random.nextInt(3));
                SortedMap<String, String> lit = truth.getOrDefault(device, new TreeMap<>());
                CircuitsChanged.Builder change = CircuitsChanged.newBuilder().setDeviceId(device);
                String ingress = "in" + random.nextInt(4);
                String egress = "out" + random.nextInt(4);
                String before = lit.remove(ingress);
                if (before != null) {
                    change.addRemoved(key(ingress, before));
                }
                if (random.nextBoolean() && !lit.containsValue(egress)) {
                    lit.put(ingress, egress);
                    change.addChanged(circuit(ingress, egress));
                }
                DriverView.Heard heard = view.hear(message()
                        .setCircuitsChanged(change.setObservedDigest(digest(lit)))
                        .build());
                assertThat(heard.lost()).as("seed %d step %d", seed, step).isFalse();
                if (random.nextInt(5) == 0) {
                    assertThat(shown(view)).as("seed %d step %d", seed, step).isEqualTo(truth);
                }
            }
            assertThat(shown(view)).as("seed %d", seed).isEqualTo(truth);
        }
    }

    @Test
    void lostUpdateIsNoticedOnceTheNextOneComes() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            SortedMap<String, SortedMap<String, String>> truth = new TreeMap<>(java.util.Map.of("n1", new TreeMap<>()));
            DriverView view = new DriverView(new TreeSet<>(List.of(ROLE)));
            view.list();
            view.hear(message().setSnapshot(snapshot("n1", truth)).build());
            view.hear(message().setSynced(Synced.getDefaultInstance()).build());
            SortedMap<String, String> lit = truth.getOrDefault("n1", new TreeMap<>());
            String lostIngress = "in" + random.nextInt(4);
            lit.put(lostIngress, "out0");
            lit.put("in9", "out9");

            DriverView.Heard heard = view.hear(message()
                    .setCircuitsChanged(CircuitsChanged.newBuilder()
                            .setDeviceId("n1")
                            .addChanged(circuit("in9", "out9"))
                            .setObservedDigest(digest(lit)))
                    .build());

            assertThat(heard.lost()).as("seed %d", seed).isTrue();
        }
    }

    @Test
    void nonsenseNeverThrowsAndNeverShowsAPortInTwoCircuits() {
        for (long seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            DriverView view = new DriverView(new TreeSet<>(List.of(ROLE)));
            view.list();
            for (int step = 0; step < 30; step++) {
                view.hear(nonsense(random));
            }
            DriverState state = view.state(random.nextInt(3), EpochBook.NONE);
            state.devices().values().forEach(device -> {
                assertThat(device.circuits().circuits().stream().map(Circuit::ingress))
                        .doesNotHaveDuplicates();
                assertThat(device.circuits().circuits().stream().map(Circuit::egress))
                        .doesNotHaveDuplicates();
            });
        }
    }

    private static WatchResponse nonsense(Random random) {
        WatchResponse.Builder message = message();
        String device = name(random);
        return switch (random.nextInt(9)) {
            case 0 -> {
                DeviceSnapshot.Builder snapshot = DeviceSnapshot.newBuilder()
                        .setDeviceId(device)
                        .setAvailabilityValue(random.nextInt(6))
                        .setObservedDigest(name(random))
                        .setHoldingRole(random.nextBoolean() ? ROLE : name(random))
                        .setHighestEpoch(random.nextLong());
                for (int i = random.nextInt(5); i > 0; i--) {
                    snapshot.addCircuits(circuit(name(random), name(random)).setStateValue(random.nextInt(6)));
                    snapshot.addPorts(port(random));
                    snapshot.addAlarms(alarm(random));
                    snapshot.addOperations(operation(random, device));
                }
                yield message.setSnapshot(snapshot).build();
            }
            case 1 -> message.setSynced(Synced.newBuilder().setDeviceCount(-1)).build();
            case 2 ->
                message.setCircuitsChanged(CircuitsChanged.newBuilder()
                                .setDeviceId(device)
                                .addChanged(circuit(name(random), name(random)).setMeasuredLossDb(Double.NaN))
                                .addRemoved(key(name(random), name(random))))
                        .build();
            case 3 ->
                message.setPortsChanged(
                                PortsChanged.newBuilder().setDeviceId(device).addPorts(port(random)))
                        .build();
            case 4 ->
                message.setAlarmChanged(AlarmChanged.newBuilder()
                                .setDeviceId(device)
                                .setAlarm(alarm(random))
                                .setRaised(random.nextBoolean()))
                        .build();
            case 5 ->
                message.setAvailabilityChanged(AvailabilityChanged.newBuilder()
                                .setDeviceId(device)
                                .setAvailabilityValue(random.nextInt(6)))
                        .build();
            case 6 ->
                message.setOperationChanged(OperationChanged.newBuilder().setOperation(operation(random, device)))
                        .build();
            case 7 ->
                message.setForeignChange(ForeignChange.newBuilder()
                                .setDeviceId(device)
                                .addAppeared(key(name(random), name(random)))
                                .addVanished(key(name(random), name(random))))
                        .build();
            default -> message.build();
        };
    }

    private static String name(Random random) {
        return NAMES[random.nextInt(NAMES.length)];
    }

    private static PortStatus.Builder port(Random random) {
        PortStatus.Builder port = PortStatus.newBuilder()
                .setPort(name(random))
                .setOperStateValue(random.nextInt(6))
                .setAdminStateValue(random.nextInt(4))
                .setLockState(LockState.forNumber(random.nextInt(4)))
                .setReceivePowerDbm(random.nextBoolean() ? Double.NaN : Double.NEGATIVE_INFINITY);
        port.getHeardNeighbourBuilder().setDeviceId(name(random)).setPort(name(random));
        return port;
    }

    private static Alarm.Builder alarm(Random random) {
        return Alarm.newBuilder()
                .setKind(AlarmKind.forNumber(random.nextInt(14)))
                .setWhere(name(random))
                .setSeverity(AlarmSeverity.forNumber(random.nextInt(3)));
    }

    private static Operation.Builder operation(Random random, String device) {
        return Operation.newBuilder()
                .setDeviceId(device)
                .setOperationId(name(random))
                .setFencing(Fencing.newBuilder().setRole(name(random)).setEpoch(random.nextLong()))
                .setOutcome(Outcome.forNumber(random.nextInt(7)));
    }

    private static SortedMap<String, SortedMap<String, String>> shown(DriverView view) {
        SortedMap<String, SortedMap<String, String>> shown = new TreeMap<>();
        view.state(1, EpochBook.NONE).devices().forEach((device, state) -> {
            SortedMap<String, String> lit = new TreeMap<>();
            SortedSet<Circuit> circuits = state.circuits().circuits();
            circuits.forEach(circuit -> lit.put(circuit.ingress(), circuit.egress()));
            shown.put(device, lit);
        });
        return shown;
    }

    private static DeviceSnapshot snapshot(String device, SortedMap<String, SortedMap<String, String>> truth) {
        SortedMap<String, String> lit = truth.getOrDefault(device, new TreeMap<>());
        DeviceSnapshot.Builder snapshot = DeviceSnapshot.newBuilder()
                .setDeviceId(device)
                .setAvailability(Availability.AVAILABILITY_PRESENT)
                .setObservedDigest(digest(lit));
        lit.forEach((ingress, egress) -> snapshot.addCircuits(circuit(ingress, egress)));
        return snapshot.build();
    }

    private static String digest(SortedMap<String, String> lit) {
        return ProtoCodec.digest(lit.entrySet().stream()
                .map(entry -> key(entry.getKey(), entry.getValue()))
                .collect(Collectors.toList()));
    }

    private static dev.lightpath.proto.driver.v1alpha1.Circuit.Builder circuit(String ingress, String egress) {
        return dev.lightpath.proto.driver.v1alpha1.Circuit.newBuilder()
                .setKey(key(ingress, egress))
                .setState(CircuitState.CIRCUIT_STATE_CONNECTED);
    }

    private static CircuitKey key(String ingress, String egress) {
        return CircuitKey.newBuilder().setIngress(ingress).setEgress(egress).build();
    }

    private static WatchResponse.Builder message() {
        return WatchResponse.newBuilder().setBootId("boot-1");
    }

    @Test
    void aPortThatCeasesToWorkIsNewsOfTheDeviceAndLightIsNewsOfPorts() {
        DriverView view = new DriverView(new TreeSet<>(List.of(ROLE)));
        view.list();
        PortStatus works = PortStatus.newBuilder()
                .setPort("b0.path1")
                .setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE)
                .setOperState(PortOperState.PORT_OPER_STATE_OK)
                .setLockState(LockState.LOCK_STATE_LOCKED)
                .build();
        view.hear(message()
                .setSnapshot(snapshot("n1", new TreeMap<>()).toBuilder().addPorts(works))
                .build());
        view.hear(message().setSynced(Synced.getDefaultInstance()).build());
        PortStatus dark =
                works.toBuilder().setLockState(LockState.LOCK_STATE_ACQUIRING).build();
        assertThat(kind(view, dark)).contains(FleetChange.Kind.PORTS);
        PortStatus failed = dark.toBuilder()
                .setOperState(PortOperState.PORT_OPER_STATE_FAILED)
                .build();
        assertThat(kind(view, failed)).contains(FleetChange.Kind.DEVICE);
        assertThat(kind(view, failed)).contains(FleetChange.Kind.PORTS);
        assertThat(kind(view, works)).contains(FleetChange.Kind.DEVICE);
        assertThat(kind(
                        view,
                        works.toBuilder()
                                .setAdminState(PortAdminState.PORT_ADMIN_STATE_OUT_OF_SERVICE)
                                .build()))
                .contains(FleetChange.Kind.DEVICE);
    }

    private static Optional<FleetChange.Kind> kind(DriverView view, PortStatus port) {
        return view.hear(message()
                        .setPortsChanged(
                                PortsChanged.newBuilder().setDeviceId("n1").addPorts(port))
                        .build())
                .kind();
    }
}
