package dev.lightpath.sim.managed;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.core.PortHealth;
import dev.lightpath.sim.core.Report;
import dev.lightpath.sim.core.move.BatchOutcome;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.move.Move;
import dev.lightpath.sim.core.plant.DeviceSpec;
import dev.lightpath.sim.core.plant.Plant;
import dev.lightpath.sim.loop.HardwareLoop;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One emulated switch and its hardware, as a management protocol asks and changes it. */
public final class ManagedSwitch implements AutoCloseable {
    private static final long LOOK_MILLIS = 20;
    private static final int LONGEST_MOVE_SECONDS = 120;

    /** Hears what happens, on a thread of its own. */
    public interface Listener {
        /** It is looked at, some 50 times a second. */
        default void looked() {}

        /** Whether anybody hears of alarms. Those that began before are told then. */
        boolean hears();

        /** Light at a port is not as it should be, or is so again. */
        void alarm(String port, boolean stands);

        /** The management is silent, or has started again: every session is over. */
        void over();
    }

    /**
     * Port, status and what is measured there.
     *
     * @param shut whether its shutter is closed
     * @param powerDbm receive power, may be NaN
     * @param attenuationDb what its attenuator takes away, NaN where it has none
     * @param farEnd that the label of its fibre names, empty where there is none
     */
    public record PortRow(
            String port, boolean failed, boolean shut, double powerDbm, double attenuationDb, String farEnd) {}

    private final Hardware hardware;
    private final HardwareLoop loop;
    private final int device;
    private final Thread looker;
    private volatile boolean closed;

    public ManagedSwitch(String id, Hardware hardware, HardwareLoop loop, Listener listener) {
        this.hardware = hardware;
        this.loop = loop;
        this.device = hardware.plant().findDevice(id);
        this.looker = Thread.ofVirtual().name("managed-switch").start(() -> look(listener));
    }

    private void look(Listener listener) {
        Set<String> known = new TreeSet<>();
        String boot = loop.ask(() -> hardware.bootId(device));
        while (!closed) {
            try {
                Thread.sleep(LOOK_MILLIS);
                String now = loop.ask(() -> hardware.bootId(device));
                if (!reachable() || !now.equals(boot)) {
                    listener.over();
                    boot = now;
                }
                listener.looked();
                if (!listener.hears()) {
                    continue;
                }
                Set<String> standing = standing();
                for (String port : standing) {
                    if (!known.contains(port)) {
                        listener.alarm(port, true);
                    }
                }
                for (String port : known) {
                    if (!standing.contains(port)) {
                        listener.alarm(port, false);
                    }
                }
                known = standing;
            } catch (InterruptedException | IllegalStateException stopping) {
                return;
            }
        }
    }

    private Set<String> standing() {
        Set<String> standing = new TreeSet<>();
        report().alarms().forEach(alarm -> {
            switch (alarm.kind()) {
                case LOSS_OF_SIGNAL, LOW_POWER, HIGH_POWER -> standing.add(alarm.where());
                default -> {}
            }
        });
        return standing;
    }

    public boolean reachable() {
        return loop.ask(() -> hardware.reachable(device));
    }

    private Report report() {
        return loop.ask(() -> hardware.report(device));
    }

    /** Circuits that are made or on their way, by ingress. */
    public Map<String, String> circuits() {
        Plant plant = hardware.plant();
        Map<String, String> all = new TreeMap<>();
        for (Report.ConnectionView each : report().connections()) {
            if (each.state() != ConnectionState.BLOCKED) {
                all.put(plant.portName(each.ingress()), plant.portName(each.egress()));
            }
        }
        return all;
    }

    /** Circuits that are made, by ingress. */
    public Map<String, String> settled() {
        Map<String, String> all = new TreeMap<>();
        connections().forEach((move, state) -> {
            if (state == ConnectionState.TUNED) {
                all.put(move.ingress(), move.egress());
            }
        });
        return all;
    }

    /** As {@link #circuits}, with their states. */
    public Map<Move, ConnectionState> connections() {
        Plant plant = hardware.plant();
        Map<Move, ConnectionState> all = new LinkedHashMap<>();
        for (Report.ConnectionView each : report().connections()) {
            if (each.state() != ConnectionState.BLOCKED) {
                all.put(new Move(plant.portName(each.ingress()), plant.portName(each.egress())), each.state());
            }
        }
        return all;
    }

    /** Insertion loss that the factory measured between two of its ports, in dB. */
    public double factoryLossDb(String ingress, String egress) {
        Plant plant = hardware.plant();
        return hardware.factoryLossDb(plant.findPort(device, ingress), plant.findPort(device, egress));
    }

    public List<PortRow> ports() {
        return loop.ask(() -> hardware.report(device).ports().stream()
                .map(each -> new PortRow(
                        hardware.plant().portName(each.port()),
                        each.health() == PortHealth.FAILED,
                        each.shut(),
                        each.receivePowerDbm(),
                        each.attenuationDb(),
                        farEnd(each.port())))
                .toList());
    }

    /** As the label of its fibre says: where its light goes, or else where it comes from. Empty where there is none. */
    private String farEnd(int port) {
        int to = hardware.cabling().labelTo(port);
        int end = to >= 0 ? to : hardware.cabling().labelFrom(port);
        return end < 0 ? "" : hardware.plant().fullName(end);
    }

    /** Closes or opens the shutter of a port that it has. */
    public void shutter(String port, boolean closed) {
        loop.execute(() -> hardware.shutter(hardware.plant().findPort(device, port), closed));
    }

    public boolean hasPort(String port) {
        return hardware.plant().findPort(device, port) >= 0;
    }

    /** Such as {@code 16x16}, or {@code 32xCC} where any port may meet any other. */
    public String size() {
        DeviceSpec shape = hardware.plant().device(device);
        int ingress = shape.ingressPorts();
        return shape.twoSided() ? ingress + "x" + (shape.size() - ingress) : shape.size() + "xCC";
    }

    /** Ports of the ingress side, 0 where there are no sides. */
    public int ingressPorts() {
        return hardware.plant().device(device).ingressPorts();
    }

    public String serial() {
        return loop.ask(() -> hardware.serial(device));
    }

    public String firmware() {
        return hardware.plant().device(device).firmware();
    }

    /**
     * Moves, and waits until all has settled.
     *
     * @throws IllegalStateException when the hardware does not answer
     */
    public BatchOutcome move(List<Move> disconnects, List<Move> connects) {
        return ask(disconnects, connects, true);
    }

    /**
     * Begins to move, and does not wait.
     *
     * @throws IllegalStateException when the hardware does not answer
     */
    public BatchOutcome take(List<Move> disconnects, List<Move> connects) {
        return ask(disconnects, connects, false);
    }

    private BatchOutcome ask(List<Move> disconnects, List<Move> connects, boolean settled) {
        CompletableFuture<BatchOutcome> done = new CompletableFuture<>();
        loop.execute(() -> hardware.move(device, disconnects, connects, settled, done::complete));
        try {
            return done.get(LONGEST_MOVE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("stopping", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the hardware did not answer", e);
        }
    }

    @Override
    public void close() {
        closed = true;
        looker.interrupt();
    }
}
