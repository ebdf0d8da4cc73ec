package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoRequest;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoResponse;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesResponse;
import dev.lightpath.proto.driver.v1alpha1.ProbeResponse;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse.EventCase;
import io.grpc.ServerServiceDefinition;
import java.util.List;

/** Streams and inventories gone wrong. */
final class StreamMutants {
    private StreamMutants() {}

    private static Mutant without(EventCase kind, String bug, String requirement) {
        return new Mutant(bug, requirement) {
            @Override
            List<WatchResponse> told(WatchResponse message) {
                return message.getEventCase() == kind ? List.of() : super.told(message);
            }
        };
    }

    /** Loses messages in the middle of a stream. */
    private abstract static class Lossy extends Mutant {
        static final long FROM = 10;
        static final long TO = 20;

        Lossy(String bug, String requirement) {
            super(bug, requirement);
        }

        @Override
        List<WatchResponse> told(WatchResponse message) {
            if (message.getSeq() >= FROM && message.getSeq() < TO) {
                return List.of();
            }
            return message.getSeq() < FROM ? List.of(message) : afterwards(message);
        }

        abstract List<WatchResponse> afterwards(WatchResponse message);
    }

    static List<Mutant> all() {
        return List.of(
                new Mutant("skips numbers", "stream/sequence") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        return List.of(message.toBuilder()
                                .setSeq(2 * message.getSeq() - 1)
                                .build());
                    }
                },
                new Mutant("tells a message twice", "stream/sequence") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        return message.hasCircuitsChanged() ? List.of(message, message) : List.of(message);
                    }
                },
                new Lossy("loses messages of a slow client without a word", "stream/slow-client") {
                    @Override
                    List<WatchResponse> afterwards(WatchResponse message) {
                        return List.of(message);
                    }
                },
                new Lossy("hides that it lost messages by numbering on", "stream/slow-client") {
                    @Override
                    List<WatchResponse> afterwards(WatchResponse message) {
                        return List.of(message.toBuilder()
                                .setSeq(message.getSeq() - (TO - FROM))
                                .setDropped(TO - FROM)
                                .build());
                    }
                },
                new Lossy("sends no snapshot after a loss", "stream/slow-client") {
                    @Override
                    List<WatchResponse> afterwards(WatchResponse message) {
                        return List.of(message.toBuilder().setDropped(TO - FROM).build());
                    }
                },
                without(EventCase.SNAPSHOT, "begins without a snapshot", "stream/snapshot-then-synced"),
                without(EventCase.SYNCED, "never says Synced", "stream/snapshot-then-synced"),
                without(EventCase.CIRCUITS_CHANGED, "does not tell of circuits", "stream/changes"),
                without(EventCase.OPERATION_CHANGED, "does not tell of operations", "stream/changes"),
                without(EventCase.HEARTBEAT, "has no heartbeat", "stream/heartbeat"),
                without(EventCase.PORTS_CHANGED, "does not tell of ports", "stream/ports"),
                without(EventCase.FOREIGN_CHANGE, "does not tell of foreign changes", "foreign/told"),
                without(EventCase.AVAILABILITY_CHANGED, "does not tell of silence", "silence/told"),
                without(EventCase.POWER_CYCLED, "does not tell of a loss of power", "reconnect/power-cycled"),
                new Mutant("tells of other scopes", "stream/scope") {
                    @Override
                    WatchRequest watch(WatchRequest request) {
                        WatchRequest.Builder all = request.toBuilder();
                        all.getDevicesBuilderList().forEach(DeviceScope.Builder::clearScope);
                        return all.build();
                    }
                },
                new Mutant("is the same run after a restart", "crash/identity") {
                    @Override
                    GetDriverInfoResponse info(GetDriverInfoRequest request, GetDriverInfoResponse answer) {
                        return answer.toBuilder().setBootId("always").build();
                    }
                },
                new Mutant("is another installation after a restart", "crash/identity") {
                    @Override
                    GetDriverInfoResponse info(GetDriverInfoRequest request, GetDriverInfoResponse answer) {
                        return answer.toBuilder()
                                .setInstanceId(answer.getBootId())
                                .build();
                    }
                },
                new Mutant("does not notice another device", "reconnect/another-device") {
                    @Override
                    ListDevicesResponse devices(ListDevicesRequest request, ListDevicesResponse answer) {
                        ListDevicesResponse.Builder same = answer.toBuilder();
                        same.getDevicesBuilderList().forEach(d -> d.setSerial("always"));
                        return same.build();
                    }
                },
                new Mutant("takes silent devices for present", "silence/told") {
                    @Override
                    ListDevicesResponse devices(ListDevicesRequest request, ListDevicesResponse answer) {
                        ListDevicesResponse.Builder present = answer.toBuilder();
                        present.getDevicesBuilderList()
                                .forEach(d -> d.setAvailability(Availability.AVAILABILITY_PRESENT));
                        return present.build();
                    }
                },
                new Mutant("does not tell of another device in its place", "reconnect/another-device") {
                    private boolean begun;

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        boolean state = message.hasSnapshot() || message.hasCircuitsChanged();
                        boolean hidden = begun && state;
                        begun |= message.hasSynced();
                        return hidden ? List.of() : List.of(message);
                    }
                },
                new Mutant("tells of all kinds whatever was asked for", "stream/kinds") {
                    @Override
                    WatchRequest watch(WatchRequest request) {
                        return request.toBuilder().clearKinds().build();
                    }
                },
                new Mutant("probes a silent device with success", "silence/told") {
                    @Override
                    ProbeResponse probe(ProbeResponse answer) {
                        return answer.toBuilder()
                                .setAnswered(true)
                                .setRoundTrip(com.google.protobuf.Duration.newBuilder()
                                        .setNanos(1))
                                .build();
                    }
                },
                new Mutant("has no operations in its snapshots", "confirmation/in-a-snapshot") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        WatchResponse.Builder without = message.toBuilder();
                        if (message.hasSnapshot()) {
                            without.getSnapshotBuilder().clearOperations();
                        }
                        return List.of(without.build());
                    }
                },
                new Mutant("loses the last device of a page", "inventory/pages") {
                    @Override
                    ListDevicesResponse devices(ListDevicesRequest request, ListDevicesResponse answer) {
                        return answer.getNextPageToken().isEmpty()
                                ? answer
                                : answer.toBuilder()
                                        .removeDevices(answer.getDevicesCount() - 1)
                                        .build();
                    }
                },
                new Mutant("has no health service", "identity/health") {
                    @Override
                    List<ServerServiceDefinition> standardServices() {
                        return super.standardServices().subList(1, 2);
                    }
                },
                new Mutant("has no reflection", "identity/reflection") {
                    @Override
                    List<ServerServiceDefinition> standardServices() {
                        return super.standardServices().subList(0, 1);
                    }
                });
    }
}
