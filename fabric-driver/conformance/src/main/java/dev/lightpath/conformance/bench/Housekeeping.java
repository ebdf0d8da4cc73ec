package dev.lightpath.conformance.bench;

import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds the device as it is, takes it for the kit, puts it back after each requirement, and gives it back at the end.
 */
public final class Housekeeping implements AutoCloseable {
    /** Of a server that answers with something else than HTTP/2. */
    private static final String NOT_SETTINGS = "First received frame was not SETTINGS";

    private final Calls calls;
    private final Bench bench;
    private final List<CircuitKey> found;
    private final String foundRole;

    private Housekeeping(Calls calls, Bench bench, String foundRole) {
        this.calls = calls;
        this.bench = bench;
        this.foundRole = foundRole;
        this.found = Circuits.keys(bench.device().circuits().getCircuitsList());
    }

    /**
     * Looks at the device and takes it.
     *
     * @throws Unusable when the device must not or cannot be used
     */
    public static Housekeeping begin(Endpoint endpoint, Terms given) {
        Duration least = Duration.ofSeconds(10);
        Calls calls = new Calls(endpoint, given.patience().compareTo(least) < 0 ? least : given.patience());
        boolean begun = false;
        try {
            DeviceUnderTest device = look(calls, given);
            Terms terms = given.patientFor(device.capabilities());
            calls.waitAtLeast(terms.patience());
            Layout layout = Layout.of(device, terms.scratchPorts(), terms.brokenPort());
            String holding = device.circuits().getHoldingRole();
            long stored = device.circuits().getHighestEpoch();
            if (!holding.isEmpty() && !holding.equals(terms.role())) {
                stored = transfer(calls, terms.deviceId(), holding, terms.role());
            }
            String runId = "kit-"
                    + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
            Bench bench = new Bench(calls, terms, device, layout, runId, stored + 1);
            Housekeeping house = new Housekeeping(calls, bench, holding);
            try {
                bench.fenceIn();
            } catch (RuntimeException early) {
                // what cut this must not cut the way back
                boolean unused = Thread.interrupted();
                house.end().ifPresent(kept -> early.addSuppressed(new Unusable(kept)));
                throw early;
            }
            begun = true;
            return house;
        } catch (StatusRuntimeException e) {
            throw new Unusable("the driver cannot be used: " + why(e));
        } finally {
            if (!begun) {
                calls.close();
            }
        }
    }

    /** The library's own words say little to somebody who named the port of something else. */
    private static String why(StatusRuntimeException e) {
        Throwable cause = e.getStatus().getCause();
        String said = e.getMessage() + (cause == null ? "" : ", " + cause.getMessage());
        if (said.contains(NOT_SETTINGS)) {
            return "what listens there speaks no gRPC without TLS; --endpoint is `listen` of driver.yaml, and with `tls`"
                    + " there the kit needs --tls-ca, --tls-certificate and --tls-key";
        }
        return e.getStatus().getCode() == Status.Code.UNIMPLEMENTED
                ? said + "; --endpoint is `listen` of driver.yaml, and not the address of the device's program"
                : said;
    }

    private static DeviceUnderTest look(Calls calls, Terms terms) {
        Device device = device(calls, terms.deviceId());
        Capabilities capabilities = calls.identity()
                .getCapabilities(GetCapabilitiesRequest.newBuilder()
                        .setDeviceId(terms.deviceId())
                        .build())
                .getCapabilities();
        DeviceInventory inventory = calls.inventory()
                .getInventory(GetInventoryRequest.newBuilder()
                        .addDeviceIds(terms.deviceId())
                        .build())
                .getDevices(0);
        DeviceCircuits circuits = calls.circuits()
                .getCircuits(GetCircuitsRequest.newBuilder()
                        .addDevices(DeviceScope.newBuilder().setDeviceId(terms.deviceId()))
                        .setSource(CircuitSource.CIRCUIT_SOURCE_HARDWARE)
                        .build())
                .getDevices(0);
        DeviceUnderTest found = new DeviceUnderTest(device, capabilities, inventory, circuits);
        List<CircuitKey> lit = found.lit();
        if (!lit.isEmpty() && !terms.allowLit()) {
            throw new Unusable(terms.deviceId() + " carries light (" + Circuits.text(lit.getFirst())
                    + (lit.size() > 1 ? " and " + (lit.size() - 1) + " more" : "")
                    + "); give the kit a dark device, or --allow-lit to let it use the free ports");
        }
        return found;
    }

    private static Device device(Calls calls, String deviceId) {
        Optional<Device> found = calls
                .inventory()
                .listDevices(
                        ListDevicesRequest.newBuilder().addDeviceIds(deviceId).build())
                .getDevicesList()
                .stream()
                .filter(d -> d.getDeviceId().equals(deviceId))
                .findFirst();
        Device device = found.orElseThrow(() -> new Unusable("--device: the driver has no device '" + deviceId
                + "'; it has " + some(calls) + ", and its log says why a device cannot be used"));
        if (device.getAvailability() != Availability.AVAILABILITY_PRESENT) {
            throw new Unusable(deviceId + " is " + device.getAvailability()
                    + "; the kit needs a device that answers, and" + " the driver's log says why this one does not");
        }
        return device;
    }

    private static String some(Calls calls) {
        List<String> some = calls
                .inventory()
                .listDevices(ListDevicesRequest.newBuilder().setPageSize(8).build())
                .getDevicesList()
                .stream()
                .map(Device::getDeviceId)
                .toList();
        return some.isEmpty() ? "none" : String.join(", ", some);
    }

    private static long transfer(Calls calls, String deviceId, String from, String to) {
        return calls.circuits()
                .transferScope(TransferScopeRequest.newBuilder()
                        .setDeviceId(deviceId)
                        .setFromRole(from)
                        .setToRole(to)
                        .build())
                .getHighestEpoch();
    }

    public Bench bench() {
        return bench;
    }

    /** Puts everything back that a requirement changed; what could not be is returned, empty when all is well. */
    public Optional<String> restore() {
        try {
            mend();
            holdAgain();
            liftOverrides();
            cancelUnconfirmed();
            return restoreCircuits();
        } catch (StatusRuntimeException e) {
            return Optional.of(Refusal.of(e).toString());
        } catch (Exception e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private void mend() throws Exception {
        if (bench.terms().faults().isPresent()) {
            bench.faults().mend();
            var unused = Waiting.until(
                    bench.terms().patience(),
                    () -> bench.listed().getAvailability(),
                    Availability.AVAILABILITY_PRESENT::equals);
        }
    }

    private void liftOverrides() {
        for (String port : List.copyOf(bench.overridden())) {
            bench.raiseEpoch();
            var unused = bench.override(port, PortOverride.PORT_OVERRIDE_NONE);
        }
        bench.overridden().clear();
    }

    private void holdAgain() {
        String holding = bench.read().getHoldingRole();
        if (!holding.isEmpty() && !holding.equals(bench.role())) {
            var unused = transfer(calls, bench.deviceId(), holding, bench.role());
        }
    }

    private void cancelUnconfirmed() {
        for (String operationId : List.copyOf(bench.unconfirmed())) {
            bench.raiseEpoch();
            var unused = Refusal.ofCall(() -> {
                var cancelled = calls.circuits()
                        .cancelOperation(CancelOperationRequest.newBuilder()
                                .setDeviceId(bench.deviceId())
                                .setFencing(bench.fencing())
                                .setOperationId(operationId)
                                .build());
            });
        }
        bench.unconfirmed().clear();
    }

    private Optional<String> restoreCircuits() {
        List<CircuitKey> left = List.of();
        for (int attempt = 0; attempt < 3; attempt++) {
            List<CircuitKey> now = Circuits.keys(
                    bench.read(Scope.newBuilder().setAllPorts(true).build()).getCircuitsList());
            if (Circuits.texts(now).equals(Circuits.texts(found))) {
                return Optional.empty();
            }
            left = now;
            bench.raiseEpoch();
            back(now)
                    .forEach(part -> Refusal.ofCall(() -> {
                        var applied = calls.circuits().applyCircuits(part.request());
                    }));
        }
        return Optional.of("found with " + Circuits.texts(found) + ", left with " + Circuits.texts(left));
    }

    /** As few changes as the device takes: first everything that breaks, then what makes. */
    private List<Change> back(List<CircuitKey> now) {
        List<CircuitKey> surplus = new ArrayList<>(now);
        surplus.removeAll(found);
        List<CircuitKey> missing = new ArrayList<>(found);
        missing.removeAll(now);
        List<Change> parts = new ArrayList<>();
        surplus.stream()
                .filter(bench.layout()::reaches)
                .forEach(k -> withRoom(parts).disconnect(k));
        missing.stream()
                .filter(bench.layout()::reaches)
                .forEach(k -> withRoom(parts).connect(k));
        return parts;
    }

    private Change withRoom(List<Change> parts) {
        int most = bench.device().mostItems();
        if (parts.isEmpty() || parts.getLast().items() >= most) {
            parts.add(bench.change().scope(bench.layout().reach()).policy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE));
        }
        return parts.getLast();
    }

    /** Gives the device back, also where that is interrupted; says what is not as it was. */
    public Optional<String> end() {
        if (foundRole.isEmpty()) {
            return Optional.of("no role held " + bench.deviceId() + " before; '" + bench.role()
                    + "' holds it now, until TransferScope gives it away");
        }
        if (foundRole.equals(bench.role())) {
            return Optional.of("'" + foundRole + "' held " + bench.deviceId()
                    + " before, as a run that was cut leaves it, and holds it now, until TransferScope gives it away");
        }
        Optional<String> kept = giveBack(false);
        // what cut it must not cut this
        return kept.isPresent() && Thread.interrupted() ? giveBack(true) : kept;
    }

    private Optional<String> giveBack(boolean again) {
        try {
            if (!again || !bench.read().getHoldingRole().equals(foundRole)) {
                var unused = transfer(calls, bench.deviceId(), bench.role(), foundRole);
            }
            return Optional.empty();
        } catch (StatusRuntimeException e) {
            return Optional.of("not given back to '" + foundRole + "': " + Refusal.of(e));
        }
    }

    @Override
    public void close() {
        calls.close();
    }
}
