package dev.lightpath.driver;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.List;

/** Requests and errors in few words. */
final class Requests {
    private Requests() {}

    static CircuitKey key(String circuit) {
        int arrow = circuit.indexOf("->");
        return CircuitKey.newBuilder()
                .setIngress(circuit.substring(0, arrow))
                .setEgress(circuit.substring(arrow + 2))
                .build();
    }

    static String text(CircuitKey key) {
        return key.getIngress() + "->" + key.getEgress();
    }

    static Fencing fencing(String role, long epoch) {
        return Fencing.newBuilder()
                .setRole(role)
                .setEpoch(epoch)
                .setHolder("test")
                .build();
    }

    static Scope scope(String... ports) {
        return Scope.newBuilder().addAllPorts(List.of(ports)).build();
    }

    static ApplyCircuitsRequest.Builder apply(String device, String role, long epoch, String operation) {
        return ApplyCircuitsRequest.newBuilder()
                .setDeviceId(device)
                .setFencing(fencing(role, epoch))
                .setOperationId(operation)
                .setScope(Scope.newBuilder().setAllPorts(true));
    }

    static ErrorInfo errorInfo(StatusRuntimeException e) {
        com.google.rpc.Status status = StatusProto.fromThrowable(e);
        if (status == null) {
            throw new AssertionError("no status details", e);
        }
        try {
            for (var detail : status.getDetailsList()) {
                if (detail.is(ErrorInfo.class)) {
                    return detail.unpack(ErrorInfo.class);
                }
            }
        } catch (InvalidProtocolBufferException bad) {
            throw new AssertionError(bad);
        }
        throw new AssertionError("no ErrorInfo", e);
    }
}
