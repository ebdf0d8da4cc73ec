package dev.lightpath.driver.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.crash.CrashPlant.DriverStoppedException;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.awaitility.Awaitility;

/**
 * A client that does one thing after the other, and when the driver stops does what the contract tells it to: ask what
 * became of the operation, repeat it if nobody knows it, plan again if it is not in place.
 */
final class Story {
    private final CrashPlant plant;

    Story(CrashPlant plant) {
        this.plant = plant;
    }

    /** Applies until it is in place. */
    void apply(ApplyCircuitsRequest request) throws Exception {
        Set<String> before = plant.truth(request.getDeviceId());
        try {
            Operation done = plant.call(driver -> driver.applyCircuits(request)).getOperation();
            assertThat(done.getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
            assertTruth(done);
        } catch (DriverStoppedException stopped) {
            plant.restart();
            Optional<Operation> known = known(request);
            if (known.isEmpty()) {
                assertThat(plant.truth(request.getDeviceId()))
                        .as("light of an operation nobody knows")
                        .isEqualTo(before);
                apply(request);
                return;
            }
            Operation told = known.get();
            assertTruth(told);
            assertThat(plant.call(driver -> driver.applyCircuits(request)).getOperation())
                    .isEqualTo(told);
            if (told.getOutcome() != Outcome.OUTCOME_APPLIED) {
                if (told.hasConfirmBefore()) {
                    cancel(request);
                }
                apply(request.toBuilder()
                        .setOperationId(request.getOperationId() + "-again")
                        .build());
            }
        }
    }

    /** The operation, resolved; empty when the driver never admitted it. */
    private Optional<Operation> known(ApplyCircuitsRequest request) throws DriverStoppedException {
        try {
            return Optional.of(Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(
                            () -> operation(request, request.getOperationId()),
                            o -> o.getOutcome() != Outcome.OUTCOME_IN_PROGRESS
                                    && o.getOutcome() != Outcome.OUTCOME_UNKNOWN));
        } catch (StatusRuntimeException unknown) {
            assertThat(unknown.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
            return Optional.empty();
        }
    }

    private Operation operation(ApplyCircuitsRequest request, String operationId) throws DriverStoppedException {
        return plant.call(driver -> driver.getOperation(GetOperationRequest.newBuilder()
                        .setDeviceId(request.getDeviceId())
                        .setRole(request.getFencing().getRole())
                        .setOperationId(operationId)
                        .build()))
                .getOperation();
    }

    /** Each item says what light really does. */
    private void assertTruth(Operation operation) {
        Set<String> truth = plant.truth(operation.getDeviceId());
        for (ItemResult item : operation.getItemsList()) {
            CircuitKey key = item.getKey();
            boolean lit = truth.contains(key.getIngress() + "->" + key.getEgress());
            boolean saysLit = item.getState() == ItemState.ITEM_STATE_CONNECTED
                    || (item.getAction() == ItemAction.ITEM_ACTION_DISCONNECT
                            && (item.getState() == ItemState.ITEM_STATE_ROLLED_BACK
                                    || item.getState() == ItemState.ITEM_STATE_FAILED));
            assertThat(lit).as("%s of %s, light is %s", key, operation, truth).isEqualTo(saysLit);
        }
        boolean inPlace = operation.getItemsList().stream()
                .allMatch(i ->
                        i.getState() == ItemState.ITEM_STATE_CONNECTED || i.getState() == ItemState.ITEM_STATE_DARK);
        assertThat(operation.getOutcome() == Outcome.OUTCOME_APPLIED)
                .as("APPLIED means in place: %s", operation)
                .isEqualTo(inPlace);
    }

    /** Confirms until it is confirmed. */
    void confirm(ApplyCircuitsRequest request) throws Exception {
        var confirm = ConfirmOperationRequest.newBuilder()
                .setDeviceId(request.getDeviceId())
                .setFencing(request.getFencing())
                .setOperationId(lastId(request))
                .build();
        Operation kept;
        try {
            kept = plant.call(driver -> driver.confirmOperation(confirm)).getOperation();
        } catch (DriverStoppedException stopped) {
            plant.restart();
            kept = plant.call(driver -> driver.confirmOperation(confirm)).getOperation();
        }
        assertThat(kept.getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(kept.hasConfirmBefore()).isFalse();
        assertTruth(kept);
    }

    /** Cancels until it is rolled back. */
    void cancel(ApplyCircuitsRequest request) throws Exception {
        var cancel = CancelOperationRequest.newBuilder()
                .setDeviceId(request.getDeviceId())
                .setFencing(request.getFencing())
                .setOperationId(lastId(request))
                .build();
        Operation cancelled;
        try {
            cancelled = plant.call(driver -> driver.cancelOperation(cancel)).getOperation();
        } catch (DriverStoppedException stopped) {
            plant.restart();
            cancelled = plant.call(driver -> driver.cancelOperation(cancel)).getOperation();
        }
        assertThat(cancelled.getOutcome()).isEqualTo(Outcome.OUTCOME_ROLLED_BACK);
        assertThat(cancelled.hasConfirmBefore()).isFalse();
        assertTruth(cancelled);
    }

    private String lastId(ApplyCircuitsRequest request) throws Exception {
        try {
            return lastKnown(request);
        } catch (DriverStoppedException stopped) {
            plant.restart();
            return lastKnown(request);
        }
    }

    private String lastKnown(ApplyCircuitsRequest request) throws DriverStoppedException {
        String again = request.getOperationId() + "-again";
        try {
            return operation(request, again).getOperationId();
        } catch (StatusRuntimeException unknown) {
            return request.getOperationId();
        }
    }

    /** Says something about a port until it is stored. */
    void override(SetPortOverrideRequest request) throws Exception {
        try {
            var unused = plant.call(driver -> driver.setPortOverride(request));
        } catch (DriverStoppedException stopped) {
            plant.restart();
            var unused = plant.call(driver -> driver.setPortOverride(request));
        }
    }

    /** Gives the device away until it is given; FOREIGN_ROLE of a repetition says that it already was. */
    void transfer(TransferScopeRequest request) throws Exception {
        try {
            var unused = plant.call(driver -> driver.transferScope(request));
        } catch (DriverStoppedException stopped) {
            plant.restart();
            try {
                var unused = plant.call(driver -> driver.transferScope(request));
            } catch (StatusRuntimeException given) {
                assertThat(given.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
            }
        }
    }
}
