package dev.lightpath.app.driver.state;

import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DeviceState.Presence;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.light.PortLight;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.words.Sha256;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyOrder;
import dev.lightpath.proto.driver.v1alpha1.Atomicity;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.LockState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortOperState;
import dev.lightpath.proto.driver.v1alpha1.PortRef;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Between the wire and the planner's values. Pure and total: what a driver says that cannot be is left out, told as a
 * problem of that device, and where it concerns ports, those ports count as failed.
 */
public final class ProtoCodec {
    /** Reason of a port whose circuit the device gave up on. */
    static final String NOT_SETTLED = "NotSettled";

    private ProtoCodec() {}

    /**
     * A device, and what is wrong with what was said about it.
     *
     * @param problem for a person; empty when all of it made sense
     */
    record Decoded(DeviceState state, Optional<String> problem) {}

    /**
     * The device as the planner sees it.
     *
     * @param roles ours; a device held by any other is FOREIGN
     * @param inventory what it consists of, once that is read
     * @param shared gives the one object that stands for equal circuits
     */
    public static Decoded device(
            DeviceFacts facts,
            SortedSet<String> roles,
            Optional<Inventory> inventory,
            UnaryOperator<CrossConnects> shared) {
        List<String> problems = new ArrayList<>();
        SortedMap<String, String> failed = new TreeMap<>();
        for (String port : facts.portsSaidTwice()) {
            problems.add("port " + port + " is listed twice");
            failed.put(port, DeviceState.REPORTED_TWICE);
        }
        AlarmReading.failures(facts.alarms(), facts.ports()).forEach(failed::putIfAbsent);
        facts.ports().forEach(port -> failure(port).ifPresent(why -> failed.putIfAbsent(port.getPort(), why)));

        List<Circuit> circuits = new ArrayList<>();
        List<Circuit> made = new ArrayList<>();
        SortedSet<String> moving = new TreeSet<>();
        SortedMap<String, Double> lossDb = new TreeMap<>();
        SortedMap<String, Double> factoryLossDb = new TreeMap<>();
        SortedSet<String> twice = usedTwice(facts.circuits());
        for (var circuit : facts.circuits()) {
            String ingress = circuit.getKey().getIngress();
            String egress = circuit.getKey().getEgress();
            if (ingress.isEmpty() || egress.isEmpty()) {
                problems.add("a circuit without a port: '" + ingress + "'->'" + egress + "'");
                continue;
            }
            if (twice.contains("<" + ingress) || twice.contains(">" + egress)) {
                problems.add("circuit " + ingress + "->" + egress + " uses a port of another circuit");
                failed.put(twice.contains("<" + ingress) ? ingress : egress, DeviceState.REPORTED_TWICE);
                continue;
            }
            circuits.add(new Circuit(ingress, egress));
            if (!circuit.getForeign() && roles.contains(circuit.getRole())) {
                made.add(circuits.getLast());
            }
            if (circuit.getState() == CircuitState.CIRCUIT_STATE_TUNING) {
                moving.add(ingress);
                moving.add(egress);
            } else if (circuit.getState() == CircuitState.CIRCUIT_STATE_FAILED) {
                failed.putIfAbsent(egress, NOT_SETTLED);
            }
            if (circuit.hasMeasuredLossDb() && Double.isFinite(circuit.getMeasuredLossDb())) {
                lossDb.put(ingress, circuit.getMeasuredLossDb());
                lossDb.put(egress, circuit.getMeasuredLossDb());
            }
            if (circuit.hasFactoryLossDb() && Double.isFinite(circuit.getFactoryLossDb())) {
                factoryLossDb.put(ingress, circuit.getFactoryLossDb());
                factoryLossDb.put(egress, circuit.getFactoryLossDb());
            }
        }

        if (facts.overfull()) {
            problems.add("more or longer names than a node has are left out"
                    + (facts.namesUsedUp() ? "; once its agent is mended, restart the operator" : ""));
        }
        SortedMap<String, PortLight> light = new TreeMap<>();
        boolean receives = facts.ports().stream()
                .anyMatch(port -> lock(port.getLockState()).isPresent());
        for (PortStatus port : facts.ports()) {
            if (port.getPort().isEmpty()) {
                problems.add("a port without a name");
                continue;
            }
            light(port, receives).ifPresent(seen -> light.put(port.getPort(), seen));
        }
        DeviceState state = new DeviceState(
                presence(facts, roles),
                shared.apply(new CrossConnects(circuits)),
                moving,
                facts.digest(),
                light,
                failed,
                facts.operations().stream().map(Operation::getOperationId).findFirst(),
                inventory,
                shared.apply(new CrossConnects(made)),
                lossDb,
                factoryLossDb,
                facts.silent() ? AlarmReading.silence(facts.alarms()) : Optional.empty());
        return new Decoded(state, problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems)));
    }

    private static Presence presence(DeviceFacts facts, SortedSet<String> roles) {
        if (facts.silent()) {
            return Presence.SILENT;
        }
        boolean ours = facts.holdingRole().isEmpty() || roles.contains(facts.holdingRole());
        return ours ? Presence.PRESENT : Presence.FOREIGN;
    }

    /** Ingress ports, marked {@code <}, and egress ports, marked {@code >}, that are in more than one circuit. */
    private static SortedSet<String> usedTwice(Collection<dev.lightpath.proto.driver.v1alpha1.Circuit> circuits) {
        SortedSet<String> seen = new TreeSet<>();
        SortedSet<String> twice = new TreeSet<>();
        for (var circuit : circuits) {
            for (String use : List.of(
                    "<" + circuit.getKey().getIngress(), ">" + circuit.getKey().getEgress())) {
                if (!seen.add(use)) {
                    twice.add(use);
                }
            }
        }
        return twice;
    }

    public static Optional<String> failure(PortStatus port) {
        if (port.getOperState() == PortOperState.PORT_OPER_STATE_FAILED) {
            return Optional.of("PortFailed");
        }
        return port.getAdminState() == PortAdminState.PORT_ADMIN_STATE_OUT_OF_SERVICE
                ? Optional.of(DeviceState.OUT_OF_SERVICE)
                : Optional.empty();
    }

    /** @param receives whether any port of the device has a receiver; a switch has none, and may measure what enters */
    private static Optional<PortLight> light(PortStatus port, boolean receives) {
        Optional<PortLight.Lock> lock = lock(port.getLockState());
        if (!receives && port.hasReceivePowerDbm()) {
            lock = Optional.of(PortLight.Lock.NONE);
        }
        return lock.map(state -> new PortLight(
                state,
                port.hasHeardNeighbour() ? heard(port.getHeardNeighbour()) : Optional.empty(),
                port.hasReceivePowerDbm() && Double.isFinite(port.getReceivePowerDbm())
                        ? OptionalDouble.of(port.getReceivePowerDbm())
                        : OptionalDouble.empty(),
                isShare(port) ? OptionalDouble.of(port.getPreFecBitErrorRatio()) : OptionalDouble.empty()));
    }

    private static boolean isShare(PortStatus port) {
        return port.hasPreFecBitErrorRatio()
                && port.getPreFecBitErrorRatio() >= 0
                && port.getPreFecBitErrorRatio() <= 1;
    }

    private static Optional<FarEnd> heard(PortRef neighbour) {
        return neighbour.getDeviceId().isEmpty() || neighbour.getPort().isEmpty()
                ? Optional.empty()
                : Optional.of(new FarEnd(neighbour.getDeviceId(), neighbour.getPort()));
    }

    /** Empty when the port has no receiver. */
    private static Optional<PortLight.Lock> lock(LockState state) {
        return switch (state) {
            case LOCK_STATE_LOSS_OF_SIGNAL -> Optional.of(PortLight.Lock.NO_LIGHT);
            case LOCK_STATE_ACQUIRING -> Optional.of(PortLight.Lock.LOCKING);
            case LOCK_STATE_LOCKED -> Optional.of(PortLight.Lock.UP);
            case LOCK_STATE_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
        };
    }

    /** The contract's digest of a set of circuits: SHA-256 of the lines {@code ingress>egress}, in order. */
    public static String digest(Collection<CircuitKey> keys) {
        MessageDigest sha = Sha256.begin();
        keys.stream()
                .sorted(DeviceFacts.KEY_ORDER)
                .forEach(key ->
                        sha.update((key.getIngress() + ">" + key.getEgress() + "\n").getBytes(StandardCharsets.UTF_8)));
        return "sha256:" + HexFormat.of().formatHex(sha.digest());
    }

    /**
     * Names the stage's operation on each of its devices: a driver tells operations apart within device and role, for a
     * day. Should an epoch ever be used twice, as after a lost ConfigMap, the holder keeps its operations from those of
     * the other.
     *
     * @param holder identity of this process, which is random in part
     */
    public static String operationId(StageId stage, String holder) {
        return "stage-" + stage + "-" + HexFormat.of().formatHex(Sha256.of(holder), 0, 4);
    }

    /**
     * The change on the wire: fenced by the epoch the stage was planned under, bound to the digest it was planned on.
     * Nothing in the way is broken that the change does not name, and what can be done is done.
     */
    public static ApplyCircuitsRequest request(Stage stage, DeviceChange change, String holder) {
        return ApplyCircuitsRequest.newBuilder()
                .setDeviceId(change.device().device())
                .setFencing(Fencing.newBuilder()
                        .setRole(stage.role())
                        .setEpoch(stage.id().epoch())
                        .setHolder(holder))
                .setOperationId(operationId(stage.id(), holder))
                .setExpectedObservedDigest(change.expectedDigest())
                .setDesiredGeneration(stage.ledgerRevision())
                .setScope(Scope.newBuilder().setAllPorts(true))
                .addAllDisconnects(keys(change.disconnects()))
                .addAllConnects(keys(change.connects()))
                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_SAFE)
                .setAtomicity(Atomicity.ATOMICITY_BEST_EFFORT)
                .setOrder(ApplyOrder.APPLY_ORDER_BREAK_BEFORE_MAKE)
                .build();
    }

    private static List<CircuitKey> keys(SortedSet<Circuit> circuits) {
        return circuits.stream()
                .map(circuit -> CircuitKey.newBuilder()
                        .setIngress(circuit.ingress())
                        .setEgress(circuit.egress())
                        .build())
                .toList();
    }
}
