package dev.lightpath.driver.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lightpath.driver.crash.CrashPlant.DriverStoppedException;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Atomicity;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Wherever the driver stops - before or after any record it writes, before, during or after any call of a device - its
 * successor on the same files ends where an undisturbed driver ends.
 */
@Order(1)
final class CrashPointTest {
    private static final String SWITCH = "ocs-1";
    private static final String NODE = "node-1";
    private static final String ROLE = "cluster/fabric";
    private static final String NEXT_ROLE = "cluster/next";
    private static final Set<String> NEIGHBOURS_PORTS = Set.of("6", "12");

    @TempDir
    private Path directory;

    /** Where a story ends. */
    private record End(Set<String> ofSwitch, Set<String> ofNode, String holdingRole, long epoch, String refusal) {}

    private interface Steps {
        void tell(Story story) throws Exception;
    }

    private static ApplyCircuitsRequest.Builder change(String device, long epoch, String id, String... ports) {
        return ApplyCircuitsRequest.newBuilder()
                .setDeviceId(device)
                .setFencing(fencing(epoch))
                .setOperationId(id)
                .setScope(Scope.newBuilder().addAllPorts(List.of(ports)));
    }

    private static Fencing fencing(long epoch) {
        return Fencing.newBuilder()
                .setRole(ROLE)
                .setEpoch(epoch)
                .setHolder("leader-" + epoch)
                .build();
    }

    private static CircuitKey key(String ingress, String egress) {
        return CircuitKey.newBuilder().setIngress(ingress).setEgress(egress).build();
    }

    private static final String[] OURS = {"1", "2", "3", "7", "8", "9"};

    private static ApplyCircuitsRequest stage() {
        return change(SWITCH, 1, "stage", OURS)
                .addConnects(key("1", "7"))
                .addConnects(key("2", "8"))
                .build();
    }

    @Test
    void stagesOfCircuitsSurviveEveryCrash() throws Exception {
        everywhere(story -> {
            story.apply(stage());
            story.apply(change(SWITCH, 1, "swap", OURS)
                    .addDisconnects(key("1", "7"))
                    .addDisconnects(key("2", "8"))
                    .addConnects(key("1", "8"))
                    .addConnects(key("2", "9"))
                    .build());
            story.apply(change(SWITCH, 1, "take-over", OURS)
                    .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                    .setAtomicity(Atomicity.ATOMICITY_ALL_OR_NOTHING)
                    .addConnects(key("3", "8"))
                    .build());
        });
    }

    @Test
    void loopbackAndPathsOfATransceiverSurviveEveryCrash() throws Exception {
        everywhere(story -> {
            story.apply(change(NODE, 1, "path", "b0.common", "b0.loop", "b0.path1", "b0.path2")
                    .addDisconnects(key("b0.common", "b0.loop"))
                    .addConnects(key("b0.common", "b0.path1"))
                    .build());
            story.apply(change(NODE, 1, "other-path", "b0.common", "b0.loop", "b0.path1", "b0.path2")
                    .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                    .addConnects(key("b0.common", "b0.path2"))
                    .build());
            story.apply(change(NODE, 1, "loopback", "b0.common", "b0.loop", "b0.path1", "b0.path2")
                    .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                    .addConnects(key("b0.common", "b0.loop"))
                    .build());
        });
    }

    @Test
    void confirmationsSurviveEveryCrash() throws Exception {
        ApplyCircuitsRequest kept = change(SWITCH, 1, "kept", OURS)
                .setRollbackAfter(com.google.protobuf.Duration.newBuilder().setSeconds(600))
                .addDisconnects(key("1", "7"))
                .addConnects(key("1", "9"))
                .build();
        ApplyCircuitsRequest dropped = change(SWITCH, 1, "dropped", OURS)
                .setRollbackAfter(com.google.protobuf.Duration.newBuilder().setSeconds(600))
                .addDisconnects(key("2", "8"))
                .addConnects(key("2", "7"))
                .build();
        everywhere(story -> {
            story.apply(stage());
            story.apply(kept);
            story.confirm(kept);
            story.apply(dropped);
            story.cancel(dropped);
        });
    }

    @Test
    void overridesAndHandOversOfTheEpochSurviveEveryCrash() throws Exception {
        everywhere(story -> {
            story.apply(stage());
            story.override(SetPortOverrideRequest.newBuilder()
                    .setDeviceId(SWITCH)
                    .setFencing(fencing(1))
                    .setPort("9")
                    .setOverride(PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE)
                    .build());
            story.apply(change(SWITCH, 2, "fence", OURS).build());
            story.apply(change(SWITCH, 3, "next-leader", OURS)
                    .addDisconnects(key("1", "7"))
                    .addConnects(key("3", "7"))
                    .build());
            story.transfer(TransferScopeRequest.newBuilder()
                    .setDeviceId(SWITCH)
                    .setFromRole(ROLE)
                    .setToRole(NEXT_ROLE)
                    .build());
        });
    }

    /** Tells the story undisturbed, then once for each moment at which the driver can stop. */
    private void everywhere(Steps steps) throws Exception {
        CrashPoint never = new CrashPoint(0);
        End undisturbed = told(steps, never, "undisturbed");
        List<String> stops = new ArrayList<>();
        for (int moment = 1; ; moment++) {
            CrashPoint crash = new CrashPoint(moment);
            End end = told(steps, crash, "crash-" + moment);
            if (!crash.crashed().isDone()) {
                break;
            }
            stops.add(crash.crashed().join());
            assertThat(end)
                    .as("stopped at moment %d, %s", moment, stops.getLast())
                    .isEqualTo(undisturbed);
        }
        assertThat(stops)
                .as("moments at which the driver stopped")
                .contains("before a record", "after a record")
                .anyMatch(s -> s.startsWith("before reading"))
                .anyMatch(s -> s.startsWith("during"))
                .hasSizeGreaterThan(20);
    }

    private End told(Steps steps, CrashPoint crash, String name) throws Exception {
        try (CrashPlant plant = new CrashPlant(directory.resolve(name), new CrashPoint(0))) {
            plant.call(driver -> driver.applyCircuits(change(SWITCH, 1, "neighbour", "6", "12")
                    .addConnects(key("6", "12"))
                    .build()));
            plant.restartInto(crash);
            try {
                steps.tell(new Story(plant));
            } catch (DriverStoppedException late) {
                plant.restart();
            }
            plant.settle();
            LightHistory.assertNoPortUsedTwice(plant.history());
            LightHistory.assertUntouched(plant.history(), SWITCH, NEIGHBOURS_PORTS);
            return end(plant);
        }
    }

    private static End end(CrashPlant plant) throws DriverStoppedException {
        var held = plant.call(driver -> driver.getCircuits(GetCircuitsRequest.newBuilder()
                        .addDevices(DeviceScope.newBuilder().setDeviceId(SWITCH))
                        .build()))
                .getDevices(0);
        StatusRuntimeException refused = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> plant.call(driver -> driver.applyCircuits(change(SWITCH, 1, "late", OURS)
                        .setFencing(fencing(3).toBuilder().setRole(held.getHoldingRole()))
                        .setValidateOnly(true)
                        .addConnects(key("3", "9"))
                        .build())));
        Status.Code code =
                refused == null ? Status.Code.OK : refused.getStatus().getCode();
        return new End(
                plant.truth(SWITCH), plant.truth(NODE), held.getHoldingRole(), held.getHighestEpoch(), code.name());
    }
}
