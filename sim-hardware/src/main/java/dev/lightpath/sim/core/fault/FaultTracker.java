package dev.lightpath.sim.core.fault;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The active faults by port and by device. Most ports have none, so they are kept sparsely. */
public final class FaultTracker {
    private static final double NANOS_PER_HOUR = 3.6e12;

    private final Map<String, Fault> standing = new LinkedHashMap<>();
    private final Map<Integer, List<Fault>> byPort = new HashMap<>();
    private final Map<Integer, List<Fault>> byDevice = new HashMap<>();
    private final BitSet blinked = new BitSet();

    public void add(Fault fault) {
        standing.put(fault.id(), fault);
        for (int port : fault.ports()) {
            byPort.computeIfAbsent(port, p -> new ArrayList<>(1)).add(fault);
        }
        if (fault.ports().isEmpty()) {
            byDevice.computeIfAbsent(fault.device(), d -> new ArrayList<>(1)).add(fault);
        }
    }

    public @Nullable Fault remove(String id) {
        Fault fault = standing.remove(id);
        if (fault == null) {
            return null;
        }
        for (int port : fault.ports()) {
            drop(byPort, port, fault);
            if (fault.kind() == FaultKind.INTERMITTENT && !at(port, FaultKind.INTERMITTENT)) {
                blinked.clear(port);
            }
        }
        if (fault.ports().isEmpty()) {
            drop(byDevice, fault.device(), fault);
        }
        return fault;
    }

    public boolean stands(String id) {
        return standing.containsKey(id);
    }

    public Collection<Fault> all() {
        return standing.values();
    }

    public boolean at(int port, FaultKind kind) {
        return find(byPort.get(port), kind) != null;
    }

    public @Nullable Fault ofDevice(int device, FaultKind kind) {
        return find(byDevice.get(device), kind);
    }

    public boolean has(int device, FaultKind kind) {
        return ofDevice(device, kind) != null;
    }

    /** Whether light passes a port. */
    public boolean passes(int port) {
        List<Fault> faults = byPort.get(port);
        if (faults == null) {
            return true;
        }
        for (Fault fault : faults) {
            FaultKind kind = fault.kind();
            if (kind == FaultKind.DEAD_ELEMENT
                    || kind == FaultKind.PORT_FAILED
                    || kind == FaultKind.PORT_FAILED_SILENT
                    || (kind == FaultKind.INTERMITTENT && blinked.get(port))) {
                return false;
            }
        }
        return true;
    }

    /** Whether the fibre plugged into a port carries light. */
    public boolean fibreCarries(int port) {
        List<Fault> faults = byPort.get(port);
        if (faults == null) {
            return true;
        }
        for (Fault fault : faults) {
            if (fault.kind() == FaultKind.FIBRE_CUT
                    || (fault.kind() == FaultKind.SWAPPED_PAIR && fault.otherPort() < 0)) {
                return false;
            }
        }
        return true;
    }

    /** Loss in dB that faults add at a port. */
    public double extraLossDb(int port, long nowNanos) {
        List<Fault> faults = byPort.get(port);
        if (faults == null) {
            return 0;
        }
        double loss = 0;
        for (Fault fault : faults) {
            if (fault.kind() == FaultKind.DIRTY_CONNECTOR) {
                loss += fault.value();
            } else if (fault.kind() == FaultKind.LOSS_DRIFT) {
                loss += fault.value() * (nowNanos - fault.sinceNanos()) / NANOS_PER_HOUR;
            }
        }
        return loss;
    }

    /** Loss in dB that dirt on the connector of a port takes away. */
    public double dirtDb(int port) {
        return byPort.getOrDefault(port, List.of()).stream()
                .filter(fault -> fault.kind() == FaultKind.DIRTY_CONNECTOR)
                .mapToDouble(Fault::value)
                .sum();
    }

    /** Whether the device itself knows that a port does not work. */
    public boolean knownFailed(int port) {
        return at(port, FaultKind.PORT_FAILED) || at(port, FaultKind.DEAD_ELEMENT);
    }

    public void blink(int port) {
        blinked.flip(port);
    }

    private static void drop(Map<Integer, List<Fault>> index, int key, Fault fault) {
        List<Fault> faults = index.get(key);
        if (faults != null) {
            faults.remove(fault);
            if (faults.isEmpty()) {
                index.remove(key);
            }
        }
    }

    private static @Nullable Fault find(@Nullable List<Fault> faults, FaultKind kind) {
        if (faults == null) {
            return null;
        }
        for (Fault fault : faults) {
            if (fault.kind() == kind) {
                return fault;
            }
        }
        return null;
    }
}
