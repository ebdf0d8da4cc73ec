package dev.lightpath.driver.server;

import com.google.rpc.Code;
import dev.lightpath.driver.config.Access;
import dev.lightpath.driver.contract.ContractException;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import io.grpc.Context;
import java.util.List;
import java.util.Map;

/** Who calls, and what the rules grant. Without TLS everyone is admin. */
record Caller(String name, List<Access.Rule> rules) {
    static final Caller ANYONE = new Caller("plaintext", List.of(new Access.Rule("", Access.ADMIN, List.of("*"))));
    static final Context.Key<Caller> KEY = Context.keyWithDefault("lightpath-caller", ANYONE);

    Caller {
        rules = List.copyOf(rules);
    }

    static Caller current() {
        return KEY.get();
    }

    boolean may(Access access, String deviceId) {
        return rules.stream().anyMatch(r -> r.access().compareTo(access) >= 0 && r.covers(deviceId));
    }

    /** True when any rule grants anything: such a caller may ask who the driver is. */
    boolean isKnown() {
        return !rules.isEmpty();
    }

    /** @throws ContractException PERMISSION_DENIED, reason NOT_AUTHORISED */
    void require(Access access, String deviceId) {
        if (!may(access, deviceId)) {
            throw new ContractException(
                    Code.PERMISSION_DENIED,
                    ErrorReason.ERROR_REASON_NOT_AUTHORISED,
                    "'" + name + "' is not " + access + " of " + deviceId,
                    Map.of("device_id", deviceId));
        }
    }
}
