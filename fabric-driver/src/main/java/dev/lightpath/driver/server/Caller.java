package dev.lightpath.driver.server;

import com.google.rpc.Code;
import dev.lightpath.driver.config.Access;
import dev.lightpath.driver.contract.Writer;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.serving.tls.PeerNames;
import io.grpc.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The caller, and what the rules in force grant. Without TLS every caller is admin.
 *
 * @param name for people
 * @param sans names of the certificate as rules write them
 */
record Caller(String name, Set<String> sans, AccessRules rules) {
    private static final Access.Rule EVERYTHING =
            new Access.Rule("plaintext", Access.ADMIN, List.of(Access.ALL), Optional.of(List.of(Access.ALL)));
    static final Caller ANYONE =
            new Caller("plaintext", Set.of(EVERYTHING.san()), new AccessRules(List.of(EVERYTHING)));
    static final Context.Key<Caller> KEY = Context.keyWithDefault("lightpath-caller", ANYONE);

    Caller {
        sans = Set.copyOf(sans);
    }

    /**
     * The caller on the other side of a connection, named by the DNS names and URIs of its certificate. Names of other
     * kinds grant nothing.
     */
    static Caller of(@Nullable SSLSession session, AccessRules rules) {
        PeerNames peer = PeerNames.of(session);
        SortedMap<String, String> names = new TreeMap<>();
        peer.dns().forEach(name -> names.put(Access.dns(name), name));
        peer.uris().forEach(name -> names.put(Access.uri(name), name));
        return new Caller(names.isEmpty() ? "no name" : String.join(",", names.values()), names.keySet(), rules);
    }

    static Caller current() {
        return KEY.get();
    }

    /** What the rules grant now. */
    List<Access.Rule> granted() {
        return rules.inForce().stream().filter(r -> sans.contains(r.san())).toList();
    }

    boolean may(Access access, String deviceId) {
        return granted().stream().anyMatch(r -> r.access().compareTo(access) >= 0 && r.covers(deviceId));
    }

    /** Whether it may read what is told of all devices together. */
    boolean mayReadAll() {
        return may(Access.READER, Access.ALL);
    }

    /** True when any rule grants anything: such a caller may read the driver's identity. */
    boolean isKnown() {
        return !granted().isEmpty();
    }

    /** @throws ContractException PERMISSION_DENIED, reason NOT_AUTHORISED */
    void require(Access access, String deviceId) {
        if (!may(access, deviceId)) {
            throw denied("'" + name + "' is not " + access + " of " + deviceId, deviceId);
        }
    }

    /**
     * The caller as a writer under a fencing role.
     *
     * @throws ContractException PERMISSION_DENIED, reason NOT_AUTHORISED, when no rule lets it write to the device
     *     under the role, or only rules of others name the role
     */
    Writer writer(String deviceId, Fencing fencing) {
        require(Access.WRITER, deviceId);
        String role = fencing.getRole();
        List<Access.Rule> writing = granted().stream()
                .filter(r -> r.access().compareTo(Access.WRITER) >= 0 && r.covers(deviceId))
                .toList();
        if (writing.stream().anyMatch(r -> r.names(role))) {
            return Writer.of(name);
        }
        Optional<String> claim = writing.stream()
                .filter(r -> r.fencingRoles().isEmpty())
                .map(Access.Rule::san)
                .findFirst();
        if (claim.isEmpty() || rules.inForce().stream().anyMatch(r -> r.names(role))) {
            throw denied(
                    "'" + name + "' may not write to " + deviceId + " under role '" + role
                            + "': its fencingRoles in driver.yaml do not name it",
                    deviceId);
        }
        return new Writer(name, claim);
    }

    private static ContractException denied(String message, String deviceId) {
        return new ContractException(
                Code.PERMISSION_DENIED,
                ErrorReason.ERROR_REASON_NOT_AUTHORISED,
                message,
                Map.of("device_id", deviceId));
    }
}
