package dev.lightpath.conformance.requirement.change;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.refused;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.device.Ports;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import io.grpc.Status;
import java.util.List;

/** Ports that a person took out of service. */
public final class Overrides {
    private static final String SECTION = "CircuitService.SetPortOverride";

    private Overrides() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "override/no-new-circuit",
                        SECTION + "; ERROR_REASON_PORT_OUT_OF_SERVICE",
                        "A port out of service gets no new circuit until the override is lifted",
                        Overrides::noNewCircuit),
                new Requirement(
                        "override/light-stays",
                        "PORT_OVERRIDE_OUT_OF_SERVICE",
                        "Light on a port taken out of service stays, may be asked for again, and can be broken",
                        Overrides::lightStays),
                new Requirement(
                        "override/shown",
                        "Port.override",
                        "The inventory shows the override and the administrative state",
                        Overrides::shown),
                new Requirement(
                        "override/unspecified",
                        "PORT_OVERRIDE_UNSPECIFIED",
                        "An unspecified override, an unknown port and a reason longer than 256 characters are refused",
                        Overrides::unspecified),
                new Requirement(
                        "override/shutter",
                        "Capabilities.shutter",
                        "SHUTTERED keeps a circuit and refuses new ones; without a shutter it stores nothing",
                        Overrides::shutter));
    }

    private static void noNewCircuit(Bench bench) {
        for (String port : List.of(
                bench.layout().circuit(0).getIngress(),
                bench.layout().circuit(0).getEgress())) {
            equal(
                    "override",
                    PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE,
                    bench.override(port, PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE));
            for (ConflictPolicy policy : Ports.POLICIES) {
                var refusal = bench.change()
                        .policy(policy)
                        .make(0)
                        .refused(
                                "a circuit at port " + port + ", out of service, by " + policy,
                                Status.Code.FAILED_PRECONDITION,
                                "PORT_OUT_OF_SERVICE");
                equal("metadata port", port, refusal.detail("port"));
            }
            var unused = bench.override(port, PortOverride.PORT_OVERRIDE_NONE);
        }
        bench.change().make(0).apply();
        bench.expectMade(0);
    }

    private static void lightStays(Bench bench) {
        bench.change().make(0).apply();
        var unused = bench.override(bench.layout().circuit(0).getEgress(), PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
        bench.expectMade(0);
        bench.change().connect(bench.layout().circuit(0)).apply();
        bench.expectMade(0);
        bench.change().unmake(0).apply();
        bench.expectMade();
    }

    private static void shown(Bench bench) {
        String name = bench.layout().circuit(0).getEgress();
        var unused = bench.override(name, PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
        Port port = port(bench, name);
        equal("override of the port", PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE, port.getOverride());
        equal("admin_state of the port", PortAdminState.PORT_ADMIN_STATE_OUT_OF_SERVICE, port.getAdminState());
    }

    private static Port port(Bench bench, String name) {
        return bench
                .calls()
                .inventory()
                .getInventory(GetInventoryRequest.newBuilder()
                        .addDeviceIds(bench.deviceId())
                        .build())
                .getDevices(0)
                .getPortsList()
                .stream()
                .filter(p -> p.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void unspecified(Bench bench) {
        refused(
                "an unspecified override",
                () -> {
                    var unused = bench.override(
                            bench.layout().circuit(0).getEgress(), PortOverride.PORT_OVERRIDE_UNSPECIFIED);
                },
                Status.Code.INVALID_ARGUMENT,
                "MALFORMED");
        refused(
                "an override of an unknown port",
                () -> {
                    var unused = bench.overrideOnce("no-such-port", PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
                },
                Status.Code.INVALID_ARGUMENT,
                "NO_SUCH_PORT");
        refused(
                "an override whose reason has 257 characters",
                () -> because(bench, "x".repeat(257)),
                Status.Code.INVALID_ARGUMENT,
                "MALFORMED");
        because(bench, "x".repeat(256));
        because(bench, "\u00e9".repeat(256));
    }

    /** Lifts what is not there, for a reason. */
    private static void because(Bench bench, String reason) {
        var unused = bench.calls()
                .circuits()
                .setPortOverride(SetPortOverrideRequest.newBuilder()
                        .setDeviceId(bench.deviceId())
                        .setFencing(bench.fencing())
                        .setPort(bench.layout().circuit(0).getEgress())
                        .setOverride(PortOverride.PORT_OVERRIDE_NONE)
                        .setReason(reason)
                        .build());
    }

    private static void shutter(Bench bench) {
        if (bench.device().capabilities().getShutter()) {
            shuttered(bench);
        } else {
            unshuttered(bench);
        }
    }

    private static void shuttered(Bench bench) {
        String name = bench.layout().circuit(0).getEgress();
        bench.change().make(0).apply();
        equal(
                "override",
                PortOverride.PORT_OVERRIDE_SHUTTERED,
                bench.override(name, PortOverride.PORT_OVERRIDE_SHUTTERED));
        Port closed = port(bench, name);
        equal("override of the port", PortOverride.PORT_OVERRIDE_SHUTTERED, closed.getOverride());
        equal("admin_state of the port", PortAdminState.PORT_ADMIN_STATE_OUT_OF_SERVICE, closed.getAdminState());
        bench.expectMade(0);
        bench.change().unmake(0).apply();
        var unused = bench.change()
                .make(0)
                .refused("a circuit at a closed shutter", Status.Code.FAILED_PRECONDITION, "PORT_OUT_OF_SERVICE");
        equal("override", PortOverride.PORT_OVERRIDE_NONE, bench.override(name, PortOverride.PORT_OVERRIDE_NONE));
        bench.change().make(0).apply();
        bench.expectMade(0);
    }

    private static void unshuttered(Bench bench) {
        var refusal = refused(
                "SHUTTERED without a shutter",
                () -> {
                    var unused =
                            bench.override(bench.layout().circuit(0).getEgress(), PortOverride.PORT_OVERRIDE_SHUTTERED);
                },
                Status.Code.FAILED_PRECONDITION,
                "NOT_SUPPORTED");
        equal("metadata capability", "shutter", refusal.detail("capability"));
        equal(
                "override after the refusal",
                PortOverride.PORT_OVERRIDE_NONE,
                port(bench, bench.layout().circuit(0).getEgress()).getOverride());
        bench.change().make(0).apply();
    }
}
