package dev.lightpath.planner.ocs;

import dev.lightpath.planner.discovery.FibreEnd;
import dev.lightpath.planner.discovery.Found;
import dev.lightpath.planner.discovery.Found.Evidence;
import dev.lightpath.planner.discovery.SwitchDiscovery;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsSwitch.Wire;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The fibres of a switch as they were found, held against its wiring as it is written. One line for each finding. */
public final class FoundWiring {
    /** Numbers in order of value. */
    private static final Comparator<FarEnd> BY_PORT = Comparator.comparing(FarEnd::device)
            .thenComparingInt(end -> end.port().length())
            .thenComparing(FarEnd::port);

    /** A line in the status is not long. */
    private static final int MOST_NAMED = 16;

    private final Set<String> pods;
    private final SortedMap<FibreEnd, Found> found;
    private final SortedMap<String, FarEnd> hints;
    private final SortedMap<FibreEnd, Wire> written = new TreeMap<>();
    private final Set<FibreEnd> told = new HashSet<>();
    private final List<String> findings = new ArrayList<>();

    private FoundWiring(Set<String> pods, SwitchDiscovery discovery, Optional<Inventory> inventory) {
        this.pods = pods;
        this.found = discovery.found();
        this.hints = inventory.map(Inventory::peers).orElseGet(Collections::emptySortedMap);
    }

    /**
     * Linear in ports. Empty where all that was found is as written.
     *
     * @param of the switch as it is written; without wires where its wiring is unknown
     * @param pods of its fabric
     * @param inventory of its device, whose hints say where fibres should end
     */
    public static List<String> findings(
            OcsSwitch of, Set<String> pods, SwitchDiscovery discovery, Optional<Inventory> inventory) {
        FoundWiring check = new FoundWiring(pods, discovery, inventory);
        for (Wire wire : of.wiring()) {
            if (of.kind() == DeviceKind.TWO_SIDED) {
                check.written.putIfAbsent(FibreEnd.ingress(wire.ingress()), wire);
                check.written.putIfAbsent(FibreEnd.egress(wire.egress()), wire);
            } else {
                check.written.putIfAbsent(FibreEnd.both(wire.ingress()), wire);
            }
        }
        check.crossed();
        check.wrong();
        check.silent();
        check.unwritten(of.isWired());
        check.parted();
        if (!of.isWired()) {
            check.unexplained();
        }
        return List.copyOf(check.findings);
    }

    /**
     * The wiring as it was found, pod by pod in the order of the far ends' ports. A wire as it is written
     * stays, behind those, unless something was found against it: a fibre that is dark or leads elsewhere, a port that
     * belongs to another wire, or two fibres that lead to two ports. Fibres that were not heard prove nothing. O(ports
     * log ports).
     *
     * @param of the switch as it is written
     */
    public static List<Wire> wires(OcsSwitch of, Set<String> pods, Map<FibreEnd, Found> found) {
        SortedMap<FarEnd, String> in = new TreeMap<>(BY_PORT);
        SortedMap<FarEnd, String> out = new TreeMap<>(BY_PORT);
        found.forEach((end, there) -> {
            if (there.leads() && pods.contains(there.farEnds().getFirst().device())) {
                if (end.side() != FibreEnd.Side.EGRESS) {
                    in.putIfAbsent(there.farEnds().getFirst(), end.port());
                }
                if (end.side() != FibreEnd.Side.INGRESS) {
                    out.putIfAbsent(there.farEnds().getFirst(), end.port());
                }
            }
        });
        SortedMap<String, List<Wire>> byPod = new TreeMap<>();
        in.forEach((farEnd, ingress) -> {
            String egress = out.get(farEnd);
            if (egress != null) {
                List<Wire> wires = byPod.computeIfAbsent(farEnd.device(), pod -> new ArrayList<>());
                wires.add(new Wire(ingress, egress, farEnd.device(), wires.size()));
            }
        });
        Set<FibreEnd> placed = new HashSet<>();
        byPod.values().forEach(wires -> wires.forEach(wire -> placed.addAll(ends(of, wire))));
        for (Wire wire : of.wiring()) {
            List<FibreEnd> ends = ends(of, wire);
            boolean contradicted =
                    ends.stream().anyMatch(end -> placed.contains(end) || contradicts(found.get(end), wire.pod()));
            boolean parted = ends.stream()
                            .map(found::get)
                            .filter(there -> there != null && there.leads())
                            .map(Found::farEnds)
                            .distinct()
                            .count()
                    > 1;
            if (!contradicted && !parted) {
                List<Wire> wires = byPod.computeIfAbsent(wire.pod(), pod -> new ArrayList<>());
                wires.add(new Wire(wire.ingress(), wire.egress(), wire.pod(), wires.size()));
            }
        }
        return byPod.values().stream().flatMap(List::stream).toList();
    }

    private static List<FibreEnd> ends(OcsSwitch of, Wire wire) {
        return of.kind() == DeviceKind.TWO_SIDED
                ? List.of(FibreEnd.ingress(wire.ingress()), FibreEnd.egress(wire.egress()))
                : List.of(FibreEnd.both(wire.ingress()));
    }

    private static boolean contradicts(@Nullable Found there, String pod) {
        return there != null
                && switch (there.evidence()) {
                    case DARK -> true;
                    case HEARD, IN_USE, AMBIGUOUS ->
                        there.farEnds().stream().noneMatch(end -> end.device().equals(pod));
                    case UNHEARD -> false;
                };
    }

    private Optional<FarEnd> leads(FibreEnd end) {
        Found there = found.get(end);
        return there != null && there.leads() ? Optional.of(there.farEnds().getFirst()) : Optional.empty();
    }

    /** Two ports of which each leads to the pod that is written at the other. */
    private void crossed() {
        Map<String, List<FibreEnd>> astray = new TreeMap<>();
        written.forEach((end, wire) -> leads(end)
                .filter(to -> !to.device().equals(wire.pod()))
                .ifPresent(to -> astray.computeIfAbsent(
                                end.side() + "|" + to.device() + "|" + wire.pod(), key -> new ArrayList<>())
                        .add(end)));
        written.forEach((end, wire) -> {
            FarEnd to = leads(end).orElse(null);
            if (to == null || to.device().equals(wire.pod()) || told.contains(end)) {
                return;
            }
            astray.getOrDefault(end.side() + "|" + wire.pod() + "|" + to.device(), List.of()).stream()
                    .filter(other -> !told.contains(other))
                    .findFirst()
                    .ifPresent(other -> {
                        told.add(end);
                        told.add(other);
                        findings.add("crossed: " + end + " leads to " + to + " and is written as pod " + wire.pod()
                                + ", " + other + " leads to "
                                + leads(other).orElseThrow() + " and is written as pod " + to.device());
                    });
        });
    }

    private void wrong() {
        written.forEach((end, wire) -> leads(end)
                .filter(to -> !to.device().equals(wire.pod()) && told.add(end))
                .ifPresent(to -> findings.add("wrong pod: " + end + " leads to " + to + ", which is "
                        + (pods.contains(to.device()) ? "" : "no pod of the fabric, ") + "not pod " + wire.pod()
                        + " as written")));
    }

    private void silent() {
        found.forEach((end, there) -> {
            Wire wire = written.get(end);
            FarEnd hint = hints.get(end.port());
            String where = wire == null ? hint == null ? "" : hint.toString() : "pod " + wire.pod();
            if (where.isEmpty()) {
                return;
            }
            switch (there.evidence()) {
                case DARK ->
                    findings.add(
                            hint != null
                                    ? "dead fibre: " + end + " is dark; its fibre leads to " + hint
                                            + ", says the device"
                                    : !hints.isEmpty()
                                            ? "not wired: " + end + " is dark and written as " + where
                                                    + ", and the device knows of no fibre there"
                                            : "dead fibre or not wired: " + end + " is dark and written as " + where);
                case UNHEARD ->
                    findings.add(
                            "not heard: " + end + ", written as " + where
                                    + "; no port was known to work, not all far ends could be heard, or each try was disturbed");
                case HEARD, IN_USE, AMBIGUOUS -> {}
            }
        });
    }

    /**
     * Dark ends of which neither the wiring nor the device says where their fibres lead. One line for each side,
     * because a switch may have many free ports. Where the device names far ends of other ports of that side, the port
     * has no fibre.
     */
    private void unexplained() {
        SortedMap<FibreEnd.Side, List<String>> dark = new TreeMap<>();
        Set<FibreEnd.Side> named = new HashSet<>();
        found.forEach((end, there) -> {
            if (hints.containsKey(end.port())) {
                named.add(end.side());
            } else if (there.evidence() == Evidence.DARK) {
                dark.computeIfAbsent(end.side(), side -> new ArrayList<>()).add(end.toString());
            }
        });
        dark.forEach((side, ends) -> {
            if (!named.contains(side)) {
                findings.add("dead fibre or not wired: "
                        + String.join(", ", ends.subList(0, Math.min(ends.size(), MOST_NAMED)))
                        + (ends.size() > MOST_NAMED ? " and " + (ends.size() - MOST_NAMED) + " more" : "")
                        + (ends.size() == 1 ? " is" : " are") + " dark, and nothing says where a fibre leads there");
            }
        });
    }

    private void unwritten(boolean wired) {
        found.forEach((end, there) -> {
            if (there.evidence() == Evidence.AMBIGUOUS) {
                findings.add(
                        "ambiguous: " + end + " leads to " + there.farEnds().getFirst() + " or to "
                                + there.farEnds().getLast() + ": free a third port to tell");
            }
            FarEnd to = leads(end).orElse(null);
            if (to == null || written.containsKey(end)) {
                return;
            }
            if (!pods.contains(to.device())) {
                findings.add("no pod: " + end + " leads to " + to + ", and the fabric has no pod " + to.device());
            } else if (wired) {
                findings.add("not written: " + end + " leads to " + to + ", and spec.wiring does not name it");
            }
        });
    }

    /** Two fibres that are written as one port of a pod, or that belong together and of which one is missing. */
    private void parted() {
        SortedMap<String, List<FibreEnd>> byFarEnd = new TreeMap<>();
        found.keySet().stream()
                .filter(end -> end.side() != FibreEnd.Side.BOTH)
                .forEach(end -> leads(end)
                        .filter(to -> pods.contains(to.device()))
                        .ifPresent(to -> byFarEnd.computeIfAbsent(to.toString(), far -> new ArrayList<>())
                                .add(end)));
        for (Map.Entry<FibreEnd, Wire> each : written.entrySet()) {
            Wire wire = each.getValue();
            FibreEnd in = FibreEnd.ingress(wire.ingress());
            FibreEnd out = FibreEnd.egress(wire.egress());
            Optional<FarEnd> from = leads(in);
            Optional<FarEnd> to = leads(out);
            boolean both = from.isPresent() && to.isPresent() && !from.equals(to);
            if (each.getKey().equals(in) && both && !told.contains(in) && !told.contains(out)) {
                findings.add("parted: " + in + " leads to " + from.get() + " and " + out + " to " + to.get()
                        + ", and they are written as one port");
            }
        }
        byFarEnd.forEach((far, ends) -> {
            if (ends.size() == 1 && !written.containsKey(ends.getFirst())) {
                findings.add("one way: " + far + " was found at " + ends.getFirst() + " alone");
            }
        });
    }
}
