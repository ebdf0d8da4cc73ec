package dev.lightpath.driver;

import static dev.lightpath.driver.Requests.apply;
import static dev.lightpath.driver.Requests.errorInfo;
import static dev.lightpath.driver.Requests.fencing;
import static dev.lightpath.driver.Requests.key;
import static dev.lightpath.driver.Requests.scope;
import static dev.lightpath.driver.Requests.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.rpc.ErrorInfo;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc.CircuitServiceBlockingStub;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc.TelemetryServiceStub;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse.EventCase;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * What any driver must do, whatever its devices: only the contract is used. The device under test is an empty, one-sided
 * switch with ports "1" to "16" at least.
 */
abstract class DriverContract {
    static final String ROLE = "cluster-a/fabric-a";

    abstract CircuitServiceBlockingStub circuits();

    abstract TelemetryServiceStub telemetry();

    abstract String device();

    abstract void restartDriver() throws Exception;

    private ApplyCircuitsResponse send(ApplyCircuitsRequest.Builder request) {
        return circuits().applyCircuits(request.build());
    }

    private StatusRuntimeException refused(ApplyCircuitsRequest.Builder request) {
        StatusRuntimeException e = catchThrowableOfType(StatusRuntimeException.class, () -> send(request));
        assertThat(e).as("the request must be refused").isNotNull();
        return e;
    }

    private void assertRefused(ApplyCircuitsRequest.Builder request, Status.Code code, String reason) {
        StatusRuntimeException e = refused(request);
        assertThat(e.getStatus().getCode()).isEqualTo(code);
        ErrorInfo info = errorInfo(e);
        assertThat(info.getDomain()).isEqualTo("lightpath.dev");
        assertThat(info.getReason()).isEqualTo(reason);
    }

    DeviceCircuits read(Scope scope) {
        return circuits()
                .getCircuits(GetCircuitsRequest.newBuilder()
                        .addDevices(
                                DeviceScope.newBuilder().setDeviceId(device()).setScope(scope))
                        .setSource(CircuitSource.CIRCUIT_SOURCE_HARDWARE)
                        .build())
                .getDevices(0);
    }

    List<String> shown() {
        return read(Scope.newBuilder().setAllPorts(true).build()).getCircuitsList().stream()
                .map(c -> text(c.getKey()))
                .toList();
    }

    @Test
    void appliesAndReadsBack() {
        Operation done = send(apply(device(), ROLE, 1, "a")
                        .addConnects(key("1->9"))
                        .addConnects(key("2->10")))
                .getOperation();
        assertThat(done.getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(done.getItemsList())
                .allSatisfy(item -> assertThat(item.getState()).isEqualTo(ItemState.ITEM_STATE_CONNECTED));
        assertThat(shown()).containsExactly("1->9", "2->10");
        DeviceCircuits read = read(Scope.newBuilder().setAllPorts(true).build());
        assertThat(read.getObservedDigest()).isEqualTo(done.getObservedDigest());
        assertThat(read.getCircuits(0).getForeign()).isFalse();
        assertThat(read.getCircuits(0).getRole()).isEqualTo(ROLE);
        assertThat(read.getHoldingRole()).isEqualTo(ROLE);
    }

    @Test
    void digestIsTheHashOfTheLines() {
        send(apply(device(), ROLE, 1, "a").addConnects(key("1->9")));
        assertThat(read(scope("1")).getObservedDigest()).isEqualTo(sha256("1>9\n"));
        assertThat(read(scope("5")).getObservedDigest()).isEqualTo(sha256(""));
    }

    private static String sha256(String text) {
        try {
            return "sha256:"
                    + java.util.HexFormat.of()
                            .formatHex(java.security.MessageDigest.getInstance("SHA-256")
                                    .digest(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void sameOperationTwiceAnswersTheFirst() {
        var request = apply(device(), ROLE, 1, "a").addConnects(key("1->9"));
        Operation first = send(request).getOperation();
        send(apply(device(), ROLE, 1, "b").addDisconnects(key("1->9")));
        ApplyCircuitsResponse again = send(request);
        assertThat(again.getReplayed()).isTrue();
        assertThat(again.getOperation()).isEqualTo(first);
        assertThat(shown()).isEmpty();
    }

    @Test
    void sameOperationWithOtherContentIsInvalid() {
        send(apply(device(), ROLE, 1, "a").addConnects(key("1->9")));
        assertRefused(
                apply(device(), ROLE, 1, "a").addConnects(key("1->10")),
                Status.Code.INVALID_ARGUMENT,
                "OPERATION_ID_REUSED");
    }

    @Test
    void aNewLeaderMayRepeatItsPredecessorsOperation() {
        send(apply(device(), ROLE, 1, "a").addConnects(key("1->9")));
        assertThat(send(apply(device(), ROLE, 2, "a").addConnects(key("1->9"))).getReplayed())
                .isTrue();
    }

    @Test
    void refusesALowerEpochAlsoAfterARestart() throws Exception {
        send(apply(device(), ROLE, 7, "a").addConnects(key("1->9")));
        assertRefused(
                apply(device(), ROLE, 6, "b").addConnects(key("2->10")), Status.Code.PERMISSION_DENIED, "STALE_EPOCH");
        restartDriver();
        StatusRuntimeException e = refused(apply(device(), ROLE, 6, "b").addConnects(key("2->10")));
        assertThat(errorInfo(e).getReason()).isEqualTo("STALE_EPOCH");
        assertThat(errorInfo(e).getMetadataMap()).containsEntry("stored_epoch", "7");
        assertThat(shown()).containsExactly("1->9");
    }

    @Test
    void anEmptyApplyRaisesTheEpoch() {
        assertThat(send(apply(device(), ROLE, 9, "fence")).getOperation().getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        assertRefused(apply(device(), ROLE, 8, "b"), Status.Code.PERMISSION_DENIED, "STALE_EPOCH");
    }

    @Test
    void refusesAnotherRoleUntilTheDeviceIsTransferred() {
        send(apply(device(), ROLE, 5, "a").addConnects(key("1->9")));
        assertRefused(
                apply(device(), "other", 50, "b").addConnects(key("2->10")),
                Status.Code.PERMISSION_DENIED,
                "FOREIGN_ROLE");
        var given = circuits()
                .transferScope(TransferScopeRequest.newBuilder()
                        .setDeviceId(device())
                        .setFromRole(ROLE)
                        .setToRole("other")
                        .build());
        assertThat(given.getHoldingRole()).isEqualTo("other");
        assertThat(send(apply(device(), "other", 1, "b").addConnects(key("2->10")))
                        .getOperation()
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        assertRefused(apply(device(), ROLE, 99, "c"), Status.Code.PERMISSION_DENIED, "FOREIGN_ROLE");
    }

    @Test
    void comparesBeforeItSets() {
        String empty = read(Scope.newBuilder().setAllPorts(true).build()).getObservedDigest();
        send(apply(device(), ROLE, 1, "a").setExpectedObservedDigest(empty).addConnects(key("1->9")));
        assertRefused(
                apply(device(), ROLE, 1, "b").setExpectedObservedDigest(empty).addConnects(key("2->10")),
                Status.Code.FAILED_PRECONDITION,
                "DIGEST_DIFFERS");
        assertThat(shown()).containsExactly("1->9");
    }

    @Test
    void digestsCoverTheScopeOnly() {
        String before = read(scope("3", "11")).getObservedDigest();
        send(apply(device(), ROLE, 1, "a").addConnects(key("1->9")));
        assertThat(send(apply(device(), ROLE, 1, "b")
                                .setScope(scope("3", "11"))
                                .setExpectedObservedDigest(before)
                                .addConnects(key("3->11")))
                        .getOperation()
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    @Test
    void touchesNothingOutsideTheScope() {
        send(apply(device(), ROLE, 1, "a").addConnects(key("1->9")));
        assertRefused(
                apply(device(), ROLE, 1, "b").setScope(scope("2", "10")).addConnects(key("2->9")),
                Status.Code.INVALID_ARGUMENT,
                "OUTSIDE_SCOPE");
        assertRefused(
                apply(device(), ROLE, 1, "c")
                        .setScope(scope("2", "9"))
                        .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                        .addConnects(key("2->9")),
                Status.Code.FAILED_PRECONDITION,
                "PORT_IN_USE");
        assertThat(shown()).containsExactly("1->9");
    }

    @Test
    void neverUsesAPortTwice() {
        assertRefused(
                apply(device(), ROLE, 1, "a").addConnects(key("1->9")).addConnects(key("2->9")),
                Status.Code.INVALID_ARGUMENT,
                "PORT_USED_TWICE");
        assertRefused(
                apply(device(), ROLE, 1, "b").addConnects(key("1->9")).addConnects(key("9->3")),
                Status.Code.INVALID_ARGUMENT,
                "PORT_USED_TWICE");
        send(apply(device(), ROLE, 1, "c").addConnects(key("1->9")));
        assertRefused(
                apply(device(), ROLE, 1, "d").addConnects(key("2->9")), Status.Code.FAILED_PRECONDITION, "PORT_IN_USE");
        assertThat(shown()).containsExactly("1->9");
    }

    @Test
    void breaksBeforeItMakes() {
        send(apply(device(), ROLE, 1, "a").addConnects(key("1->9")).addConnects(key("2->10")));
        Operation swapped = send(apply(device(), ROLE, 1, "b")
                        .addDisconnects(key("1->9"))
                        .addDisconnects(key("2->"))
                        .addConnects(key("1->10"))
                        .addConnects(key("2->9")))
                .getOperation();
        assertThat(swapped.getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(shown()).containsExactly("1->10", "2->9");
    }

    @Test
    void updateReplacesOwnCircuits() {
        send(apply(device(), ROLE, 1, "a").addConnects(key("1->9")));
        Operation moved = send(apply(device(), ROLE, 1, "b")
                        .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                        .addConnects(key("2->9")))
                .getOperation();
        assertThat(moved.getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(moved.getItems(0).getImplied()).isTrue();
        assertThat(moved.getItems(0).getState()).isEqualTo(ItemState.ITEM_STATE_DARK);
        assertThat(shown()).containsExactly("2->9");
    }

    @Test
    void whatIsAlreadySoSucceeds() {
        send(apply(device(), ROLE, 1, "a").addConnects(key("1->9")));
        Operation again = send(apply(device(), ROLE, 1, "b")
                        .addDisconnects(key("3->11"))
                        .addConnects(key("1->9")))
                .getOperation();
        assertThat(again.getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(again.getItemsList())
                .allSatisfy(i -> assertThat(i.getReason()).isEqualTo(ItemReason.ITEM_REASON_ALREADY));
    }

    @Test
    void disconnectingAnotherCircuitThanThereIsMeansPlanAgain() {
        send(apply(device(), ROLE, 1, "a").addConnects(key("1->9")));
        assertRefused(
                apply(device(), ROLE, 1, "b").addDisconnects(key("1->10")),
                Status.Code.FAILED_PRECONDITION,
                "NO_SUCH_CIRCUIT");
    }

    @Test
    void validatingChangesAndRemembersNothing() {
        Operation checked = send(apply(device(), ROLE, 3, "a")
                        .setValidateOnly(true)
                        .addConnects(key("1->9")))
                .getOperation();
        assertThat(checked.getItems(0).getReason()).isEqualTo(ItemReason.ITEM_REASON_VALIDATE_ONLY);
        assertThat(shown()).isEmpty();
        StatusRuntimeException unknown = catchThrowableOfType(StatusRuntimeException.class, () -> operation("a"));
        assertThat(unknown.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
        assertThat(send(apply(device(), ROLE, 2, "b")).getOperation().getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        assertRefused(
                apply(device(), ROLE, 2, "c").setValidateOnly(true).addConnects(key("1->99999")),
                Status.Code.INVALID_ARGUMENT,
                "NO_SUCH_PORT");
    }

    @Test
    void refusesNonsense() {
        assertRefused(apply(device(), "", 1, "a"), Status.Code.INVALID_ARGUMENT, "MALFORMED");
        assertRefused(apply(device(), ROLE, 0, "a"), Status.Code.INVALID_ARGUMENT, "MALFORMED");
        assertRefused(apply(device(), ROLE, 1, ""), Status.Code.INVALID_ARGUMENT, "MALFORMED");
        assertRefused(apply(device(), ROLE, 1, "a").clearScope(), Status.Code.INVALID_ARGUMENT, "MALFORMED");
        assertRefused(
                apply(device(), ROLE, 1, "a").setScope(scope("1", "1")), Status.Code.INVALID_ARGUMENT, "MALFORMED");
        assertRefused(apply("no-such-device", ROLE, 1, "a"), Status.Code.NOT_FOUND, "NO_SUCH_DEVICE");
    }

    Operation operation(String id) {
        return circuits()
                .getOperation(GetOperationRequest.newBuilder()
                        .setDeviceId(device())
                        .setRole(ROLE)
                        .setOperationId(id)
                        .build())
                .getOperation();
    }

    @Test
    void remembersOperationsAcrossARestart() throws Exception {
        var request = apply(device(), ROLE, 1, "a").addConnects(key("1->9"));
        Operation done = send(request).getOperation();
        restartDriver();
        assertThat(operation("a")).isEqualTo(done);
        assertThat(send(request).getReplayed()).isTrue();
        assertThat(read(scope("1")).getCircuits(0).getForeign()).isFalse();
    }

    @Test
    void rollsBackWhatIsNotConfirmed() {
        send(apply(device(), ROLE, 1, "a").addConnects(key("1->9")));
        Operation tried = send(apply(device(), ROLE, 1, "b")
                        .setRollbackAfter(
                                com.google.protobuf.Duration.newBuilder().setNanos(300_000_000))
                        .addDisconnects(key("1->9"))
                        .addConnects(key("1->10")))
                .getOperation();
        assertThat(tried.hasConfirmBefore()).isTrue();
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> shown().equals(List.of("1->9")));
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> operation("b").getOutcome() == Outcome.OUTCOME_ROLLED_BACK);
    }

    @Test
    void keepsWhatIsConfirmed() {
        send(apply(device(), ROLE, 1, "a")
                .setRollbackAfter(com.google.protobuf.Duration.newBuilder().setSeconds(600))
                .addConnects(key("1->9")));
        assertRefused(apply(device(), ROLE, 1, "b"), Status.Code.ABORTED, "OPERATION_IN_FLIGHT");
        Operation kept = circuits()
                .confirmOperation(ConfirmOperationRequest.newBuilder()
                        .setDeviceId(device())
                        .setFencing(fencing(ROLE, 1))
                        .setOperationId("a")
                        .build())
                .getOperation();
        assertThat(kept.hasConfirmBefore()).isFalse();
        assertThat(send(apply(device(), ROLE, 1, "b")).getOperation().getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    @Test
    void cancelsWhatAwaitsItsConfirmation() {
        send(apply(device(), ROLE, 1, "a")
                .setRollbackAfter(com.google.protobuf.Duration.newBuilder().setSeconds(600))
                .addConnects(key("1->9")));
        var cancel = CancelOperationRequest.newBuilder()
                .setDeviceId(device())
                .setFencing(fencing(ROLE, 1))
                .setOperationId("a")
                .build();
        assertThat(circuits().cancelOperation(cancel).getOperation().getOutcome())
                .isEqualTo(Outcome.OUTCOME_ROLLED_BACK);
        assertThat(circuits().cancelOperation(cancel).getOperation().getOutcome())
                .isEqualTo(Outcome.OUTCOME_ROLLED_BACK);
        assertThat(shown()).isEmpty();
    }

    @Test
    void aHigherEpochRollsBackTheUnconfirmedOfALowerOne() {
        send(apply(device(), ROLE, 1, "a")
                .setRollbackAfter(com.google.protobuf.Duration.newBuilder().setSeconds(600))
                .addConnects(key("1->9")));
        send(apply(device(), ROLE, 2, "b").addConnects(key("2->10")));
        assertThat(operation("a").getOutcome()).isEqualTo(Outcome.OUTCOME_ROLLED_BACK);
        assertThat(shown()).containsExactly("2->10");
    }

    @Test
    void aPortOutOfServiceTakesNoNewCircuitAlsoAfterARestart() throws Exception {
        send(apply(device(), ROLE, 1, "a").addConnects(key("1->9")));
        circuits()
                .setPortOverride(SetPortOverrideRequest.newBuilder()
                        .setDeviceId(device())
                        .setFencing(fencing(ROLE, 1))
                        .setPort("9")
                        .setOverride(PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE)
                        .build());
        assertThat(shown()).containsExactly("1->9");
        send(apply(device(), ROLE, 1, "b").addDisconnects(key("1->9")));
        restartDriver();
        assertRefused(
                apply(device(), ROLE, 1, "c").addConnects(key("1->9")),
                Status.Code.FAILED_PRECONDITION,
                "PORT_OUT_OF_SERVICE");
    }

    @Test
    void plansWithoutChanging() {
        send(apply(device(), ROLE, 1, "a").addConnects(key("1->9")));
        var plan = circuits()
                .planCircuits(PlanCircuitsRequest.newBuilder()
                        .setDeviceId(device())
                        .setRole(ROLE)
                        .setScope(Scope.newBuilder().setAllPorts(true))
                        .addConnects(key("2->9"))
                        .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                        .build());
        assertThat(plan.getItemsList()).extracting(i -> text(i.getKey())).containsExactly("1->9", "2->9");
        Operation done = send(apply(device(), ROLE, 1, "b")
                        .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                        .setExpectedObservedDigest(plan.getObservedDigest())
                        .addConnects(key("2->9")))
                .getOperation();
        assertThat(done.getObservedDigest()).isEqualTo(plan.getPlannedDigest());
    }

    @Test
    void toleratesUnknownFields() {
        UnknownFieldSet unknown = UnknownFieldSet.newBuilder()
                .addField(
                        999,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFromUtf8("of a newer contract"))
                                .build())
                .build();
        assertThat(send(apply(device(), ROLE, 1, "a").addConnects(key("1->9")).setUnknownFields(unknown))
                        .getOperation()
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    @Test
    void aDeadlineSaysNothingAndGetOperationTells() {
        var late = circuits().withDeadlineAfter(1, java.util.concurrent.TimeUnit.MILLISECONDS);
        var request = apply(device(), ROLE, 1, "a").addConnects(key("1->9"));
        StatusRuntimeException e =
                catchThrowableOfType(StatusRuntimeException.class, () -> late.applyCircuits(request.build()));
        if (e != null) {
            assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        }
        Awaitility.await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> {
            Outcome outcome = send(request).getOperation().getOutcome();
            return outcome == Outcome.OUTCOME_APPLIED
                    && operation("a").getOutcome() == outcome
                    && shown().equals(List.of("1->9"));
        });
    }

    @Test
    void streamsASnapshotThenSyncedThenWhatHappens() throws Exception {
        send(apply(device(), ROLE, 1, "a").addConnects(key("1->9")));
        try (Watching watching = Watching.start(
                telemetry(),
                WatchRequest.newBuilder()
                        .addDevices(DeviceScope.newBuilder().setDeviceId(device()))
                        .setHeartbeatInterval(
                                com.google.protobuf.Duration.newBuilder().setNanos(100_000_000))
                        .build())) {
            watching.await(EventCase.SYNCED);
            assertThat(watching.messages().getFirst().getEventCase()).isEqualTo(EventCase.SNAPSHOT);
            assertThat(watching.digest(device()))
                    .isEqualTo(
                            read(Scope.newBuilder().setAllPorts(true).build()).getObservedDigest());
            Operation done = send(apply(device(), ROLE, 1, "b").addConnects(key("2->10")))
                    .getOperation();
            watching.awaitDigest(device(), done.getObservedDigest());
            watching.await(EventCase.OPERATION_CHANGED);
            watching.await(EventCase.HEARTBEAT);
            assertThat(watching.sequence()).isEqualTo(watching.expectedSequence());
        }
    }

    @Test
    void aStreamsDigestCoversItsScope() throws Exception {
        try (Watching watching = Watching.start(
                telemetry(),
                WatchRequest.newBuilder()
                        .addDevices(
                                DeviceScope.newBuilder().setDeviceId(device()).setScope(scope("1", "9")))
                        .build())) {
            watching.await(EventCase.SYNCED);
            send(apply(device(), ROLE, 1, "a").addConnects(key("2->10")));
            send(apply(device(), ROLE, 1, "b").addConnects(key("1->9")));
            watching.awaitDigest(device(), sha256("1>9\n"));
        }
    }

    @Test
    void aNewBootIdComesWithARestart() throws Exception {
        String before;
        try (Watching watching = Watching.start(telemetry(), WatchRequest.getDefaultInstance())) {
            watching.await(EventCase.SYNCED);
            before = watching.messages().getFirst().getBootId();
        }
        restartDriver();
        try (Watching watching = Watching.start(telemetry(), WatchRequest.getDefaultInstance())) {
            watching.await(EventCase.SYNCED);
            assertThat(watching.messages().getFirst().getBootId()).isNotEqualTo(before);
            assertThat(watching.messages().getFirst().getSeq()).isEqualTo(1);
        }
    }
}
