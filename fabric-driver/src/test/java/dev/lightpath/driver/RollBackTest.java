package dev.lightpath.driver;

import static dev.lightpath.driver.Requests.apply;
import static dev.lightpath.driver.Requests.errorInfo;
import static dev.lightpath.driver.Requests.fencing;
import static dev.lightpath.driver.Requests.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.util.Durations;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Atomicity;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.emulator.v1alpha1.ConnectionState;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetConnectionsRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.proto.emulator.v1alpha1.PortPair;
import dev.lightpath.proto.emulator.v1alpha1.SetConnectionsRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is put back: all that was changed, and nothing else. */
final class RollBackTest {
    private static final String SLOW = "slow-1";
    /** Makes a circuit on ports that others use, and breaks those. */
    private static final String REPLACING = "piezo-1";

    private static final String NODE = "node-1";
    private static final String LOOP = "b0.common->b0.loop";
    private static final String PATH_1 = "b0.common->b0.path1";
    private static final String PATH_2 = "b0.common->b0.path2";
    private static final String OTHERS_LOOP = "b1.common->b1.loop";
    private static final String SCENARIO = """
            listen: 127.0.0.1:0
            seed: 7
            presets:
              sluggish: {extends: mems, moveMillis: [400, 500]}
              eager: {extends: piezo, maxBatch: 4}
            devices:
              - {id: slow-1, kind: switch, ports: 16, preset: sluggish}
              - {id: piezo-1, kind: switch, ports: 16, preset: eager}
              - {id: node-1, kind: transceivers, modules: 2}
            """;
    private static final String ROLE = "r";

    @TempDir
    private Path state;

    private EmulatedPlant plant;

    @BeforeEach
    void start() throws Exception {
        plant = EmulatedPlant.of(state, SCENARIO, 3);
    }

    @AfterEach
    void stop() {
        plant.close();
    }

    /** From here on what devices begin is under way until the test lets time pass. */
    private void hold() throws Exception {
        plant.close();
        plant = EmulatedPlant.held(state.resolve("held"), SCENARIO, 3);
    }

    @Test
    void cancellingWhatNobodySawTheEndOfMakesAgainWhatItBroke() throws Exception {
        lostInTheMiddle(Duration.ofMinutes(10));

        Operation cancelled = plant.passUntil(beside(() -> cancel(NODE, "swap")));

        assertThat(plant.truth(NODE)).containsExactly(PATH_1, OTHERS_LOOP);
        assertThat(cancelled.getOutcome()).isEqualTo(Outcome.OUTCOME_ROLLED_BACK);
        assertThat(cancelled.getItemsList())
                .extracting(ItemResult::getState)
                .containsOnly(ItemState.ITEM_STATE_ROLLED_BACK);
    }

    @Test
    void whatNobodySawTheEndOfIsMadeAgainWhenItsTimeIsOver() throws Exception {
        lostInTheMiddle(Duration.ofMillis(1200));

        await().until(() -> {
            plant.pass();
            return !operation(NODE, "swap").hasConfirmBefore();
        });

        assertThat(plant.truth(NODE)).containsExactly(PATH_1, OTHERS_LOOP);
        assertThat(operation(NODE, "swap").getOutcome()).isEqualTo(Outcome.OUTCOME_ROLLED_BACK);
    }

    /**
     * One path is replaced by the other, and the line is lost while the selector moves. Nobody hears of its arrival.
     */
    private void lostInTheMiddle(Duration rollbackAfter) throws Exception {
        hold();
        plant.passUntil(beside(() ->
                done(apply(NODE, ROLE, 1, "first").addDisconnects(key(LOOP)).addConnects(key(PATH_1)))));
        ApplyCircuitsRequest swap = apply(NODE, ROLE, 1, "swap")
                .addDisconnects(key(PATH_1))
                .addConnects(key(PATH_2))
                .setRollbackAfter(Durations.fromMillis(rollbackAfter.toMillis()))
                .build();
        CompletableFuture<Operation> answer =
                beside(() -> plant.circuits().applyCircuits(swap).getOperation());
        awaitMoving(NODE, "b0.path2");
        plant.inject(NODE, FaultKind.FAULT_KIND_CALL_REFUSED);
        assertThat(plant.passUntil(answer).getOutcome()).isEqualTo(Outcome.OUTCOME_UNKNOWN);
        assertThat(plant.truth(NODE)).containsExactly(PATH_2, OTHERS_LOOP);
        plant.clearFaults();
    }

    private static <T> CompletableFuture<T> beside(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, Thread::startVirtualThread);
    }

    private void awaitMoving(String device, String egress) {
        await().until(() -> plant
                .hardware()
                .getConnections(
                        GetConnectionsRequest.newBuilder().setDeviceId(device).build())
                .getConnectionsList()
                .stream()
                .anyMatch(
                        c -> c.getEgress().equals(egress) && c.getState() == ConnectionState.CONNECTION_STATE_TUNING));
    }

    @Test
    void aCancellationInWhoseMiddleTheLineWasLostIsNoEndAndIsRepeated() throws Exception {
        hold();
        plant.passUntil(beside(() -> done(apply(SLOW, ROLE, 1, "first").addConnects(key("1->7")))));
        plant.passUntil(beside(
                () -> done(unconfirmed(SLOW, "swap").addDisconnects(key("1->7")).addConnects(key("1->8")))));
        CompletableFuture<StatusRuntimeException> answer =
                beside(() -> refused(() -> assertThat(cancel(SLOW, "swap")).isNull()));
        awaitMoving(SLOW, "7");
        plant.inject(SLOW, FaultKind.FAULT_KIND_CALL_REFUSED);
        assertThat(errorInfo(plant.passUntil(answer)).getReason()).isEqualTo("DEVICE_SILENT");
        plant.clearFaults();

        assertThat(plant.passUntil(beside(() -> cancel(SLOW, "swap"))).getOutcome())
                .isEqualTo(Outcome.OUTCOME_ROLLED_BACK);
        assertThat(plant.truth(SLOW)).containsExactly("1->7");
    }

    @Test
    void aCircuitThatSomebodyMadeMeanwhileIsNotBrokenToPutBackAnother() {
        done(apply(REPLACING, ROLE, 1, "first").addConnects(key("1->7")));
        done(unconfirmed(REPLACING, "swap").addDisconnects(key("1->7")).addConnects(key("1->8")));
        byHand(REPLACING, "2", "7");

        Operation cancelled = cancel(REPLACING, "swap");

        assertThat(plant.truth(REPLACING)).containsExactly("2->7");
        assertThat(cancelled.getOutcome()).isEqualTo(Outcome.OUTCOME_PARTIAL);
        assertThat(cancelled.hasConfirmBefore()).isFalse();
        assertThat(cancelled.getItemsList())
                .extracting(ItemResult::getState)
                .containsExactly(ItemState.ITEM_STATE_DARK, ItemState.ITEM_STATE_ROLLED_BACK);
    }

    @Test
    void aForeignCircuitThatIsPutBackStaysForeign() throws Exception {
        byHand(REPLACING, "1", "7");
        assertThat(only(REPLACING).getForeign()).isTrue();
        done(unconfirmed(REPLACING, "taken")
                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                .addConnects(key("1->8")));
        plant.restartDriver();
        await().until(() -> !shown(REPLACING).getDevices(0).hasStaleSince());

        assertThat(cancel(REPLACING, "taken").getOutcome()).isEqualTo(Outcome.OUTCOME_ROLLED_BACK);

        assertForeign("1->7");
        plant.restartDriver();
        await().until(() -> !shown(REPLACING).getDevices(0).hasStaleSince());
        assertForeign("1->7");
    }

    @Test
    void aForeignCircuitIsForeignAfterAllOrNothing() {
        byHand(REPLACING, "1", "7");
        plant.inject(InjectFaultRequest.newBuilder()
                .setDeviceId(REPLACING)
                .setPort("9")
                .setKind(FaultKind.FAULT_KIND_DEAD_ELEMENT));

        Operation failed = plant.circuits()
                .applyCircuits(apply(REPLACING, ROLE, 1, "taken")
                        .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                        .setAtomicity(Atomicity.ATOMICITY_ALL_OR_NOTHING)
                        .addConnects(key("1->8"))
                        .addConnects(key("3->9"))
                        .build())
                .getOperation();

        assertThat(failed.getOutcome()).isEqualTo(Outcome.OUTCOME_ROLLED_BACK);
        assertForeign("1->7");
    }

    private void assertForeign(String circuit) {
        assertThat(plant.truth(REPLACING)).containsExactly(circuit);
        assertThat(only(REPLACING).getForeign()).as("foreign").isTrue();
        assertThat(only(REPLACING).getRole()).isEmpty();
        assertThat(only(REPLACING).getOperationId()).isEmpty();
        var update = apply(REPLACING, ROLE, 1, "update-" + System.nanoTime())
                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                .setValidateOnly(true)
                .addConnects(key("1->10"))
                .build();
        assertThat(errorInfo(refused(() -> plant.circuits().applyCircuits(update)))
                        .getReason())
                .isEqualTo("PORT_IN_USE");
    }

    @Test
    void whatIsPutBackIsOfTheOperationThatMadeItAndAPowerOnPositionIsNobodys() {
        done(apply(REPLACING, ROLE, 1, "first").addConnects(key("1->7")));
        done(unconfirmed(REPLACING, "swap").addDisconnects(key("1->7")).addConnects(key("1->8")));
        var unused = cancel(REPLACING, "swap");
        assertThat(only(REPLACING).getOperationId()).isEqualTo("first");

        done(unconfirmed(NODE, "path").addDisconnects(key(LOOP)).addConnects(key(PATH_1)));
        unused = cancel(NODE, "path");
        Circuit loop = shown(NODE).getDevices(0).getCircuits(0);
        assertThat(loop.getKey()).isEqualTo(key(LOOP));
        assertThat(loop.getForeign()).isFalse();
        assertThat(loop.getRole()).isEmpty();
    }

    @Test
    void whatWasPutBackInPartIsNotConfirmed() {
        done(unconfirmed(REPLACING, "made").addConnects(key("1->7")).addConnects(key("2->8")));
        plant.inject(InjectFaultRequest.newBuilder()
                .setDeviceId(REPLACING)
                .setPort("7")
                .setKind(FaultKind.FAULT_KIND_STUCK_ELEMENT));
        assertThat(cancel(REPLACING, "made").getOutcome()).isEqualTo(Outcome.OUTCOME_PARTIAL);

        assertThat(errorInfo(refused(
                                () -> assertThat(confirm(REPLACING, "made")).isNull()))
                        .getReason())
                .isEqualTo("NOT_PENDING");
    }

    @Test
    void confirmingInPartIsIdempotentToo() {
        plant.inject(InjectFaultRequest.newBuilder()
                .setDeviceId(REPLACING)
                .setPort("9")
                .setKind(FaultKind.FAULT_KIND_DEAD_ELEMENT));
        Operation partial = plant.circuits()
                .applyCircuits(unconfirmed(REPLACING, "half")
                        .addConnects(key("1->7"))
                        .addConnects(key("3->9"))
                        .build())
                .getOperation();
        assertThat(partial.getOutcome()).isEqualTo(Outcome.OUTCOME_PARTIAL);

        Operation kept = confirm(REPLACING, "half");
        assertThat(kept.hasConfirmBefore()).isFalse();
        assertThat(confirm(REPLACING, "half")).isEqualTo(kept);
    }

    @Test
    void moreIsBrokenAndMadeAgainThanTheDeviceTakesAtATime() {
        done(apply(REPLACING, ROLE, 1, "some")
                .addConnects(key("1->9"))
                .addConnects(key("2->10"))
                .addConnects(key("3->11")));
        done(apply(REPLACING, ROLE, 1, "others")
                .addConnects(key("4->12"))
                .addConnects(key("5->13"))
                .addConnects(key("6->14")));
        done(unconfirmed(REPLACING, "joined")
                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                .addConnects(key("1->2"))
                .addConnects(key("3->4"))
                .addConnects(key("5->6")));
        assertThat(plant.truth(REPLACING)).containsExactly("1->2", "3->4", "5->6");

        assertThat(cancel(REPLACING, "joined").getOutcome()).isEqualTo(Outcome.OUTCOME_ROLLED_BACK);
        assertThat(plant.truth(REPLACING)).containsExactly("1->9", "2->10", "3->11", "4->12", "5->13", "6->14");
    }

    private static ApplyCircuitsRequest.Builder unconfirmed(String device, String id) {
        return apply(device, ROLE, 1, id).setRollbackAfter(Durations.fromMinutes(10));
    }

    private Operation done(ApplyCircuitsRequest.Builder change) {
        Operation operation = plant.circuits().applyCircuits(change.build()).getOperation();
        assertThat(operation.getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        return operation;
    }

    private void byHand(String device, String ingress, String egress) {
        var unused = plant.hardware()
                .setConnections(SetConnectionsRequest.newBuilder()
                        .setDeviceId(device)
                        .addConnects(PortPair.newBuilder().setIngress(ingress).setEgress(egress))
                        .build());
        await().until(() -> plant.truth(device).contains(ingress + "->" + egress));
    }

    private Operation cancel(String device, String id) {
        return plant.circuits()
                .cancelOperation(CancelOperationRequest.newBuilder()
                        .setDeviceId(device)
                        .setFencing(fencing(ROLE, 1))
                        .setOperationId(id)
                        .build())
                .getOperation();
    }

    private Operation confirm(String device, String id) {
        return plant.circuits()
                .confirmOperation(ConfirmOperationRequest.newBuilder()
                        .setDeviceId(device)
                        .setFencing(fencing(ROLE, 1))
                        .setOperationId(id)
                        .build())
                .getOperation();
    }

    private Operation operation(String device, String id) {
        return plant.circuits()
                .getOperation(GetOperationRequest.newBuilder()
                        .setDeviceId(device)
                        .setRole(ROLE)
                        .setOperationId(id)
                        .build())
                .getOperation();
    }

    private GetCircuitsResponse shown(String device) {
        return plant.circuits()
                .getCircuits(GetCircuitsRequest.newBuilder()
                        .addDevices(DeviceScope.newBuilder().setDeviceId(device))
                        .build());
    }

    private Circuit only(String device) {
        var circuits = shown(device).getDevices(0).getCircuitsList();
        assertThat(circuits).hasSize(1);
        return circuits.getFirst();
    }

    private static StatusRuntimeException refused(Runnable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call::run);
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }
}
