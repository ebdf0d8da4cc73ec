package dev.lightpath.conformance.requirement;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Refusal;
import io.grpc.Status;
import java.util.Optional;

/** A device that no driver has. */
public final class NoSuchDevice {
    public static final String NAME = "no-such-device";

    private NoSuchDevice() {}

    /** A call that names it is NOT_FOUND, or, to a client whose certificate names its devices, PERMISSION_DENIED. */
    public static void refuses(Bench bench, String name, Runnable call) {
        Optional<Refusal> refusal = Refusal.ofCall(call);
        if (bench.terms().certified()
                && refusal.filter(NoSuchDevice::isNotAuthorised).isPresent()) {
            return;
        }
        that(
                refusal.filter(r ->
                                r.code() == Status.Code.NOT_FOUND && r.reason().equals("NO_SUCH_DEVICE"))
                        .isPresent(),
                name + " of a device that is not there to be refused with NOT_FOUND, reason NO_SUCH_DEVICE",
                refusal.map(Refusal::toString).orElse("it was accepted"));
        refusal.ifPresent(r -> equal("metadata device_id", NAME, r.detail("device_id")));
    }

    public static boolean isNotAuthorised(Refusal refusal) {
        return refusal.code() == Status.Code.PERMISSION_DENIED
                && refusal.reason().equals("NOT_AUTHORISED");
    }
}
