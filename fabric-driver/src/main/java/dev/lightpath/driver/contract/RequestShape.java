package dev.lightpath.driver.contract;

import com.google.rpc.Code;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.contract.view.PortMap;
import dev.lightpath.driver.contract.view.ScopeFilter;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyOrder;
import dev.lightpath.proto.driver.v1alpha1.Atomicity;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks of a request that do not need the device's circuits. */
final class RequestShape {
    private static final int MAX_NAME_CHARS = 128;
    private static final long MAX_ROLLBACK_SECONDS = Duration.ofHours(1).toSeconds();

    private RequestShape() {}

    static void check(ApplyCircuitsRequest request) {
        check(request.getFencing());
        name("operation_id", request.getOperationId());
        check(request.getScope());
        known("conflict_policy", request.getConflictPolicy() != ConflictPolicy.UNRECOGNIZED);
        known("atomicity", request.getAtomicity() != Atomicity.UNRECOGNIZED);
        known("order", request.getOrder() != ApplyOrder.UNRECOGNIZED);
        if (request.hasRollbackAfter()
                && (request.getRollbackAfter().getSeconds() < 0
                        || request.getRollbackAfter().getNanos() < 0
                        || request.getRollbackAfter().getSeconds() > MAX_ROLLBACK_SECONDS)) {
            throw ContractException.malformed("rollback_after", "allowed are 0 s to 3600 s");
        }
    }

    static void check(Fencing fencing) {
        name("fencing.role", fencing.getRole());
        if (fencing.getEpoch() == 0) {
            throw ContractException.malformed("fencing.epoch", "allowed is 1 and above");
        }
        if (fencing.getHolder().length() > MAX_NAME_CHARS) {
            throw ContractException.malformed("fencing.holder", "allowed are up to 128 characters");
        }
    }

    static void check(Scope scope) {
        if (scope.getAllPorts() == (scope.getPortsCount() > 0)) {
            throw ContractException.malformed("scope", "either all_ports is true or ports has names");
        }
        Set<String> seen = new HashSet<>();
        for (String port : scope.getPortsList()) {
            if (!seen.add(port)) {
                throw ContractException.malformed("scope.ports", "'" + port + "' is there twice");
            }
        }
    }

    static void name(String field, String value) {
        if (value.isEmpty() || value.length() > MAX_NAME_CHARS) {
            throw ContractException.malformed(field, "allowed are 1 to 128 characters, got " + value.length());
        }
    }

    private static void known(String field, boolean known) {
        if (!known) {
            throw ContractException.malformed(field, "a value this driver does not know");
        }
    }

    /** Batch size, ports, sides, scope, and no port twice within the request. */
    static void check(
            List<CircuitKey> disconnects,
            List<CircuitKey> connects,
            Scope scope,
            PortMap ports,
            Capabilities capabilities) {
        int items = disconnects.size() + connects.size();
        if (capabilities.getMaxBatch() > 0 && items > capabilities.getMaxBatch()) {
            throw new ContractException(
                    Code.RESOURCE_EXHAUSTED,
                    ErrorReason.ERROR_REASON_BATCH_TOO_LARGE,
                    items + " items, and the device takes " + capabilities.getMaxBatch() + " at a time",
                    Map.of("max_batch", Integer.toString(capabilities.getMaxBatch())));
        }
        scope.getPortsList().forEach(ports::requirePort);
        ScopeFilter filter = ScopeFilter.of(scope);
        Set<String> broken = new HashSet<>();
        for (CircuitKey key : disconnects) {
            ports.requirePort(key.getIngress());
            inside(filter, key.getIngress());
            if (!key.getEgress().isEmpty()) {
                ports.requirePort(key.getEgress());
                inside(filter, key.getEgress());
            }
            if (!broken.add(key.getIngress())) {
                throw ContractException.invalid(
                        ErrorReason.ERROR_REASON_PORT_USED_TWICE,
                        "the request disconnects ingress '" + key.getIngress() + "' twice",
                        Map.of("port", key.getIngress()));
            }
        }
        List<CircuitPair> wanted = connects.stream().map(CircuitPair::of).toList();
        for (CircuitPair pair : wanted) {
            ports.requirePossible(pair);
            inside(filter, pair.ingress());
            inside(filter, pair.egress());
        }
        ports.requireDisjoint(wanted);
    }

    private static void inside(ScopeFilter filter, String port) {
        if (!filter.covers(port)) {
            throw ContractException.invalid(
                    ErrorReason.ERROR_REASON_OUTSIDE_SCOPE,
                    "port '" + port + "' is outside the request's scope",
                    Map.of("port", port));
        }
    }
}
