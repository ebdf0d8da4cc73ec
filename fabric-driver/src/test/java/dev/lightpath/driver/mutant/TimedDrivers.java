package dev.lightpath.driver.mutant;

import com.google.protobuf.Timestamp;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesResponse;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesResponse;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Correct drivers that take their time, or none. */
final class TimedDrivers {
    private TimedDrivers() {}

    static List<OtherDriver> all() {
        return List.of(
                OtherDriver.of(givingUp()).without("silence/in-the-middle"),
                OtherDriver.of(
                        slowToNotice(),
                        "silence/told",
                        "silence/last-read",
                        "silence/nothing-started",
                        "silence/in-the-middle"),
                OtherDriver.of(ofNoTimes(), "confirmation/too-late", "crash/unconfirmed", "confirmation/lapsed")
                        .of("slow-1", 450),
                OtherDriver.of(
                        answeringLate(),
                        "confirmation/too-late",
                        "confirmation/told-unasked",
                        "confirmation/lapsed",
                        "confirmation/lapsed-of-a-lower-epoch",
                        "crash/unconfirmed",
                        "crash/put-back-whole",
                        "crash/confirmed-stays"),
                OtherDriver.of(answeringLate(), "confirmation/lapsed").of("n1", 0.07),
                OtherDriver.of(ofARobot()).of("slow-1", 13).without("operations/higher-epoch-waits"),
                OtherDriver.of(ofARobot(), "operations/waiting-epoch-counts").of("slow-1", 13));
    }

    private static Instant instant(Timestamp time) {
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }

    /** As it may where max_switch_time is shorter than the kit's slow moves. */
    private static Mutant givingUp() {
        return new Mutant("gives up on a move of half a second", "") {
            private static final Duration LONGEST = Duration.ofMillis(500);

            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                ApplyCircuitsResponse answer = super.apply(request);
                return answer.toBuilder()
                        .setOperation(givenUp(answer.getOperation()))
                        .build();
            }

            @Override
            GetOperationResponse operation(GetOperationRequest request) {
                return GetOperationResponse.newBuilder()
                        .setOperation(givenUp(super.operation(request).getOperation()))
                        .build();
            }

            private Operation givenUp(Operation operation) {
                Instant end = operation.hasFinishedAt() ? instant(operation.getFinishedAt()) : Instant.now();
                boolean late = Duration.between(instant(operation.getAdmittedAt()), end)
                                .compareTo(LONGEST)
                        > 0;
                return late && operation.getItemsCount() > 0
                        ? operation.toBuilder()
                                .setOutcome(Outcome.OUTCOME_REJECTED)
                                .build()
                        : operation;
            }
        };
    }

    /** Of a device that tells nobody it is going: the contract leaves 40 s and more to find out. */
    private static Mutant slowToNotice() {
        return new Mutant("needs six seconds to notice that its device is silent", "") {
            private static final Duration UNNOTICED = Duration.ofSeconds(6);

            private Optional<Instant> since = Optional.empty();

            private synchronized Duration unnoticed() {
                since = since.or(() -> Optional.of(Instant.now()));
                return Duration.between(Instant.now(), since.get().plus(UNNOTICED));
            }

            private synchronized void heard() {
                since = Optional.empty();
            }

            private boolean isUnnoticed() {
                return unnoticed().isPositive();
            }

            private void waitForAnAnswer() {
                try {
                    Thread.sleep(Duration.ZERO.compareTo(unnoticed()) < 0 ? unnoticed() : Duration.ZERO);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }

            @Override
            GetCircuitsResponse circuits(GetCircuitsRequest request) {
                GetCircuitsResponse answer = super.circuits(request);
                if (answer.getDevicesCount() > 0 && answer.getDevices(0).hasStaleSince()) {
                    waitForAnAnswer();
                } else {
                    heard();
                }
                return answer;
            }

            @Override
            ListDevicesResponse devices(ListDevicesRequest request, ListDevicesResponse answer) {
                ListDevicesResponse.Builder other = answer.toBuilder();
                other.getDevicesBuilderList().stream()
                        .filter(d -> d.getAvailability() == Availability.AVAILABILITY_SILENT && isUnnoticed())
                        .forEach(d -> d.setAvailability(Availability.AVAILABILITY_PRESENT));
                return other.build();
            }

            @Override
            GetOperationResponse operation(GetOperationRequest request) {
                GetOperationResponse answer = super.operation(request);
                if (answer.getOperation().getOutcome() != Outcome.OUTCOME_UNKNOWN || !isUnnoticed()) {
                    return answer;
                }
                GetOperationResponse.Builder other = answer.toBuilder();
                other.getOperationBuilder()
                        .setOutcome(Outcome.OUTCOME_IN_PROGRESS)
                        .clearFinishedAt();
                return other.build();
            }

            @Override
            List<WatchResponse> told(WatchResponse message) {
                Availability availability = message.getAvailabilityChanged().getAvailability();
                if (availability == Availability.AVAILABILITY_SILENT) {
                    waitForAnAnswer();
                } else if (availability == Availability.AVAILABILITY_PRESENT) {
                    heard();
                }
                return List.of(message);
            }
        };
    }

    /**
     * They take longer than the shortest time for a confirmation that the kit gives, which counts from the admission.
     */
    private static Mutant ofNoTimes() {
        return new Mutant(
                "does not know how long its moves take, and puts back what took too long to be confirmed", "") {
            @Override
            GetCapabilitiesResponse capabilities(GetCapabilitiesRequest request, GetCapabilitiesResponse answer) {
                GetCapabilitiesResponse.Builder other = answer.toBuilder();
                other.getCapabilitiesBuilder().clearTypicalSwitchTime().clearMaxSwitchTime();
                return other.build();
            }

            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                ApplyCircuitsResponse answer = super.apply(request);
                while (isOverdue(answer.getOperation())) {
                    answer = super.apply(request);
                }
                return answer.toBuilder().setReplayed(false).build();
            }

            private boolean isOverdue(Operation operation) {
                return operation.hasConfirmBefore()
                        && instant(operation.getConfirmBefore()).isBefore(Instant.now());
            }
        };
    }

    /** Later than the kit gives it at first to be confirmed. */
    private static Mutant answeringLate() {
        return new Mutant("answers with what became of a change after a second", "") {
            private static final Duration LATE = Duration.ofMillis(1200);

            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                ApplyCircuitsResponse answer = super.apply(request);
                if (!request.hasRollbackAfter()) {
                    return answer;
                }
                try {
                    Thread.sleep(LATE);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                GetOperationRequest asked = GetOperationRequest.newBuilder()
                        .setDeviceId(request.getDeviceId())
                        .setRole(request.getFencing().getRole())
                        .setOperationId(request.getOperationId())
                        .build();
                return answer.toBuilder()
                        .setOperation(super.operation(asked).getOperation())
                        .build();
            }
        };
    }

    /** What waits for a move of it longer than 30 s is ABORTED. */
    private static Mutant ofARobot() {
        return new Mutant("needs half a minute for a move", "") {
            @Override
            GetCapabilitiesResponse capabilities(GetCapabilitiesRequest request, GetCapabilitiesResponse answer) {
                GetCapabilitiesResponse.Builder other = answer.toBuilder();
                other.getCapabilitiesBuilder()
                        .getMaxSwitchTimeBuilder()
                        .setSeconds(60)
                        .setNanos(0);
                return other.build();
            }
        };
    }
}
