package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.MoveConcurrency;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Correct drivers that confirm or cancel otherwise what runs still, or whose moves come one after the other. */
final class OtherEnds {
    private static final String[] EARLY = {
        "operations/confirmed-while-it-runs",
        "operations/cancelled-while-it-runs",
        "operations/not-pending-while-it-runs"
    };
    private static final long PAUSE_NANOS = 20_000_000;

    private OtherEnds() {}

    static List<OtherDriver> all() {
        return List.of(
                OtherDriver.of(waiting(), EARLY),
                OtherDriver.of(refusing(), EARLY),
                OtherDriver.of(promising(), EARLY),
                OtherDriver.of(tellingEnds()).of("n1", 0.07).without(EARLY),
                OtherDriver.of(oneByOne(), "circuits/all-at-once")
                        .of("slow-1", 450)
                        .within(Duration.ofSeconds(2))
                        .without("circuits/many"));
    }

    private static Mutant waiting() {
        return new Mutant("waits for the end of what it is to confirm or to cancel", "") {
            @Override
            ConfirmOperationResponse confirm(ConfirmOperationRequest request) {
                return inTurn(() -> super.confirm(request));
            }

            @Override
            CancelOperationResponse cancel(CancelOperationRequest request) {
                return inTurn(() -> super.cancel(request));
            }

            private <A> A inTurn(Supplier<A> call) {
                while (true) {
                    try {
                        return call.get();
                    } catch (StatusRuntimeException e) {
                        if (!Answers.isFor(e, "OPERATION_IN_FLIGHT")) {
                            throw e;
                        }
                        LockSupport.parkNanos(PAUSE_NANOS);
                    }
                }
            }
        };
    }

    private static Mutant refusing() {
        return new Mutant("awaits no confirmation before the end", "") {
            @Override
            ConfirmOperationResponse confirm(ConfirmOperationRequest request) {
                return ended(() -> super.confirm(request));
            }

            @Override
            CancelOperationResponse cancel(CancelOperationRequest request) {
                return ended(() -> super.cancel(request));
            }

            private <A> A ended(Supplier<A> call) {
                try {
                    return call.get();
                } catch (StatusRuntimeException e) {
                    throw Answers.isFor(e, "OPERATION_IN_FLIGHT")
                            ? Answers.refused(Status.Code.FAILED_PRECONDITION, "NOT_PENDING")
                            : e;
                }
            }
        };
    }

    private static Mutant promising() {
        return new Mutant("takes a confirmation at any time", "") {
            private final Set<String> kept = ConcurrentHashMap.newKeySet();

            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                ApplyCircuitsResponse answer = super.apply(request);
                if (!kept.remove(request.getOperationId())) {
                    return answer;
                }
                ConfirmOperationResponse confirmed = super.confirm(ConfirmOperationRequest.newBuilder()
                        .setDeviceId(request.getDeviceId())
                        .setFencing(request.getFencing())
                        .setOperationId(request.getOperationId())
                        .build());
                return answer.toBuilder().setOperation(confirmed.getOperation()).build();
            }

            @Override
            ConfirmOperationResponse confirm(ConfirmOperationRequest request) {
                Operation present = operation(GetOperationRequest.newBuilder()
                                .setDeviceId(request.getDeviceId())
                                .setRole(request.getFencing().getRole())
                                .setOperationId(request.getOperationId())
                                .build())
                        .getOperation();
                if (present.getOutcome() != Outcome.OUTCOME_IN_PROGRESS) {
                    return super.confirm(request);
                }
                kept.add(request.getOperationId());
                return ConfirmOperationResponse.newBuilder()
                        .setOperation(present.toBuilder().clearConfirmBefore())
                        .build();
            }
        };
    }

    /** Nobody sees an operation of it in progress. */
    private static Mutant tellingEnds() {
        return new Mutant("answers GetOperation when the operation has ended", "") {
            @Override
            GetOperationResponse operation(GetOperationRequest request) {
                GetOperationResponse answer = super.operation(request);
                while (answer.getOperation().getOutcome() == Outcome.OUTCOME_IN_PROGRESS) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                    answer = super.operation(request);
                }
                return answer;
            }
        };
    }

    private static Mutant oneByOne() {
        return new Mutant("makes one move after the other, each of half a second", "") {
            @Override
            GetCapabilitiesResponse capabilities(GetCapabilitiesRequest request, GetCapabilitiesResponse answer) {
                GetCapabilitiesResponse.Builder other = answer.toBuilder();
                other.getCapabilitiesBuilder().setMoveConcurrency(MoveConcurrency.MOVE_CONCURRENCY_SERIAL);
                return other.build();
            }
        };
    }
}
