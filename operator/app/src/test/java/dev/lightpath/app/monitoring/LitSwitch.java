package dev.lightpath.app.monitoring;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;

/** Makes one circuit on the switch of {@link Scrapes}, so that its loss is measured. */
final class LitSwitch {
    private LitSwitch() {}

    static void light(int port) {
        ManagedChannel channel = Grpc.newChannelBuilderForAddress(
                        "127.0.0.1", port, InsecureChannelCredentials.create())
                .build();
        try {
            Outcome outcome = CircuitServiceGrpc.newBlockingStub(channel)
                    .applyCircuits(ApplyCircuitsRequest.newBuilder()
                            .setDeviceId("ocs-0")
                            .setOperationId("light")
                            .setFencing(Fencing.newBuilder().setRole("tests").setEpoch(1))
                            .setScope(Scope.newBuilder().setAllPorts(true))
                            .addConnects(CircuitKey.newBuilder().setIngress("1").setEgress("2"))
                            .build())
                    .getOperation()
                    .getOutcome();
            if (outcome != Outcome.OUTCOME_APPLIED) {
                throw new IllegalStateException("the switch answered " + outcome);
            }
        } finally {
            channel.shutdownNow();
        }
    }
}
