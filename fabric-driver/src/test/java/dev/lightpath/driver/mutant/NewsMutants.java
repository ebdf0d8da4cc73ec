package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.ForeignChange;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.List;
import java.util.function.Consumer;

/** Streams that tell too little, too much, or the wrong thing. */
final class NewsMutants {
    private NewsMutants() {}

    /** Changes each message on its way to the client. */
    private static Mutant telling(String bug, String requirement, Consumer<WatchResponse.Builder> instead) {
        return new Mutant(bug, requirement) {
            @Override
            List<WatchResponse> told(WatchResponse message) {
                WatchResponse.Builder other = message.toBuilder();
                instead.accept(other);
                return List.of(other.build());
            }
        };
    }

    private static Mutant snapshots(String bug, String requirement, Consumer<WatchResponse.Builder> instead) {
        return telling(bug, requirement, message -> {
            if (message.hasSnapshot()) {
                instead.accept(message);
            }
        });
    }

    static List<Mutant> all() {
        return List.of(
                snapshots(
                        "has no ports in its snapshots",
                        "stream/snapshot-then-synced",
                        m -> m.getSnapshotBuilder().clearPorts()),
                snapshots(
                        "does not say what a device is in its snapshots",
                        "stream/snapshot-then-synced",
                        m -> m.getSnapshotBuilder().clearKind()),
                snapshots(
                        "does not say who made the circuits of its snapshots",
                        "stream/snapshot-then-synced",
                        m -> m.getSnapshotBuilder().getCircuitsBuilderList().forEach(c -> c.clearOperationId())),
                snapshots(
                        "takes the snapshot of a silent device for news",
                        "silence/last-read",
                        m -> m.getSnapshotBuilder().clearStaleSince()),
                snapshots(
                        "counts no losses of power",
                        "reconnect/power-cycled",
                        m -> m.getSnapshotBuilder().clearPowerCycles()),
                new Mutant("keeps the alarm of a device that is back", "silence/told") {
                    private boolean wasSilent;

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        Alarm alarm = message.getAlarmChanged().getAlarm();
                        wasSilent |= alarm.getKind() == AlarmKind.ALARM_KIND_DEVICE_SILENT;
                        WatchResponse.Builder other = message.toBuilder();
                        if (wasSilent && message.hasSnapshot()) {
                            other.getSnapshotBuilder()
                                    .addAlarms(Alarm.newBuilder().setKind(AlarmKind.ALARM_KIND_DEVICE_SILENT));
                        }
                        return List.of(other.build());
                    }
                },
                new Mutant("does not tell that an alarm is over", "reconnect/power-cycled") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        return message.hasAlarmChanged()
                                        && !message.getAlarmChanged().getRaised()
                                ? List.of()
                                : List.of(message);
                    }
                },
                new Mutant("does not tell of an operation before it ends", "stream/admitted") {
                    private long unsaid;

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        unsaid = message.getSeq() == 1 ? 0 : unsaid;
                        if (message.getOperationChanged().getOperation().getOutcome() == Outcome.OUTCOME_IN_PROGRESS) {
                            unsaid++;
                            return List.of();
                        }
                        return List.of(message.toBuilder()
                                .setSeq(message.getSeq() - unsaid)
                                .build());
                    }
                },
                new Mutant("takes its own changes for foreign", "stream/changes") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        return message.hasCircuitsChanged()
                                ? List.of(
                                        message,
                                        message.toBuilder()
                                                .setForeignChange(ForeignChange.newBuilder()
                                                        .setDeviceId(message.getCircuitsChanged()
                                                                .getDeviceId()))
                                                .build())
                                : List.of(message);
                    }
                },
                telling("tells of ports of other scopes", "stream/scope", m -> {
                    if (m.hasPortsChanged()) {
                        m.getPortsChangedBuilder()
                                .addPorts(PortStatus.newBuilder()
                                        .setPort("32")
                                        .setOverride(PortOverride.PORT_OVERRIDE_NONE));
                    }
                }),
                new Mutant("tells nothing to a stream that names its kinds", "stream/named-kind") {
                    private boolean named;

                    @Override
                    WatchRequest watch(WatchRequest request) {
                        named = request.getKindsList().contains(StreamKind.STREAM_KIND_CIRCUITS);
                        return super.watch(request);
                    }

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        return named && message.hasCircuitsChanged() ? List.of() : List.of(message);
                    }
                },
                new Mutant("beats every five seconds whatever was asked for", "stream/heartbeat") {
                    @Override
                    WatchRequest watch(WatchRequest request) {
                        return request.toBuilder().clearHeartbeatInterval().build();
                    }
                },
                telling("does not number heartbeats", "stream/heartbeat", m -> {
                    if (m.hasHeartbeat()) {
                        m.setSeq(0);
                    }
                }),
                telling("does not say in a heartbeat what the stream covers", "stream/heartbeat", m -> {
                    if (m.hasHeartbeat()) {
                        m.getHeartbeatBuilder().clearDeviceCount();
                    }
                }));
    }
}
