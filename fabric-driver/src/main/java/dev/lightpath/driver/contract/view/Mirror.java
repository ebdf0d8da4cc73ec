package dev.lightpath.driver.contract.view;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.ledger.CircuitOwner;
import dev.lightpath.driver.ledger.DeviceLedger;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Keeps the view of one device and reports each change of it, in order. */
public final class Mirror {
    private static final Set<AlarmKind> OWN_ALARMS = Set.of(
            AlarmKind.ALARM_KIND_DEVICE_SILENT,
            AlarmKind.ALARM_KIND_POWER_CYCLED,
            AlarmKind.ALARM_KIND_READ_BACK_DIFFERS);

    /** A loss that changed by less is not told. */
    private static final double LOSS_STEP_DB = 0.2;

    private final DeviceLedger memory;
    private final Clock clock;
    private final Consumer<ViewChange> changes;
    private volatile DeviceView view;
    private volatile PortMap portMap;
    /** Whether the last silence began with an unanswered call, and the adapter has not reported one since. */
    private boolean unanswered;

    private boolean powerCycledSinceReading;
    private final ForeignWriters writers;
    private final SilenceReasons silence;
    private FactoryLosses promised = FactoryLosses.NONE;

    public Mirror(DeviceDescription description, DeviceLedger memory, Clock clock, Consumer<ViewChange> changes) {
        this.memory = memory;
        this.clock = clock;
        this.writers = new ForeignWriters(clock);
        this.silence = new SilenceReasons(clock);
        this.changes = changes;
        this.portMap = new PortMap(description);
        Draft draft = new Draft(description);
        this.view = draft.build(1);
        changes.accept(new ViewChange(null, view, List.of(), clock.instant()));
    }

    public DeviceView view() {
        return view;
    }

    public PortMap ports() {
        return portMap;
    }

    public synchronized void described(DeviceDescription description) {
        portMap = new PortMap(description);
        Draft draft = new Draft(view);
        draft.description = description;
        publish(draft, List.of());
    }

    /** A removed device is part of the installation again. Nothing of it is known before it is read. */
    public synchronized void returned(DeviceDescription description) {
        portMap = new PortMap(description);
        view = new Draft(description).build(view.version() + 1);
        changes.accept(new ViewChange(null, view, List.of(), clock.instant()));
    }

    public synchronized void removed() {
        Draft draft = new Draft(view);
        draft.become(Availability.AVAILABILITY_REMOVED, clock.instant(), "");
        publish(draft, List.of());
    }

    /** Whether it is not part of the installation: no call tells anything of it then. */
    public boolean isRemoved() {
        return view.availability() == Availability.AVAILABILITY_REMOVED;
    }

    /** A call was not answered. The next answered call ends the silence, unless the adapter had reported it before. */
    public synchronized void unanswered(String detail) {
        unanswered |= view.availability() != Availability.AVAILABILITY_SILENT;
        fallSilent(detail);
    }

    /** Whether only a call that was not answered speaks for silence. */
    public synchronized boolean isUnanswered() {
        return unanswered && view.availability() == Availability.AVAILABILITY_SILENT;
    }

    /** The adapter says that the device does not answer, and will say when it does. */
    public synchronized void silent(String detail) {
        unanswered = false;
        fallSilent(detail);
    }

    private void fallSilent(String why) {
        String detail = silence.after(why);
        if (isRemoved()
                || view.availability() == Availability.AVAILABILITY_SILENT
                        && view.silentDetail().equals(detail)) {
            return;
        }
        Instant now = clock.instant();
        Draft draft = new Draft(view);
        draft.become(Availability.AVAILABILITY_SILENT, now, detail);
        draft.raise(AlarmKind.ALARM_KIND_DEVICE_SILENT, AlarmSeverity.ALARM_SEVERITY_CRITICAL, detail, now);
        publish(draft, List.of());
    }

    /** @param circuitsCount whether the reading's circuits are newer than what an operation is just reading */
    public synchronized void present(DeviceReading reading, boolean circuitsCount) {
        Draft draft = new Draft(view);
        List<Notice> notices = new ArrayList<>();
        draft.become(Availability.AVAILABILITY_PRESENT, clock.instant(), "");
        draft.lower(AlarmKind.ALARM_KIND_DEVICE_SILENT);
        draft.ports.clear();
        reading.ports().forEach(draft::port);
        draft.nativeAlarms(reading.alarms());
        draft.environment = reading.environment();
        if (circuitsCount) {
            notices.addAll(draft.circuits(reading.circuits(), Set.of()));
        }
        publish(draft, notices);
    }

    /**
     * Takes the circuits that were just read.
     *
     * @param expected circuits that a running operation makes or breaks; their change is not foreign
     */
    public synchronized void circuits(Collection<NativeCircuit> circuits, Set<CircuitPair> expected) {
        if (isRemoved()) {
            return;
        }
        Draft draft = new Draft(view);
        if (draft.availability == Availability.AVAILABILITY_SILENT) {
            draft.become(Availability.AVAILABILITY_PRESENT, clock.instant(), "");
            draft.lower(AlarmKind.ALARM_KIND_DEVICE_SILENT);
        }
        List<Notice> notices = draft.circuits(circuits, expected);
        publish(draft, notices);
    }

    /** The device's own log names somebody who changed it: it was they, if circuits are seen to have changed soon. */
    public synchronized void changedBy(String who) {
        writers.add(who);
    }

    /** True when the view shows these circuits in these states, whatever they lose. */
    public boolean shows(Collection<NativeCircuit> circuits) {
        SortedMap<CircuitPair, Circuit> known = view.circuits();
        return circuits.size() == known.size()
                && circuits.stream().allMatch(c -> {
                    Circuit seen = known.get(c.pair());
                    return seen != null && seen.getState() == c.state();
                });
    }

    /**
     * Takes what circuits lose, where that differs by a step. Nothing else is taken from them: they need not have been
     * read, so a device that tells losses of which a read knows nothing is not read for ever.
     */
    public synchronized void losses(Collection<NativeCircuit> circuits) {
        Draft draft = new Draft(view);
        if (draft.losses(circuits)) {
            publish(draft, List.of());
        }
    }

    /** The same of what the device told by itself. It need not tell losses: only a read says that there is none. */
    public synchronized void hintedLosses(Collection<NativeCircuit> circuits) {
        losses(circuits.stream().filter(circuit -> circuit.lossDb().isPresent()).toList());
    }

    private static boolean showsLoss(Circuit seen, OptionalDouble lossDb) {
        return lossDb.isPresent()
                ? seen.hasMeasuredLossDb() && Math.abs(seen.getMeasuredLossDb() - lossDb.getAsDouble()) < LOSS_STEP_DB
                : !seen.hasMeasuredLossDb();
    }

    /** From now on circuits whose loss is measured are told with what the factory measured. */
    public synchronized void promised(FactoryLosses losses) {
        promised = losses;
        Draft draft = new Draft(view);
        SortedMap<CircuitPair, Circuit> compared = new TreeMap<>();
        draft.circuits.forEach((pair, circuit) -> compared.put(pair, compared(pair, circuit.toBuilder())));
        draft.circuits = Collections.unmodifiableSortedMap(compared);
        publish(draft, List.of());
    }

    private Circuit compared(CircuitPair pair, Circuit.Builder circuit) {
        circuit.clearFactoryLossDb();
        if (circuit.hasMeasuredLossDb()) {
            promised.lossDb(pair).ifPresent(circuit::setFactoryLossDb);
        }
        return circuit.build();
    }

    public synchronized void ports(Collection<PortStatus> ports) {
        Draft draft = new Draft(view);
        ports.forEach(draft::port);
        publish(draft, List.of());
    }

    public synchronized void alarms(Collection<Alarm> alarms) {
        Draft draft = new Draft(view);
        draft.nativeAlarms(alarms);
        publish(draft, List.of());
    }

    public synchronized void environment(Environment environment) {
        Draft draft = new Draft(view);
        draft.environment = environment;
        publish(draft, List.of());
    }

    public synchronized void powerCycled() {
        Instant now = clock.instant();
        Draft draft = new Draft(view);
        draft.powerCycles++;
        draft.raise(
                AlarmKind.ALARM_KIND_POWER_CYCLED,
                AlarmSeverity.ALARM_SEVERITY_CRITICAL,
                "lost power and came back with its power-on circuits",
                now);
        powerCycledSinceReading = true;
        publish(draft, List.of(new Notice.PowerCycle(now)));
    }

    /** Reports an operation; holder, epoch, overrides and open operations are taken from the ledger. */
    public synchronized void operation(Operation operation) {
        Draft draft = new Draft(view);
        if (operation.getOutcome() == Outcome.OUTCOME_APPLIED) {
            if (operation.getItemsCount() > 0) {
                draft.lower(AlarmKind.ALARM_KIND_POWER_CYCLED);
            }
            draft.lower(AlarmKind.ALARM_KIND_READ_BACK_DIFFERS);
        }
        boolean differs = operation.getItemsList().stream()
                .anyMatch(i -> i.getReason() == ItemReason.ITEM_REASON_READ_BACK_DIFFERS);
        if (differs) {
            draft.raise(
                    AlarmKind.ALARM_KIND_READ_BACK_DIFFERS,
                    AlarmSeverity.ALARM_SEVERITY_CRITICAL,
                    "read-back after operation '" + operation.getOperationId() + "' shows something else",
                    clock.instant());
        }
        draft.attribute(operation);
        publish(draft, List.of(new Notice.OperationChange(operation)));
    }

    /** Takes holder, epoch and overrides from the ledger again. */
    public synchronized void remembered() {
        Draft draft = new Draft(view);
        new ArrayList<>(draft.ports.values()).forEach(draft::port);
        publish(draft, List.of());
    }

    private void publish(Draft draft, List<Notice> notices) {
        DeviceView before = view;
        DeviceView after = draft.build(before.version() + 1);
        view = after;
        changes.accept(new ViewChange(before, after, notices, clock.instant()));
    }

    /** A view being changed. */
    private final class Draft {
        private DeviceDescription description;
        private Availability availability;
        private Instant since;
        private String silentDetail;
        private boolean wasRead;
        private SortedMap<CircuitPair, Circuit> circuits;
        private final Map<String, PortStatus> ports;
        private final SortedMap<DeviceView.AlarmName, Alarm> alarms;
        private Environment environment;
        private int powerCycles;

        Draft(DeviceDescription description) {
            this.description = description;
            availability = Availability.AVAILABILITY_SILENT;
            since = clock.instant();
            silentDetail = "not heard of since the driver started";
            circuits = Collections.emptySortedMap();
            ports = new LinkedHashMap<>();
            alarms = new TreeMap<>();
            environment = Environment.getDefaultInstance();
        }

        Draft(DeviceView view) {
            description = view.description();
            availability = view.availability();
            since = view.since();
            silentDetail = view.silentDetail();
            wasRead = view.wasRead();
            circuits = view.circuits();
            ports = new LinkedHashMap<>(view.ports());
            alarms = new TreeMap<>(view.alarms());
            environment = view.environment();
            powerCycles = view.powerCycles();
        }

        void become(Availability next, Instant now, String detail) {
            if (availability != next) {
                availability = next;
                since = now;
            }
            if (next != Availability.AVAILABILITY_SILENT) {
                silence.answered();
            }
            silentDetail = detail;
        }

        /** One that stands already keeps its time, and says what is so now. */
        void raise(AlarmKind kind, AlarmSeverity severity, String text, Instant now) {
            Alarm alarm = Alarm.newBuilder()
                    .setKind(kind)
                    .setSeverity(severity)
                    .setSince(Times.wire(now))
                    .setNativeText(text)
                    .build();
            alarms.merge(
                    DeviceView.AlarmName.of(alarm),
                    alarm,
                    (standing, raised) ->
                            raised.toBuilder().setSince(standing.getSince()).build());
        }

        void lower(AlarmKind kind) {
            alarms.keySet().removeIf(name -> name.kind() == kind);
        }

        /** One of a kind that the driver itself raises would not end when the device says it no more: it is left out. */
        void nativeAlarms(Collection<Alarm> standing) {
            alarms.keySet().removeIf(name -> !OWN_ALARMS.contains(name.kind()));
            standing.stream()
                    .filter(alarm -> !OWN_ALARMS.contains(alarm.getKind()))
                    .forEach(alarm -> alarms.put(DeviceView.AlarmName.of(alarm), alarm));
        }

        void port(PortStatus told) {
            PortStatus status = measured(told);
            var override = memory.override(status.getPort());
            ports.put(
                    status.getPort(),
                    status.getOverride() == override
                            ? status
                            : status.toBuilder().setOverride(override).build());
        }

        /** Without the power of no light, of which the contract does not tell, and without what is no number. */
        private static PortStatus measured(PortStatus told) {
            PortStatus.Builder status = told.toBuilder();
            if (!(told.getReceivePowerDbm() >= DeviceReading.LIT_DBM && Double.isFinite(told.getReceivePowerDbm()))) {
                status.clearReceivePowerDbm();
            }
            if (!Double.isFinite(told.getPreFecBitErrorRatio())) {
                status.clearPreFecBitErrorRatio();
            }
            if (!Double.isFinite(told.getTemperatureCelsius())) {
                status.clearTemperatureCelsius();
            }
            return status.build();
        }

        public List<Notice> circuits(Collection<NativeCircuit> reading, Set<CircuitPair> expected) {
            SortedMap<CircuitPair, Circuit> before = circuits;
            SortedMap<CircuitPair, Circuit> after = new TreeMap<>();
            Set<CircuitPair> appeared = new TreeSet<>();
            for (NativeCircuit each : reading) {
                Circuit circuit = circuit(each, Optional.ofNullable(before.get(each.pair())), expected);
                after.put(each.pair(), circuit);
                if (circuit.getForeign() && !before.containsKey(each.pair())) {
                    appeared.add(each.pair());
                }
            }
            Set<CircuitPair> vanished = new TreeSet<>(before.keySet());
            vanished.removeAll(after.keySet());
            vanished.removeIf(p -> expected.contains(p) || portMap.isPowerOnPosition(p));
            boolean tell = wasRead && !powerCycledSinceReading && !(appeared.isEmpty() && vanished.isEmpty());
            circuits = Collections.unmodifiableSortedMap(after);
            wasRead = true;
            powerCycledSinceReading = false;
            return tell ? List.of(new Notice.Foreign(appeared, vanished, writers.take())) : List.of();
        }

        private Circuit circuit(NativeCircuit reported, Optional<Circuit> before, Set<CircuitPair> expected) {
            CircuitPair pair = reported.pair();
            Optional<CircuitOwner> owner = memory.owner(pair);
            Circuit.Builder circuit = Circuit.newBuilder()
                    .setKey(pair.toKey())
                    .setState(reported.state())
                    .setForeign(owner.isEmpty() && !portMap.isPowerOnPosition(pair) && !expected.contains(pair));
            reported.lossDb().ifPresent(circuit::setMeasuredLossDb);
            owner.ifPresent(o -> circuit.setRole(o.role()).setOperationId(o.operationId()));
            circuit.setSince(before.filter(b -> b.getState() == reported.state())
                    .map(Circuit::getSince)
                    .orElseGet(() -> Times.wire(clock.instant())));
            return compared(pair, circuit);
        }

        /** Whether any of them changed by a step. */
        boolean losses(Collection<NativeCircuit> told) {
            SortedMap<CircuitPair, Circuit> after = new TreeMap<>(circuits);
            for (NativeCircuit each : told) {
                Circuit seen = after.get(each.pair());
                if (seen != null && !showsLoss(seen, each.lossDb())) {
                    Circuit.Builder measured = seen.toBuilder().clearMeasuredLossDb();
                    each.lossDb().ifPresent(measured::setMeasuredLossDb);
                    after.put(each.pair(), compared(each.pair(), measured));
                }
            }
            boolean changed = !after.equals(circuits);
            circuits = Collections.unmodifiableSortedMap(after);
            return changed;
        }

        /**
         * Says whose the circuits are, after an operation has ended; also of those that it broke, if they are there
         * again.
         */
        void attribute(Operation operation) {
            Set<CircuitPair> broken = new TreeSet<>();
            operation.getItemsList().stream()
                    .filter(item -> item.getAction() == ItemAction.ITEM_ACTION_DISCONNECT)
                    .forEach(item -> broken.add(CircuitPair.of(item.getKey())));
            SortedMap<CircuitPair, Circuit> after = new TreeMap<>();
            circuits.forEach((pair, circuit) -> {
                Optional<CircuitOwner> owner = memory.owner(pair);
                Circuit.Builder attributed = circuit.toBuilder();
                owner.ifPresent(
                        o -> attributed.setForeign(false).setRole(o.role()).setOperationId(o.operationId()));
                if (owner.isEmpty() && broken.contains(pair)) {
                    attributed
                            .setForeign(!portMap.isPowerOnPosition(pair))
                            .clearRole()
                            .clearOperationId();
                }
                after.put(pair, attributed.build());
            });
            circuits = Collections.unmodifiableSortedMap(after);
        }

        DeviceView build(long version) {
            String role = memory.holdingRole();
            return new DeviceView(
                    description,
                    version,
                    availability,
                    since,
                    silentDetail,
                    wasRead,
                    circuits,
                    Collections.unmodifiableMap(ports),
                    Collections.unmodifiableSortedMap(alarms),
                    environment,
                    powerCycles,
                    role == null ? "" : role,
                    role == null ? 0 : memory.epoch(role).epoch(),
                    role == null ? "" : memory.epoch(role).holder(),
                    role == null ? 0 : memory.generation(role),
                    memory.unsettled().stream()
                            .map(stored -> stored.operation())
                            .filter(o -> o.getOutcome() == Outcome.OUTCOME_IN_PROGRESS || o.hasConfirmBefore())
                            .toList());
        }
    }
}
