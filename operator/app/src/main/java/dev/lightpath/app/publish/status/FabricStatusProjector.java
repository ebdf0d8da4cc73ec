package dev.lightpath.app.publish.status;

import static java.util.Objects.requireNonNull;

import dev.lightpath.app.conditions.Conditions;
import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.CircuitCounts;
import dev.lightpath.crds.fabric.DegradingPort;
import dev.lightpath.crds.fabric.DriverStatus;
import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.GpuCounts;
import dev.lightpath.crds.fabric.NodeCounts;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.fabric.OpticalHealthStatus;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.FabricIntent;
import dev.lightpath.planner.world.Lineage;
import dev.lightpath.planner.world.RingIntent;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The status of an OpticalFabric of transceivers, from what a pass concluded (spec: kubernetes, 1 and 5). */
public final class FabricStatusProjector {
    private static final int MOST_NAMED = 5;
    private static final int LONGEST_NAME = 253;
    /** Characters of a device and two ports. */
    private static final int LONGEST_CIRCUIT = 1024;

    /**
     * What devices name is as long as they like; a status that is refused as a whole would tell of nothing any more.
     */
    private static final int LONGEST_PORT = 512;

    private static final int MOST_PORTS = 16384;

    /** Reasons that time does not heal: a person has to act. */
    static final Set<String> NEEDS_A_PERSON = Set.of(
            Reason.AUTHENTICATION_FAILED.word(),
            Reason.CONTRACT_MISMATCH.word(),
            Reason.REJECTED.word(),
            Reason.HELD_BY_ANOTHER_ROLE.word(),
            Reason.LEDGER_OLDER_THAN_DEVICES.word(),
            Reason.AWAITING_ADOPTION.word(),
            Reason.MASS_FAILURE.word(),
            Reason.INVALID_WIRING.word(),
            Reason.NEWER_FORMAT.word(),
            Reason.FOREIGN_CIRCUITS.word());

    private FabricStatusProjector() {}

    /**
     * Never moves for the passing of time alone: the same verdict gives the same status.
     *
     * @param driver of the fabric, as last heard
     * @param before the status the object has now, null when it has none
     * @param generation of the object
     */
    public static OpticalFabricStatus project(
            FabricVerdict verdict,
            RingIntent ring,
            DriverState driver,
            @Nullable OpticalFabricStatus before,
            long generation,
            Instant now) {
        SortedMap<String, DriverState> drivers = new TreeMap<>(Map.of(ring.driver(), driver));
        Verdict connected = connected(ring, drivers);
        Verdict inSync = inSync(verdict, driver.synced());
        Verdict ready = ready(verdict, ring.paused(), connected, inSync);
        boolean stalled = !ready.holds() && NEEDS_A_PERSON.contains(ready.reason());
        return status(
                ring,
                drivers,
                verdict,
                new Health(connected, inSync, ready, stalled),
                positions(ring, before),
                verdict.gpus().allocated() > 0,
                before,
                generation,
                now);
    }

    /** @param stalled whether only a person can help where it is not ready */
    record Health(Verdict connected, Verdict inSync, Verdict ready, boolean stalled) {}

    /**
     * What the status of a fabric of any kind says.
     *
     * @param drivers of the fabric by endpoint, as last heard
     * @param positions of a ring
     * @param recorded whether a record stands on the fabric now
     */
    static OpticalFabricStatus status(
            FabricIntent intent,
            SortedMap<String, DriverState> drivers,
            FabricVerdict verdict,
            Health health,
            @Nullable Integer positions,
            boolean recorded,
            @Nullable OpticalFabricStatus before,
            long generation,
            Instant now) {
        List<String> plaintext = drivers.entrySet().stream()
                .filter(driver -> driver.getValue().plaintext())
                .map(Map.Entry::getKey)
                .toList();
        return new OpticalFabricStatus(
                generation,
                conditions(
                        before == null ? List.of() : before.conditions(),
                        generation,
                        now,
                        health.ready(),
                        health.connected(),
                        health.inSync(),
                        health.stalled(),
                        plaintext),
                nodes(verdict.nodes()),
                gpus(verdict.gpus()),
                circuits(verdict),
                driver(intent, drivers, health.connected().holds()),
                positions,
                quarantinedPorts(verdict, intent.quarantinedPorts(), before),
                faults(verdict),
                adopted(recorded, before),
                LedgerRevision.next(
                        verdict, intent.policy().lineage(), List.copyOf(drivers.values()), intent.role(), before),
                optical(verdict.optical()));
    }

    /** Figures of all ports change all the time, and are in the metrics. Empty where nothing is measured. */
    private static @Nullable OpticalHealthStatus optical(FabricVerdict.Optical optical) {
        return optical.watched() == 0 && optical.takenOut() == 0
                ? null
                : new OpticalHealthStatus(
                        optical.watched(),
                        optical.degrading().size(),
                        optical.takenOut(),
                        optical.degrading().stream()
                                .limit(OpticalHealthStatus.MOST_NAMED)
                                .map(FabricStatusProjector::degrading)
                                .toList());
    }

    private static DegradingPort degrading(dev.lightpath.planner.engine.decision.DegradingPort of) {
        String port = Words.cut(place(of.port()), LONGEST_PORT);
        String place = Words.cut(of.finding().place().toString(), LONGEST_PORT);
        return new DegradingPort(
                port,
                place.equals(port) ? null : place,
                of.finding().since().truncatedTo(ChronoUnit.SECONDS).toString(),
                of.finding().measured(),
                switch (of.course()) {
                    case TOLD -> DegradingPort.Course.TOLD;
                    case LEAVING -> DegradingPort.Course.LEAVING;
                    case TAKEN_OUT -> DegradingPort.Course.TAKEN_OUT;
                    case HELD -> DegradingPort.Course.HELD;
                });
    }

    private static String place(Subject subject) {
        return switch (subject) {
            case Subject.OfPort port -> port.device() + "/" + port.port();
            case Subject.OfDevice device -> device.device();
            case Subject.OfNode node -> node.node();
        };
    }

    /** Once a record stood there it stays so. */
    public static @Nullable Boolean adopted(boolean recorded, @Nullable OpticalFabricStatus before) {
        boolean was = before != null && Boolean.TRUE.equals(before.adopted());
        return was || recorded ? true : null;
    }

    /** The driver's endpoint if it is spoken to without TLS. */
    public static List<String> plaintext(String endpoint, DriverState driver) {
        return driver.plaintext() ? List.of(endpoint) : List.of();
    }

    /**
     * @param stalled whether only a person can help where it is not ready
     * @param plaintext drivers that are spoken to without TLS
     */
    public static List<io.fabric8.kubernetes.api.model.Condition> conditions(
            List<io.fabric8.kubernetes.api.model.Condition> before,
            long generation,
            Instant now,
            Verdict ready,
            Verdict connected,
            Verdict inSync,
            boolean stalled,
            List<String> plaintext) {
        boolean reconciling = !ready.holds() && !stalled && !ready.reason().equals(Reason.PAUSED.word());
        Conditions usual = Conditions.since(before, generation, now)
                .with(ConditionType.READY, ready)
                .with(ConditionType.CONNECTED, connected)
                .with(ConditionType.IN_SYNC, inSync)
                .summed(ready, reconciling, stalled);
        return (plaintext.isEmpty()
                        ? usual
                        : usual.with(
                                ConditionType.INSECURE,
                                Verdict.because(
                                        Reason.PLAINTEXT.word(),
                                        "no TLS to driver " + named(plaintext)
                                                + ": whoever reaches it may move light; name a Secret in driver.tls")))
                .list();
    }

    /** The first driver that does not answer, in order of endpoints. */
    static Verdict connected(FabricIntent intent, SortedMap<String, DriverState> drivers) {
        for (Map.Entry<String, DriverState> driver : drivers.entrySet()) {
            Verdict verdict = connected(driver.getKey(), intent.role(), driver.getValue());
            if (drivers.size() == 1 || !verdict.holds()) {
                return verdict;
            }
        }
        return drivers.isEmpty()
                ? Verdict.unknown(Reason.PENDING.word(), "no OpticalSwitch names this fabric")
                : Verdict.holds("all " + drivers.size() + " drivers answer");
    }

    static Verdict connected(String endpoint, String role, DriverState driver) {
        String where = "driver " + endpoint;
        String why = where + driver.problem().map(problem -> ": " + problem).orElse("");
        return switch (driver.contact()) {
            case SYNCED -> Verdict.holds(driver.problem().isPresent() ? why : where + " answers");
            case UNREACHABLE -> Verdict.fails(Reason.DRIVER_UNREACHABLE.word(), why);
            case AUTHENTICATION_FAILED -> Verdict.fails(Reason.AUTHENTICATION_FAILED.word(), why);
            case CONTRACT_MISMATCH -> Verdict.fails(Reason.CONTRACT_MISMATCH.word(), why);
            case STALE_EPOCH -> Verdict.fails(Reason.STALE_EPOCH.word(), why);
            case FOREIGN_ROLE ->
                Verdict.fails(
                        Reason.REJECTED.word(),
                        why + " (another role holds its devices until the driver's administrator transfers them to "
                                + role + ")");
        };
    }

    static Verdict inSync(FabricVerdict verdict, boolean synced) {
        FabricVerdict.Circuits circuits = verdict.circuits();
        if (!synced) {
            return Verdict.unknown(Reason.UNREAD.word(), "the light cannot be read without the driver");
        }
        if (circuits.foreign() > 0) {
            return Verdict.fails(
                    Reason.FOREIGN_CIRCUITS.word(),
                    Counted.of(circuits.foreign(), "circuit") + " that nobody planned: " + named(verdict.foreign())
                            + verdict.foreignStays().map(why -> "; " + why).orElse(""));
        }
        if (circuits.missing() > 0) {
            return Verdict.fails(
                    Reason.MISSING_CIRCUITS.word(),
                    Counted.part(
                            circuits.missing(), circuits.planned(), "circuit is not made", "circuits are not made"));
        }
        int unread = circuits.planned() - circuits.lit();
        if (circuits.lit() == 0 && unread > 0) {
            return Verdict.unknown(Reason.UNREAD.word(), "none of the devices has been read back");
        }
        return Verdict.holds(
                unread == 0
                        ? "every circuit is read back as planned"
                        : "every circuit on a device that answers is read back as planned; "
                                + Counted.of(unread, "is", "are") + " on devices that do not answer");
    }

    public static String named(List<String> subjects) {
        return Words.first(MOST_NAMED, subjects);
    }

    /** The first that applies, in the order in which they stop the planner. */
    public static Verdict ready(FabricVerdict verdict, boolean paused, Verdict connected, Verdict inSync) {
        if (verdict.unreadable().isPresent()) {
            return Verdict.fails(
                    Reason.NEWER_FORMAT.word(),
                    verdict.unreadable().get() + "; until then nothing is recorded and no light is moved");
        }
        if (paused) {
            return Verdict.fails(
                    Reason.PAUSED.word(), "the fabric is paused: no light is moved; set spec.paused to false to go on");
        }
        if (!connected.holds()) {
            return connected;
        }
        if (verdict.heldElsewhere().isPresent()) {
            return Verdict.fails(
                    Reason.HELD_BY_ANOTHER_ROLE.word(), verdict.heldElsewhere().get());
        }
        if (verdict.newerDevices().filter(FabricVerdict.Newer::stops).isPresent()) {
            return Verdict.fails(
                    Reason.LEDGER_OLDER_THAN_DEVICES.word(),
                    verdict.newerDevices().get().why());
        }
        if (verdict.awaitingAdoption()) {
            return Verdict.fails(
                    Reason.AWAITING_ADOPTION.word(),
                    "light was found that no record explains (" + named(verdict.foreign())
                            + "): set spec.adopt to Keep or Reset to go on");
        }
        if (verdict.massFailure().isPresent()) {
            return Verdict.fails(
                    Reason.MASS_FAILURE.word(),
                    verdict.massFailure().get()
                            + verdict.invalidWiring()
                                    .map(wiring -> "; " + wiring)
                                    .orElse(""));
        }
        if (verdict.invalidWiring().isPresent()) {
            return Verdict.fails(
                    Reason.INVALID_WIRING.word(), verdict.invalidWiring().get());
        }
        if (!inSync.holds()) {
            return inSync;
        }
        return verdict.newerDevices()
                .map(newer -> Verdict.because(Reason.LEDGER_OLDER_THAN_DEVICES.word(), newer.why()))
                .or(() -> verdict.refused()
                        .map(why -> Verdict.because(
                                Reason.RECORD_REFUSED.word(),
                                "the API server refuses the record of " + why
                                        + "; slices that share nodes, ports or the job with it wait")))
                .orElseGet(() -> Verdict.holds("the fabric is cared for"));
    }

    private static NodeCounts nodes(FabricVerdict.Nodes nodes) {
        return new NodeCounts(nodes.total(), nodes.healthy(), nodes.faulty(), nodes.busy(), nodes.allocated());
    }

    private static GpuCounts gpus(FabricVerdict.Gpus gpus) {
        return new GpuCounts(gpus.total(), gpus.usable(), gpus.allocated());
    }

    /** Names that drivers made longer than names are only counted. */
    private static CircuitCounts circuits(FabricVerdict verdict) {
        FabricVerdict.Circuits circuits = verdict.circuits();
        List<String> foreign = verdict.foreign().stream()
                .filter(circuit -> circuit.length() <= LONGEST_CIRCUIT)
                .limit(CircuitCounts.MOST_NAMED)
                .toList();
        return new CircuitCounts(circuits.planned(), circuits.lit(), circuits.foreign(), circuits.missing(), foreign);
    }

    /** Name and version of the first driver, and the highest epoch of all. */
    private static @Nullable DriverStatus driver(
            FabricIntent intent, SortedMap<String, DriverState> drivers, boolean connected) {
        if (drivers.isEmpty()) {
            return null;
        }
        DriverState first = requireNonNull(drivers.get(drivers.firstKey()));
        long epoch = drivers.values().stream()
                .mapToLong(
                        driver -> epoch(driver, intent.role(), intent.policy().lineage()))
                .max()
                .orElse(0);
        return new DriverStatus(
                first.name().isEmpty() ? null : Words.cut(first.name(), LONGEST_NAME),
                first.version().isEmpty() ? null : Words.cut(first.version(), LONGEST_NAME),
                connected,
                epoch < 1 ? null : epoch);
    }

    /**
     * The epoch that a person has to accept by its number, if there is one. Else the highest that the driver reports.
     */
    private static long epoch(DriverState driver, String role, Lineage lineage) {
        EpochMark strange = driver.strange().get(role);
        return strange == null || strange.epoch() <= lineage.acceptedEpoch() ? driver.highestEpoch() : strange.epoch();
    }

    /** What was written and had not reached the pass stays. */
    private static List<String> quarantinedPorts(
            FabricVerdict verdict, SortedSet<String> known, @Nullable OpticalFabricStatus before) {
        SortedSet<String> ports = new TreeSet<>(verdict.quarantinedPorts());
        if (before != null) {
            before.quarantinedPorts().stream()
                    .filter(port -> !known.contains(port))
                    .forEach(ports::add);
        }
        return ports.stream().limit(MOST_PORTS).toList();
    }

    private static int positions(RingIntent ring, @Nullable OpticalFabricStatus before) {
        Integer known = before == null ? null : before.positions();
        return known == null
                ? ring.ring().positions()
                : Math.max(known, ring.ring().positions());
    }

    /**
     * Those that only a person ends before the rest, since they are read back from here; told the newest first. One
     * node or device with many faults pushes out those of no other. A subject that is cut is read back as another one.
     */
    private static List<FaultRecord> faults(FabricVerdict verdict) {
        Map<Fault, Integer> ofItsHolder = new HashMap<>();
        Map<String, Integer> holders = new HashMap<>();
        verdict.faults()
                .forEach(fault -> ofItsHolder.put(
                        fault,
                        holders.merge(fault.quarantined() + fault.subject().holder(), 1, Integer::sum)));
        Set<Fault> told = verdict.faults().stream()
                .sorted(Comparator.comparing((Fault fault) -> !fault.quarantined())
                        .thenComparing(fault -> ofItsHolder.getOrDefault(fault, 0)))
                .limit(OpticalFabricStatus.MOST_FAULTS)
                .collect(Collectors.toSet());
        return verdict.faults().stream()
                .filter(told::contains)
                .limit(OpticalFabricStatus.MOST_FAULTS)
                .map(fault -> new FaultRecord(
                        Words.cut(fault.subject().label(), LONGEST_PORT),
                        fault.reason(),
                        fault.since().truncatedTo(ChronoUnit.SECONDS).toString(),
                        fault.quarantined() ? true : null,
                        fault.remark().isEmpty() ? null : fault.remark()))
                .toList();
    }
}
