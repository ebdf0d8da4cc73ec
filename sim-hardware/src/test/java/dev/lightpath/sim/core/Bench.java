package dev.lightpath.sim.core;

import dev.lightpath.sim.core.Report.ConnectionView;
import dev.lightpath.sim.core.Report.PortView;
import dev.lightpath.sim.core.fault.Fault;
import dev.lightpath.sim.core.fault.FaultRequest;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.move.Move;
import dev.lightpath.sim.core.move.MoveOutcome;
import dev.lightpath.sim.core.plant.Plant;
import dev.lightpath.sim.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Hardware of a scenario with a stopped clock, spoken to by names. */
public final class Bench {
    public static final long MILLI = 1_000_000;

    public final Hardware hardware;
    public final Plant plant;

    public Bench(String... yaml) {
        Scenario scenario = Scenario.parse("test.yaml", String.join("\n", yaml));
        hardware = new Hardware(scenario.plant(), scenario.cabling(), scenario.seed());
        plant = hardware.plant();
    }

    public void pass(long millis) {
        hardware.advanceTo(hardware.nowNanos() + millis * MILLI);
    }

    /** Connects and lets the move end. */
    public MoveOutcome connect(String device, String ingress, String egress) {
        List<MoveOutcome> outcomes = new ArrayList<>();
        begin(device, ingress, egress, outcomes);
        pass(1000);
        return outcomes.getFirst();
    }

    /** Connects; the outcome comes when time passes. */
    public void begin(String device, String ingress, String egress, List<MoveOutcome> outcomes) {
        hardware.move(
                plant.findDevice(device),
                List.of(),
                List.of(new Move(ingress, egress)),
                true,
                batch -> outcomes.addAll(batch.connects()));
    }

    public MoveOutcome disconnect(String device, String ingress, String egress) {
        List<MoveOutcome> outcomes = new ArrayList<>();
        hardware.move(
                plant.findDevice(device),
                List.of(new Move(ingress, egress)),
                List.of(),
                true,
                batch -> outcomes.addAll(batch.disconnects()));
        return outcomes.getFirst();
    }

    /** What light does in a device, ingress to egress. */
    public Map<String, String> truth(String device) {
        Map<String, String> truth = new TreeMap<>();
        hardware.forEachLit(plant.findDevice(device), (in, out) -> truth.put(plant.portName(in), plant.portName(out)));
        return truth;
    }

    /** What a device reports as TUNED, ingress to egress. */
    public Map<String, String> reported(String device) {
        Map<String, String> reported = new TreeMap<>();
        for (ConnectionView view : hardware.report(plant.findDevice(device)).connections()) {
            if (view.state() == ConnectionState.TUNED) {
                reported.put(plant.portName(view.ingress()), plant.portName(view.egress()));
            }
        }
        return reported;
    }

    public PortView port(String device, String port) {
        int d = plant.findDevice(device);
        return hardware.report(d).ports().get(plant.findPort(d, port) - plant.firstPort(d));
    }

    /** Full name of the port that a port hears, or its lock state. */
    public String hears(String device, String port) {
        PortView view = port(device, port);
        return view.heard() < 0 ? view.lock().name() : plant.fullName(view.heard());
    }

    public List<AlarmKind> alarms(String device) {
        return hardware.report(plant.findDevice(device)).alarms().stream()
                .map(Report.AlarmView::kind)
                .toList();
    }

    public Fault inject(FaultRequest request) {
        return hardware.inject(request);
    }

    public void clear(Fault fault) {
        hardware.clearFaults(standing -> standing.id().equals(fault.id()));
    }
}
