package dev.lightpath.sim.wire;

import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.sim.core.fault.Fault;
import dev.lightpath.sim.core.fault.FaultRequest;
import java.util.Arrays;

/** Faults as messages and back. */
final class FaultCodec {
    private static final String PREFIX = "FAULT_KIND_";

    private final Codec codec;

    FaultCodec(Codec codec) {
        this.codec = codec;
    }

    /** @throws IllegalArgumentException when the kind is unset or of a newer contract */
    static dev.lightpath.sim.core.fault.FaultKind kind(FaultKind kind) {
        if (kind == FaultKind.UNRECOGNIZED) {
            throw new IllegalArgumentException(
                    "this emulator does not know that kind of fault; it knows " + String.join(", ", names()));
        }
        if (kind == FaultKind.FAULT_KIND_UNSPECIFIED) {
            throw new IllegalArgumentException("kind is not set, it must be one of " + String.join(", ", names()));
        }
        return dev.lightpath.sim.core.fault.FaultKind.valueOf(kind.name().substring(PREFIX.length()));
    }

    static FaultRequest request(InjectFaultRequest request) {
        String where = switch (request.getWhereCase()) {
            case PORT -> request.getPort();
            case PATH -> request.getPath();
            case MODULE -> request.getModule();
            case WHERE_NOT_SET -> "";
        };
        return new FaultRequest(
                request.getDeviceId(),
                where,
                kind(request.getKind()),
                request.getValue(),
                request.getDurationMillis(),
                request.getOtherPort());
    }

    dev.lightpath.proto.emulator.v1alpha1.Fault fault(Fault fault) {
        FaultRequest asked = fault.request();
        InjectFaultRequest.Builder request = InjectFaultRequest.newBuilder()
                .setDeviceId(asked.deviceId())
                .setKind(FaultKind.valueOf(PREFIX + asked.kind().name()))
                .setValue(fault.value())
                .setDurationMillis(asked.durationMillis())
                .setOtherPort(asked.otherPort());
        if (!asked.where().isEmpty()) {
            if (asked.where().contains("->")) {
                request.setPath(asked.where());
            } else if (fault.ports().size() > 1) {
                request.setModule(asked.where());
            } else {
                request.setPort(asked.where());
            }
        }
        return dev.lightpath.proto.emulator.v1alpha1.Fault.newBuilder()
                .setFaultId(fault.id())
                .setFault(request)
                .setSince(codec.at(fault.sinceNanos()))
                .build();
    }

    private static Iterable<String> names() {
        return Arrays.stream(dev.lightpath.sim.core.fault.FaultKind.values())
                .map(kind -> PREFIX + kind.name())
                .toList();
    }
}
