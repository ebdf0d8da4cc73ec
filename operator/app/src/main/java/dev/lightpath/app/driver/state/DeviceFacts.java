package dev.lightpath.app.driver.state;

import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmChanged;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.CircuitsChanged;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.driver.v1alpha1.ForeignChange;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.PortsChanged;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a driver has said about one device, in its own words: a snapshot and the updates since. Believes everything that
 * there is {@link Room} for; {@link ProtoCodec} makes sense of it. Not thread-safe.
 */
public final class DeviceFacts {
    static final Comparator<CircuitKey> KEY_ORDER =
            Comparator.comparing(CircuitKey::getIngress).thenComparing(CircuitKey::getEgress);

    private final SortedMap<CircuitKey, Circuit> circuits = new TreeMap<>(KEY_ORDER);
    private final SortedMap<String, PortStatus> ports = new TreeMap<>();
    private final TreeSet<String> portsSaidTwice = new TreeSet<>();
    private final SortedMap<String, Alarm> alarms = new TreeMap<>();
    private final SortedMap<String, Operation> operations = new TreeMap<>();
    private final Room room;
    private Availability availability = Availability.AVAILABILITY_UNSPECIFIED;
    private boolean unread = true;
    private String digest = "";
    private String holdingRole = "";

    /** @param room for what is said of it */
    DeviceFacts(Room room) {
        this.room = room;
    }

    /**
     * Takes a listing. A silent device without a listing was not read yet by this run of the driver: the report of an
     * earlier run stays the last known state.
     */
    public void replace(DeviceSnapshot snapshot) {
        boolean answers = snapshot.getAvailability() == Availability.AVAILABILITY_PRESENT && !snapshot.hasStaleSince();
        unread = !answers && snapshot.getCircuitsCount() == 0 && snapshot.getPortsCount() == 0;
        availability = answers ? Availability.AVAILABILITY_PRESENT : Availability.AVAILABILITY_SILENT;
        if (unread) {
            snapshot.getAlarmsList().forEach(this::keep);
        } else {
            take(snapshot);
        }
        holdingRole = snapshot.getHoldingRole();
    }

    private void take(DeviceSnapshot snapshot) {
        room.again();
        circuits.clear();
        ports.clear();
        portsSaidTwice.clear();
        alarms.clear();
        operations.clear();
        snapshot.getCircuitsList().forEach(this::keep);
        for (PortStatus port : snapshot.getPortsList()) {
            if (ports.containsKey(port.getPort())) {
                portsSaidTwice.add(port.getPort());
            }
            keep(port);
        }
        snapshot.getAlarmsList().forEach(this::keep);
        snapshot.getOperationsList().forEach(this::hear);
        digest = snapshot.getObservedDigest();
    }

    public void hear(CircuitsChanged change) {
        change.getRemovedList().forEach(circuits::remove);
        change.getChangedList().forEach(this::keep);
        digest = change.getObservedDigest();
    }

    public void hear(ForeignChange change) {
        change.getVanishedList().forEach(circuits::remove);
        for (CircuitKey key : change.getAppearedList()) {
            if (!circuits.containsKey(key)) {
                keep(Circuit.newBuilder()
                        .setKey(key)
                        .setState(CircuitState.CIRCUIT_STATE_CONNECTED)
                        .setForeign(true)
                        .build());
            }
        }
        digest = change.getObservedDigest();
    }

    /** Whether some port ceases to work or to be in service, or does so no more: not what light does to it. */
    public boolean breaksOrMends(PortsChanged change) {
        return change.getPortsList().stream()
                .anyMatch(port -> !ProtoCodec.failure(port)
                        .equals(ProtoCodec.failure(
                                ports.getOrDefault(port.getPort(), PortStatus.getDefaultInstance()))));
    }

    public void hear(PortsChanged change) {
        change.getPortsList().forEach(this::keep);
    }

    public void hear(AlarmChanged change) {
        if (change.getRaised()) {
            keep(change.getAlarm());
        } else {
            alarms.remove(nameOf(change.getAlarm()));
        }
    }

    /**
     * Keeps operations that are under way or whose end is unknown. A write of a role also shows which role holds the
     * device.
     */
    public void hear(Operation operation) {
        if (!operation.getFencing().getRole().isEmpty()) {
            holdingRole = operation.getFencing().getRole();
        }
        if (operation.getOutcome() == Outcome.OUTCOME_IN_PROGRESS
                || operation.getOutcome() == Outcome.OUTCOME_UNKNOWN
                || operation.hasConfirmBefore()) {
            // what became of each circuit is in the answer to the change
            Operation known = operation.toBuilder().clearItems().build();
            room.keep(operations, operation.getOperationId(), known);
        } else {
            operations.remove(operation.getOperationId());
        }
    }

    private void keep(Circuit circuit) {
        CircuitKey key = circuit.getKey();
        room.keep(circuits, key, circuit, key.getIngress(), key.getEgress());
    }

    private void keep(PortStatus port) {
        room.keep(ports, port.getPort(), port, port.getPort());
    }

    private void keep(Alarm alarm) {
        room.keep(alarms, nameOf(alarm), alarm, alarm.getWhere());
    }

    /** Whether more was said of it than is kept. */
    boolean overfull() {
        return room.exceeded();
    }

    /** Whether no further name of a port or part will be kept of it. */
    boolean namesUsedUp() {
        return room.usedUp();
    }

    public void fallSilent() {
        availability = Availability.AVAILABILITY_SILENT;
    }

    public void heldBy(String role) {
        holdingRole = role;
    }

    private static String nameOf(Alarm alarm) {
        return alarm.getKind() + "/" + alarm.getWhere();
    }

    public Collection<Circuit> circuits() {
        return circuits.values();
    }

    public Collection<PortStatus> ports() {
        return ports.values();
    }

    Collection<String> portsSaidTwice() {
        return portsSaidTwice;
    }

    List<Alarm> alarms() {
        return new ArrayList<>(alarms.values());
    }

    public Collection<Operation> operations() {
        return operations.values();
    }

    /** Whether this run of the driver has not read the device yet. */
    public boolean unread() {
        return unread;
    }

    public boolean silent() {
        return availability != Availability.AVAILABILITY_PRESENT;
    }

    public String digest() {
        return digest;
    }

    public String holdingRole() {
        return holdingRole;
    }

    /** Whether the circuits are those the driver's digest is of: when not, an update was lost. */
    public boolean consistent() {
        return digest.equals(ProtoCodec.digest(circuits.keySet()));
    }
}
