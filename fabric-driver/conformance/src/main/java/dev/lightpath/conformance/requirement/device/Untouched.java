package dev.lightpath.conformance.requirement.device;

import static dev.lightpath.conformance.bench.Expect.equal;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.Roles;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Other devices of the same driver, before and after each kind of write to one. */
public final class Untouched {
    private static final int MOST = 32;

    private Untouched() {}

    public static List<Requirement> all() {
        return List.of(new Requirement(
                "neighbours/untouched",
                "ApplyCircuitsRequest.device_id; CircuitService",
                "A change, an override and a transfer of one device leave the circuits, ports and role of others as they are",
                Untouched::untouched));
    }

    /** What a write might change of a device by mistake. */
    private record Seen(String digest, String holdingRole, long highestEpoch, List<String> overridden) {}

    private static void untouched(Bench bench) {
        List<String> others = Neighbours.of(bench);
        Neighbours.allowed(bench, () -> {
            Map<String, Seen> before = quiet(bench, others);
            if (before.isEmpty()) {
                throw new Inapplicable("every other device is held by a role that may write to it meanwhile");
            }
            bench.change().make(0).apply();
            expectSame("a change of " + bench.deviceId(), before, bench);
            String port = bench.layout().circuit(0).getEgress();
            var unused = bench.override(port, PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
            expectSame("an override of port " + port + " of " + bench.deviceId(), before, bench);
            if (transferred(bench)) {
                expectSame("a transfer of " + bench.deviceId(), before, bench);
            }
        });
    }

    private static boolean transferred(Bench bench) {
        try {
            var unused = Roles.give(bench, bench.role(), bench.role() + "-other");
            return true;
        } catch (Inapplicable notAllowed) {
            return false;
        }
    }

    /** Devices to which nobody but the kit writes, as they are. */
    private static Map<String, Seen> quiet(Bench bench, List<String> others) {
        Map<String, Seen> quiet = new LinkedHashMap<>();
        others.stream()
                .limit(MOST)
                .forEach(id -> seen(bench, id)
                        .filter(s ->
                                s.holdingRole().isEmpty() || s.holdingRole().equals(bench.role()))
                        .ifPresent(s -> quiet.put(id, s)));
        return quiet;
    }

    private static void expectSame(String after, Map<String, Seen> before, Bench bench) {
        before.forEach((id, was) ->
                seen(bench, id).ifPresent(is -> equal(id + " after " + after + " as it was before,", was, is)));
    }

    /** Empty where the device does not answer just now. */
    private static Optional<Seen> seen(Bench bench, String id) {
        DeviceCircuits read = bench.calls()
                .circuits()
                .getCircuits(GetCircuitsRequest.newBuilder()
                        .addDevices(DeviceScope.newBuilder().setDeviceId(id))
                        .setSource(CircuitSource.CIRCUIT_SOURCE_HARDWARE)
                        .build())
                .getDevices(0);
        if (read.hasStaleSince()) {
            return Optional.empty();
        }
        List<String> overridden = bench
                .calls()
                .inventory()
                .getInventory(GetInventoryRequest.newBuilder().addDeviceIds(id).build())
                .getDevices(0)
                .getPortsList()
                .stream()
                .filter(p -> p.getOverride() != PortOverride.PORT_OVERRIDE_NONE)
                .map(Port::getName)
                .toList();
        return Optional.of(
                new Seen(read.getObservedDigest(), read.getHoldingRole(), read.getHighestEpoch(), overridden));
    }
}
