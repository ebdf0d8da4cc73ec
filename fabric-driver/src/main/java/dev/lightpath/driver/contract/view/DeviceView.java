package dev.lightpath.driver.contract.view;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The known state of a device at one moment; immutable.
 *
 * @param version grows with every change of this device's view
 * @param since when the availability became what it is
 * @param wasRead whether circuits were ever read in this run of the driver
 * @param ports in the device's order
 * @param operations in progress or awaiting confirmation
 */
public record DeviceView(
        DeviceDescription description,
        long version,
        Availability availability,
        Instant since,
        String silentDetail,
        boolean wasRead,
        SortedMap<CircuitPair, Circuit> circuits,
        Map<String, PortStatus> ports,
        SortedMap<AlarmName, Alarm> alarms,
        Environment environment,
        int powerCycles,
        String holdingRole,
        long highestEpoch,
        String highestEpochHolder,
        long highestGeneration,
        List<Operation> operations) {

    /** Identity of an alarm within its device. */
    public record AlarmName(AlarmKind kind, String where) implements Comparable<AlarmName> {
        public static AlarmName of(Alarm alarm) {
            return new AlarmName(alarm.getKind(), alarm.getWhere());
        }

        @Override
        public int compareTo(AlarmName other) {
            int byKind = kind.compareTo(other.kind);
            return byKind != 0 ? byKind : where.compareTo(other.where);
        }
    }

    public String deviceId() {
        return description.deviceId();
    }

    /** Circuits that touch a scope, in order. */
    public List<Circuit> circuitsIn(ScopeFilter scope) {
        return scope.allPorts()
                ? List.copyOf(circuits.values())
                : circuits.entrySet().stream()
                        .filter(e -> scope.touches(e.getKey()))
                        .map(Map.Entry::getValue)
                        .toList();
    }

    public String digest(ScopeFilter scope) {
        return Digest.ofCircuits(
                circuits.keySet().stream().filter(scope::touches).toList());
    }
}
