package dev.lightpath.sim.scenario;

import dev.lightpath.sim.core.Chance;
import dev.lightpath.sim.core.Chance.Draw;
import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.core.fault.FaultRequest;
import dev.lightpath.sim.core.plant.Cabling;
import dev.lightpath.sim.core.plant.DeviceKind;
import dev.lightpath.sim.core.plant.Plant;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The faults of a real cluster: 584 in 349 days, of 231 among 400 servers (InfiniteHBD, Apache-2.0). Each server is a
 * node. A node whose server fails has no power; where a link of the server was down, one of its fibres is cut.
 */
final class NodeTrace {
    private static final String FILE = "/infinitehbd-fault-trace/fault_trace.json";
    private static final int SERVERS = 400;
    private static final String LINK_FAULT = "Parameter Plane Cable";
    private static final double MILLIS_PER_DAY = 8.64e7;

    /** Days that the trace has. */
    private final double days;

    private final List<Outage> outages = new ArrayList<>();

    /** One fault of a server, in days since the trace began. */
    private record Outage(int server, double from, double to, boolean link) {}

    NodeTrace() {
        Map<String, Integer> servers = new HashMap<>();
        Map<String, Deque<Double>> open = new HashMap<>();
        double last = 0;
        for (Yaml event : Yaml.parse(FILE, text()).list("the trace")) {
            Map<String, Yaml> fields = event.entries("an event");
            String node = event.need(fields, "node_id", "an event").text("node_id");
            last = event.need(fields, "event_time", "an event").number("event_time", last, 1e6);
            servers.putIfAbsent(node, servers.size());
            Deque<Double> begun = open.computeIfAbsent(node, unseen -> new ArrayDeque<>());
            if (event.need(fields, "event_type", "an event")
                    .oneOf("event_type", Set.of("fault_start", "fault_end"))
                    .equals("fault_start")) {
                begun.addLast(last);
            } else {
                Yaml type = event.need(fields, "fault_type", "an event");
                String what = type.need(type.entries("fault_type"), "Class", "fault_type")
                        .text("Class");
                outages.add(new Outage(
                        Objects.requireNonNull(servers.get(node)), begun.removeFirst(), last, what.equals(LINK_FAULT)));
            }
        }
        days = last;
    }

    double days() {
        return days;
    }

    /**
     * The trace as it befalls the nodes of a plant, again and again. Which server a node is, is drawn from the seed.
     * Each further 400 nodes are 400 servers that begin on another day of the trace.
     *
     * @param fromDay day of the trace at which the first 400 nodes begin
     * @param speed days of the trace that pass in one day
     */
    List<TimelineEntry> entries(Plant plant, Cabling cabling, long seed, double fromDay, double speed) {
        Chance chance = new Chance(seed);
        int[] nodes = IntStream.range(0, plant.deviceCount())
                .filter(device -> plant.device(device).kind() == DeviceKind.TRANSCEIVERS)
                .toArray();
        List<TimelineEntry> entries = new ArrayList<>();
        for (int first = 0; first < nodes.length; first += SERVERS) {
            int block = first / SERVERS;
            double begins = block == 0 ? fromDay : chance.between(Draw.SERVER, -1, block, 0, days);
            List<Integer> dealt = IntStream.range(0, SERVERS)
                    .boxed()
                    .sorted(Comparator.comparing(server -> chance.name(Draw.SERVER, block, server)))
                    .toList();
            for (int number = 0; number < outages.size(); number++) {
                Outage outage = outages.get(number);
                int at = first + dealt.get(outage.server);
                if (at < nodes.length) {
                    FaultRequest fault = fault(outage, plant, cabling, nodes[at], chance.unit(Draw.SERVER, -2, number));
                    add(entries, outage, fault, begins, speed);
                }
            }
        }
        return entries;
    }

    private void add(List<TimelineEntry> entries, Outage outage, FaultRequest fault, double begins, double speed) {
        double starts = outage.from - begins;
        long period = millis(days, speed);
        if (starts < 0) {
            if (outage.to > begins) {
                entries.add(new TimelineEntry(0, 0, fault.lasting(millis(outage.to - begins, speed)), ""));
            }
            starts += days;
        }
        entries.add(new TimelineEntry(
                Math.round(starts * MILLIS_PER_DAY / speed),
                period,
                fault.lasting(millis(outage.to - outage.from, speed)),
                ""));
    }

    /** A fault of no length is one all the same. */
    private static long millis(double lasting, double speed) {
        return Math.max(1, Math.round(lasting * MILLIS_PER_DAY / speed));
    }

    private static FaultRequest fault(Outage outage, Plant plant, Cabling cabling, int node, double which) {
        String id = plant.device(node).id();
        int[] plugged = IntStream.range(plant.firstPort(node), plant.endPort(node))
                .filter(port -> cabling.to(port) >= 0)
                .toArray();
        return outage.link && plugged.length > 0
                ? FaultRequest.of(id, plant.portName(plugged[(int) (which * plugged.length)]), FaultKind.FIBRE_CUT)
                : FaultRequest.of(id, "", FaultKind.POWER_LOSS);
    }

    private static String text() {
        try (InputStream in = NodeTrace.class.getResourceAsStream(FILE)) {
            return new String(Objects.requireNonNull(in, FILE).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
