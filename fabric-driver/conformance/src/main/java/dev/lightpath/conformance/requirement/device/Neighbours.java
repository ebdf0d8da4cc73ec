package dev.lightpath.conformance.requirement.device;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.bench.Unmet;
import dev.lightpath.conformance.requirement.NoSuchDevice;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Other devices of the same driver, which are looked at and never changed. */
public final class Neighbours {
    private static final int WIDEST_STEP = 1 << 20;
    private static final int MOST_ASKED = 4;

    private Neighbours() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "neighbours/operations",
                        "ApplyCircuitsRequest.operation_id",
                        "Operation ids are names within a device: another device does not know it",
                        Neighbours::operations),
                new Requirement(
                        "neighbours/epochs",
                        "Fencing",
                        "The epoch that a write raises on one device is not raised on another",
                        Neighbours::epochs));
    }

    /**
     * Names of the other devices that are there.
     *
     * @throws Inapplicable when there are none
     */
    public static List<String> of(Bench bench) {
        List<String> others = Inventory.devices(bench).stream()
                .filter(d -> d.getAvailability() == Availability.AVAILABILITY_PRESENT)
                .map(Device::getDeviceId)
                .filter(id -> !id.equals(bench.deviceId()))
                .toList();
        if (others.isEmpty()) {
            throw new Inapplicable("the driver shows no other device that answers");
        }
        return others;
    }

    /** Does what names another device, unless the kit's certificate does not name it. */
    public static void allowed(Bench bench, Runnable calls) {
        Optional<Refusal> refusal = Refusal.ofCall(calls);
        if (bench.terms().certified()
                && refusal.filter(NoSuchDevice::isNotAuthorised).isPresent()) {
            throw new Inapplicable("the certificate is not for the other devices");
        }
        that(refusal.isEmpty(), "calls that name two devices to be answered", refusal);
    }

    private static void operations(Bench bench) {
        String other = of(bench).getFirst();
        String id = bench.change().make(0).apply().getOperationId();
        Optional<Refusal> refusal = Refusal.ofCall(() -> {
            var unused = bench.calls()
                    .circuits()
                    .getOperation(GetOperationRequest.newBuilder()
                            .setDeviceId(other)
                            .setRole(bench.role())
                            .setOperationId(id)
                            .build());
        });
        that(
                refusal.filter(r ->
                                r.code() == Status.Code.NOT_FOUND && r.reason().equals("NO_SUCH_OPERATION")
                                        || bench.terms().certified() && NoSuchDevice.isNotAuthorised(r))
                        .isPresent(),
                "GetOperation of " + other + " for an operation of " + bench.deviceId()
                        + " to be refused with NOT_FOUND, reason NO_SUCH_OPERATION",
                refusal.map(Refusal::toString).orElse("it was answered"));
    }

    /** By a step that nobody takes by chance. */
    private static void epochs(Bench bench) {
        List<String> others = of(bench);
        long before = bench.epoch();
        bench.raiseEpoch(ThreadLocalRandom.current().nextInt(WIDEST_STEP / 2, WIDEST_STEP));
        bench.change().apply();
        equal(
                "devices besides " + bench.deviceId() + " with the epoch " + bench.epoch() + " of role " + bench.role(),
                List.of(),
                Inventory.devices(bench).stream()
                        .filter(d -> others.contains(d.getDeviceId()))
                        .filter(d -> d.getHighestEpoch() == bench.epoch()
                                && d.getHoldingRole().equals(bench.role()))
                        .map(Device::getDeviceId)
                        .toList());
        others.stream().limit(MOST_ASKED).forEach(other -> expectNotRaised(bench, other, before));
    }

    /**
     * A check of nothing, which a driver that keeps one epoch for all its devices refuses as stale. It takes no device.
     */
    private static void expectNotRaised(Bench bench, String other, long before) {
        Change check = bench.change()
                .epoch(before)
                .validateOnly()
                .edit(r -> r.setDeviceId(other).getScopeBuilder().clear().setAllPorts(true));
        String raised = Long.toUnsignedString(bench.epoch());
        if (!validates(bench, other)) {
            return;
        }
        String holding = holdingRole(bench, other);
        Refusal.ofCall(() -> {
                    var unused = bench.calls().circuits().applyCircuits(check.request());
                })
                .filter(r -> raised.equals(r.metadata().get("stored_epoch")))
                .ifPresent(r -> {
                    throw new Unmet(
                            other + " to have an epoch of its own, for " + raised + " was written to "
                                    + bench.deviceId() + " alone",
                            r.toString());
                });
        if (holding.isEmpty()) {
            that(
                    !holdingRole(bench, other).equals(bench.role()),
                    other + " held by nobody still, for validate_only changes nothing",
                    "held by " + bench.role());
        }
    }

    private static boolean validates(Bench bench, String other) {
        boolean[] validates = {false};
        var unused = Refusal.ofCall(() -> validates[0] = bench.calls()
                .identity()
                .getCapabilities(
                        GetCapabilitiesRequest.newBuilder().setDeviceId(other).build())
                .getCapabilities()
                .getValidateOnly());
        return validates[0];
    }

    private static String holdingRole(Bench bench, String other) {
        return Inventory.devices(bench).stream()
                .filter(d -> d.getDeviceId().equals(other))
                .findFirst()
                .map(Device::getHoldingRole)
                .orElse("");
    }
}
