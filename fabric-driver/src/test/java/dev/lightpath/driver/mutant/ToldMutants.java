package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.Collections;
import java.util.List;

/** What streams tell, gone wrong. */
final class ToldMutants {
    private ToldMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant("does not tell who made a circuit", "stream/changes") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        WatchResponse.Builder told = message.toBuilder();
                        told.getCircuitsChangedBuilder()
                                .getChangedBuilderList()
                                .forEach(c -> c.clearRole().clearOperationId());
                        if (!message.hasCircuitsChanged()) {
                            return List.of(message);
                        }
                        return List.of(told.build());
                    }
                },
                new Mutant("does not tell that a circuit has settled", "stream/changes") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        WatchResponse.Builder told = message.toBuilder();
                        if (!message.hasCircuitsChanged()) {
                            return List.of(message);
                        }
                        told.getCircuitsChangedBuilder()
                                .getChangedBuilderList()
                                .forEach(c -> c.setState(CircuitState.CIRCUIT_STATE_TUNING));
                        return List.of(told.build());
                    }
                },
                new Mutant("tells the end of an operation before its beginning", "stream/changes") {
                    private WatchResponse held = WatchResponse.getDefaultInstance();

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        if (message.getOperationChanged().getOperation().getOutcome() == Outcome.OUTCOME_IN_PROGRESS) {
                            held = message;
                            return List.of();
                        }
                        if (message.hasOperationChanged() && held.getSeq() > 0) {
                            return List.of(message, held);
                        }
                        return List.of(message);
                    }
                },
                new Mutant("beats as fast as it can", "stream/heartbeat-floor") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        return message.hasHeartbeat() ? Collections.nCopies(20, message) : List.of(message);
                    }
                },
                new Mutant("beats only when asked", "stream/usual-heartbeat") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        return message.hasHeartbeat() ? List.of() : List.of(message);
                    }
                },
                new Mutant("does not tell that an override was lifted", "stream/ports") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        return message.getPortsChanged().getPortsList().stream()
                                        .anyMatch(p -> p.getOverride() == PortOverride.PORT_OVERRIDE_NONE)
                                ? List.of()
                                : List.of(message);
                    }
                },
                new Mutant("tells ports out of service as in service", "stream/ports") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        WatchResponse.Builder told = message.toBuilder();
                        if (!message.hasPortsChanged()) {
                            return List.of(message);
                        }
                        told.getPortsChangedBuilder()
                                .getPortsBuilderList()
                                .forEach(p -> p.setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE));
                        return List.of(told.build());
                    }
                },
                new Mutant("tells of foreign changes elsewhere", "foreign/told") {
                    private volatile WatchResponse foreign = WatchResponse.getDefaultInstance();

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        if (message.hasForeignChange()) {
                            foreign = message;
                        }
                        return message.hasCircuitsChanged() && foreign.hasForeignChange()
                                ? List.of(message, foreign)
                                : List.of(message);
                    }
                },
                new Mutant("raises alarms that are neither bad nor worse", "silence/told") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        WatchResponse.Builder told = message.toBuilder();
                        if (!message.hasAlarmChanged()) {
                            return List.of(message);
                        }
                        told.getAlarmChangedBuilder().getAlarmBuilder().clearSeverity();
                        return List.of(told.build());
                    }
                },
                new Mutant("does not tell since when an alarm stands", "silence/told") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        WatchResponse.Builder told = message.toBuilder();
                        if (!message.hasAlarmChanged()) {
                            return List.of(message);
                        }
                        told.getAlarmChangedBuilder().getAlarmBuilder().clearSince();
                        return List.of(told.build());
                    }
                },
                new Mutant("does not tell since when a device is silent", "silence/told") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        WatchResponse.Builder told = message.toBuilder();
                        if (!message.hasAvailabilityChanged()) {
                            return List.of(message);
                        }
                        told.getAvailabilityChangedBuilder().clearSince();
                        return List.of(told.build());
                    }
                },
                new Mutant("tells what failed of a device that answers", "silence/told") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        WatchResponse.Builder told = message.toBuilder();
                        if (!message.hasAvailabilityChanged()) {
                            return List.of(message);
                        }
                        told.getAvailabilityChangedBuilder().setDetail("no answer");
                        return List.of(told.build());
                    }
                },
                new Mutant("gives the snapshot of a device before it is back", "silence/told") {
                    private WatchResponse held = WatchResponse.getDefaultInstance();

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        if (message.getAvailabilityChanged().getAvailability() == Availability.AVAILABILITY_PRESENT) {
                            held = message;
                            return List.of();
                        }
                        if (message.hasSnapshot() && held.getSeq() > 0) {
                            return List.of(message, held);
                        }
                        return List.of(message);
                    }
                },
                new Mutant("gives the snapshot before it tells that power was lost", "reconnect/power-cycled") {
                    private WatchResponse held = WatchResponse.getDefaultInstance();

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        if (message.getSeq() == 1) {
                            held = message;
                        }
                        if (message.hasPowerCycled()) {
                            held = message;
                            return List.of();
                        }
                        if (message.hasSnapshot() && held.hasPowerCycled()) {
                            WatchResponse before = held;
                            held = message;
                            return List.of(message, before);
                        }
                        if (message.hasSnapshot() && held.hasSnapshot() && held.getSeq() > 1) {
                            return List.of();
                        }
                        return List.of(message);
                    }
                },
                new Mutant("ends the alarm of lost power with a change of nothing", "reconnect/power-cycled") {
                    private boolean changed;

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        changed = request.getConnectsCount() == 0;
                        return super.apply(request);
                    }

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        WatchResponse.Builder told = message.toBuilder();
                        if (!changed || !message.hasSnapshot()) {
                            return List.of(message);
                        }
                        told.getSnapshotBuilder().clearAlarms();
                        return List.of(told.build());
                    }
                },
                new Mutant("leaves out of its snapshots what is in progress", "operations/in-a-snapshot") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        WatchResponse.Builder told = message.toBuilder();
                        if (!message.hasSnapshot()) {
                            return List.of(message);
                        }
                        told.getSnapshotBuilder().clearOperations();
                        return List.of(told.build());
                    }
                });
    }
}
