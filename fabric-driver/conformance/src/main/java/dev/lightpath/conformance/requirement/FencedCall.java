package dev.lightpath.conformance.requirement;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** A fenced call that is no change of circuits and, let through, does nothing. */
public record FencedCall(String name, BiConsumer<Bench, Fencing> call) {
    private static final String NO_OPERATION = "none-of-this-name";

    public static List<FencedCall> all(Bench bench) {
        return Stream.concat(
                        Stream.of(new FencedCall("SetPortOverride", FencedCall::lift)),
                        ofUnknownOperations(bench).stream())
                .toList();
    }

    /** Those that name an operation nobody admitted; none where the device's operations await no confirmation. */
    public static List<FencedCall> ofUnknownOperations(Bench bench) {
        return bench.device().capabilities().getConfirmedCommit()
                ? List.of(
                        new FencedCall("ConfirmOperation", (b, fencing) -> confirm(b, fencing, NO_OPERATION)),
                        new FencedCall("CancelOperation", (b, fencing) -> cancel(b, fencing, NO_OPERATION)))
                : List.of();
    }

    public void send(Bench bench, Fencing fencing) {
        call.accept(bench, fencing);
    }

    private static void lift(Bench bench, Fencing fencing) {
        var unused = bench.calls()
                .circuits()
                .setPortOverride(SetPortOverrideRequest.newBuilder()
                        .setDeviceId(bench.deviceId())
                        .setFencing(fencing)
                        .setPort(bench.layout().circuit(0).getEgress())
                        .setOverride(PortOverride.PORT_OVERRIDE_NONE)
                        .build());
    }

    public static void confirm(Bench bench, Fencing fencing, String id) {
        var unused = bench.calls()
                .circuits()
                .confirmOperation(ConfirmOperationRequest.newBuilder()
                        .setDeviceId(bench.deviceId())
                        .setFencing(fencing)
                        .setOperationId(id)
                        .build());
    }

    public static void cancel(Bench bench, Fencing fencing, String id) {
        var unused = bench.calls()
                .circuits()
                .cancelOperation(CancelOperationRequest.newBuilder()
                        .setDeviceId(bench.deviceId())
                        .setFencing(fencing)
                        .setOperationId(id)
                        .build());
    }

    @Override
    public String toString() {
        return name;
    }
}
