package dev.lightpath.driver.server;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.driver.contract.view.Notice;
import dev.lightpath.driver.contract.view.ScopeFilter;
import dev.lightpath.driver.contract.view.Times;
import dev.lightpath.driver.contract.view.ViewChange;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmChanged;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.AvailabilityChanged;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitsChanged;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.driver.v1alpha1.EnvironmentChanged;
import dev.lightpath.proto.driver.v1alpha1.ForeignChange;
import dev.lightpath.proto.driver.v1alpha1.InventoryChanged;
import dev.lightpath.proto.driver.v1alpha1.OperationChanged;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.PortsChanged;
import dev.lightpath.proto.driver.v1alpha1.PowerCycled;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Changes of a device as messages of one stream. Confined to the stream's thread. */
final class Events {
    private final WatchScope scope;
    /** What was last told of ports that measure something else now, by less than is worth telling. */
    private final Map<String, PortStatus> told = new HashMap<>();

    Events(WatchScope scope) {
        this.scope = scope;
    }

    static WatchResponse.Builder snapshot(DeviceView view, ScopeFilter filter) {
        DeviceSnapshot.Builder out = DeviceSnapshot.newBuilder()
                .setDeviceId(view.deviceId())
                .setKind(view.description().device().getKind())
                .setAvailability(view.availability())
                .addAllCircuits(view.circuitsIn(filter))
                .setObservedDigest(view.digest(filter))
                .addAllAlarms(view.alarms().values())
                .addAllOperations(view.operations())
                .setEnvironment(view.environment())
                .setInventoryRevision(view.description().inventory().getInventoryRevision())
                .setHoldingRole(view.holdingRole())
                .setHighestEpoch(view.highestEpoch())
                .setHighestEpochHolder(view.highestEpochHolder())
                .setHighestGeneration(view.highestGeneration())
                .setPowerCycles(view.powerCycles());
        if (view.availability() != Availability.AVAILABILITY_PRESENT) {
            out.setStaleSince(Times.wire(view.since()));
        }
        view.ports().values().stream()
                .filter(p -> filter.covers(p.getPort()))
                .map(Events::told)
                .forEach(out::addPorts);
        return WatchResponse.newBuilder().setSnapshot(out);
    }

    List<WatchResponse.Builder> of(ViewChange change, ScopeFilter filter) {
        DeviceView after = change.after();
        DeviceView before = change.before();
        List<WatchResponse.Builder> out = new ArrayList<>();
        if (before == null) {
            out.add(snapshot(after, filter));
            return out;
        }
        boolean whole = before.availability() != after.availability();
        if (whole) {
            out.add(message()
                    .setAvailabilityChanged(AvailabilityChanged.newBuilder()
                            .setDeviceId(after.deviceId())
                            .setAvailability(after.availability())
                            .setSince(Times.wire(after.since()))
                            .setDetail(after.silentDetail())));
        }
        if (whole && after.availability() == Availability.AVAILABILITY_PRESENT) {
            out.add(snapshot(after, filter));
        } else {
            differences(before, after, filter, out);
        }
        change.notices().forEach(notice -> notice(notice, after, filter, out));
        return out;
    }

    private void differences(DeviceView before, DeviceView after, ScopeFilter filter, List<WatchResponse.Builder> out) {
        if (before.circuits() != after.circuits() && scope.wants(StreamKind.STREAM_KIND_CIRCUITS)) {
            circuits(before, after, filter, out);
        }
        if (before.ports() != after.ports()) {
            ports(before, after, filter, out);
        }
        if (!before.alarms().equals(after.alarms()) && scope.wants(StreamKind.STREAM_KIND_ALARMS)) {
            alarms(before, after, out);
        }
        if (!before.environment().equals(after.environment()) && scope.wants(StreamKind.STREAM_KIND_ENVIRONMENT)) {
            out.add(message()
                    .setEnvironmentChanged(EnvironmentChanged.newBuilder()
                            .setDeviceId(after.deviceId())
                            .setEnvironment(after.environment())));
        }
        String revision = after.description().inventory().getInventoryRevision();
        if (!before.description().inventory().getInventoryRevision().equals(revision)) {
            out.add(message()
                    .setInventoryChanged(InventoryChanged.newBuilder()
                            .setDeviceId(after.deviceId())
                            .setInventoryRevision(revision)));
        }
    }

    private static void circuits(
            DeviceView before, DeviceView after, ScopeFilter filter, List<WatchResponse.Builder> out) {
        CircuitsChanged.Builder changed = CircuitsChanged.newBuilder().setDeviceId(after.deviceId());
        for (Map.Entry<CircuitPair, Circuit> each : after.circuits().entrySet()) {
            if (filter.touches(each.getKey())
                    && !each.getValue().equals(before.circuits().get(each.getKey()))) {
                changed.addChanged(each.getValue());
            }
        }
        for (CircuitPair pair : before.circuits().keySet()) {
            if (filter.touches(pair) && !after.circuits().containsKey(pair)) {
                changed.addRemoved(pair.toKey());
            }
        }
        if (changed.getChangedCount() + changed.getRemovedCount() > 0) {
            out.add(message().setCircuitsChanged(changed.setObservedDigest(after.digest(filter))));
        }
    }

    private void ports(DeviceView before, DeviceView after, ScopeFilter filter, List<WatchResponse.Builder> out) {
        PortsChanged.Builder changed = PortsChanged.newBuilder().setDeviceId(after.deviceId());
        for (PortStatus port : after.ports().values()) {
            if (filter.covers(port.getPort())
                    && isWorthTelling(after.deviceId(), before.ports().get(port.getPort()), port)) {
                changed.addPorts(told(port));
            }
        }
        if (changed.getPortsCount() > 0) {
            out.add(message().setPortsChanged(changed));
        }
    }

    /** A port that may not be used by override says so, whatever the device says. */
    private static PortStatus told(PortStatus port) {
        return OutOfService.by(port.getOverride())
                ? port.toBuilder()
                        .setAdminState(PortAdminState.PORT_ADMIN_STATE_OUT_OF_SERVICE)
                        .build()
                : port;
    }

    private boolean isWorthTelling(
            String deviceId, @org.jspecify.annotations.Nullable PortStatus before, PortStatus after) {
        String name = deviceId + "/" + after.getPort();
        if (before == null || !PortReadings.without(before).equals(PortReadings.without(after))) {
            told.remove(name);
            return scope.wants(StreamKind.STREAM_KIND_PORTS) || scope.wants(StreamKind.STREAM_KIND_RECEIVE_POWER);
        }
        PortStatus last = told.getOrDefault(name, before);
        if (PortReadings.differ(last, after, scope.powerStepDb())) {
            told.remove(name);
            return scope.wants(StreamKind.STREAM_KIND_RECEIVE_POWER);
        }
        told.put(name, last);
        return false;
    }

    private static void alarms(DeviceView before, DeviceView after, List<WatchResponse.Builder> out) {
        Set<DeviceView.AlarmName> cleared = new TreeSet<>(before.alarms().keySet());
        cleared.removeAll(after.alarms().keySet());
        for (DeviceView.AlarmName name : cleared) {
            Alarm alarm = before.alarms().get(name);
            if (alarm != null) {
                out.add(alarm(after.deviceId(), alarm, false));
            }
        }
        after.alarms().forEach((name, alarm) -> {
            Alarm was = before.alarms().get(name);
            // not for another text: a device may say there what it measures. Why it is silent, the driver says
            if (was == null
                    || was.getSeverity() != alarm.getSeverity()
                    || alarm.getKind() == AlarmKind.ALARM_KIND_DEVICE_SILENT && !was.equals(alarm)) {
                out.add(alarm(after.deviceId(), alarm, true));
            }
        });
    }

    private static WatchResponse.Builder alarm(String deviceId, Alarm alarm, boolean raised) {
        return message()
                .setAlarmChanged(AlarmChanged.newBuilder()
                        .setDeviceId(deviceId)
                        .setAlarm(alarm)
                        .setRaised(raised));
    }

    private void notice(Notice notice, DeviceView after, ScopeFilter filter, List<WatchResponse.Builder> out) {
        switch (notice) {
            case Notice.OperationChange(var operation) ->
                out.add(message()
                        .setOperationChanged(OperationChanged.newBuilder().setOperation(operation)));
            case Notice.PowerCycle(var at) -> {
                out.add(message()
                        .setPowerCycled(PowerCycled.newBuilder()
                                .setDeviceId(after.deviceId())
                                .setNoticedAt(Times.wire(at))));
                out.add(snapshot(after, filter));
            }
            case Notice.Foreign(var appeared, var vanished, var by) -> {
                ForeignChange.Builder foreign =
                        ForeignChange.newBuilder().setDeviceId(after.deviceId()).addAllChangedBy(by);
                appeared.stream().filter(filter::touches).forEach(p -> foreign.addAppeared(p.toKey()));
                vanished.stream().filter(filter::touches).forEach(p -> foreign.addVanished(p.toKey()));
                if (foreign.getAppearedCount() + foreign.getVanishedCount() > 0
                        && scope.wants(StreamKind.STREAM_KIND_CIRCUITS)) {
                    out.add(message().setForeignChange(foreign.setObservedDigest(after.digest(filter))));
                }
            }
        }
    }

    private static WatchResponse.Builder message() {
        return WatchResponse.newBuilder();
    }
}
