package dev.lightpath.app.publish.metrics;

import dev.lightpath.crds.Reason;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.world.World;
import dev.lightpath.reading.node.AgentTemplate;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** How fabrics stand: gauges by fabric. Not thread-safe. */
final class FabricGauges {
    static final String FABRIC = "fabric";

    /** Of what is faulty. */
    static final List<String> KINDS = List.of("node", "device", "port");

    private final MeterRegistry registry;
    private final MultiGauge nodes;
    private final MultiGauge gpus;
    private final MultiGauge circuits;
    private final MultiGauge darkness;
    private final MultiGauge optical;
    private final MultiGauge lossRise;
    private final MultiGauge waste;
    private final MultiGauge foreign;
    private final MultiGauge quarantined;
    private final MultiGauge latched;
    private final MultiGauge attention;
    private final MultiGauge connected;
    private final MultiGauge insecure;
    private final MultiGauge agents;

    private SortedMap<String, FabricVerdict> shown = new TreeMap<>();
    private SortedMap<String, Boolean> contact = new TreeMap<>();
    private SortedMap<String, Boolean> plaintext = new TreeMap<>();
    private SortedMap<String, DriverState> many = new TreeMap<>();
    private SortedSet<String> leftAlone = new TreeSet<>();

    FabricGauges(MeterRegistry registry) {
        this.registry = registry;
        nodes = gauge("lightpath.fabric.nodes", "Nodes of a fabric by state; busy and allocated ones are healthy too.");
        gpus = gauge("lightpath.fabric.gpus", "GPUs of a fabric: total, usable (allocated ones included), allocated.");
        circuits = gauge(
                "lightpath.fabric.circuits",
                "Circuits of a fabric: planned, lit of these, foreign, missing on devices that answer.");
        darkness = gauge(
                "lightpath.fabric.darkness.circuits",
                "Circuits in use that changes took down and that are not lit again, and how many may be at one instant"
                        + " (policy.disruption).");
        optical = gauge(
                "lightpath.fabric.optical.ports",
                "Ports whose light is measured, by how it fares: watched, degrading of these, and taken_out for that"
                        + " (policy.opticalHealth).");
        lossRise = gauge(
                "lightpath.fabric.loss.rise.db",
                "Highest loss of a measured port above what it was soon after its circuit was made.");
        waste = gauge(
                "lightpath.fabric.waste.ratio",
                "GPUs of healthy nodes that no plan may use, as a share of all GPUs of the fabric.");
        foreign = gauge("lightpath.foreign.circuits", "Circuits that are lit and that nobody planned.");
        quarantined = gauge(
                "lightpath.fabric.quarantined.ports",
                "Ports of slices released by force that were not read back dark.");
        latched = gauge(
                "lightpath.fabric.quarantined.faults",
                "Faults that came too often and stay until a person clears them, by what is faulty: node, device or port.");
        attention =
                gauge("lightpath.fabric.attention", "1 while the fabric waits for a person to act, by reason; else 0.");
        connected = gauge("lightpath.driver.connected", "1 while the driver of the fabric is in contact, else 0.");
        insecure =
                gauge("lightpath.driver.insecure", "1 while a driver of the fabric is spoken to without TLS, else 0.");
        agents = gauge(
                "lightpath.fabric.agents",
                "Agents of nodes, of fabrics that have them: answering, away. The nodes of those that are away are left as"
                        + " they are.");
    }

    private MultiGauge gauge(String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    /** What the pass found of each fabric; false where that is as before. */
    boolean shows(SortedMap<String, FabricVerdict> fabrics) {
        if (shown.equals(fabrics)) {
            return false;
        }
        shown = fabrics;
        show();
        return true;
    }

    /** No pass looks at them any more. */
    void ended() {
        shown = new TreeMap<>();
        contact = new TreeMap<>();
        leftAlone = new TreeSet<>();
        show();
        plaintext = new TreeMap<>();
        connected.register(List.of(), true);
        insecure.register(List.of(), true);
        many = new TreeMap<>();
        agents.register(List.of(), true);
    }

    private void show() {
        states(
                nodes,
                Map.of(
                        "total", verdict -> verdict.nodes().total(),
                        "healthy", verdict -> verdict.nodes().healthy(),
                        "faulty", verdict -> verdict.nodes().faulty(),
                        "busy", verdict -> verdict.nodes().busy(),
                        "allocated", verdict -> verdict.nodes().allocated()));
        states(
                gpus,
                Map.of(
                        "total", verdict -> verdict.gpus().total(),
                        "usable", verdict -> verdict.gpus().usable(),
                        "allocated", verdict -> verdict.gpus().allocated()));
        states(
                circuits,
                Map.of(
                        "planned", verdict -> verdict.circuits().planned(),
                        "lit", verdict -> verdict.circuits().lit(),
                        "foreign", verdict -> verdict.circuits().foreign(),
                        "missing", verdict -> verdict.circuits().missing()));
        tagged(
                darkness,
                "which",
                Map.of(
                        "dark", verdict -> verdict.darkness().circuits(),
                        "most", verdict -> verdict.darkness().most()));
        states(
                optical,
                Map.of(
                        "watched", verdict -> verdict.optical().watched(),
                        "degrading", verdict -> verdict.optical().degrading().size(),
                        "taken_out", verdict -> verdict.optical().takenOut()));
        fabrics(lossRise, verdict -> verdict.optical().worstRiseDb());
        fabrics(foreign, verdict -> verdict.circuits().foreign());
        fabrics(waste, FabricGauges::wasted);
        fabrics(quarantined, verdict -> verdict.quarantinedPorts().size());
        tagged(
                latched,
                "kind",
                KINDS.stream().collect(Collectors.toMap(kind -> kind, kind -> verdict -> latched(verdict, kind))));
        attend();
    }

    /** A fabric that is left alone is in no verdict, and nobody cares for it: it calls for a person like any other. */
    private void attend() {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        shown.forEach((fabric, verdict) -> {
            rows.add(
                    attention(fabric, Reason.MASS_FAILURE, verdict.massFailure().isPresent()));
            rows.add(attention(
                    fabric, Reason.HELD_BY_ANOTHER_ROLE, verdict.heldElsewhere().isPresent()));
            rows.add(attention(
                    fabric,
                    Reason.LEDGER_OLDER_THAN_DEVICES,
                    verdict.newerDevices().isPresent()));
            rows.add(attention(fabric, Reason.AWAITING_ADOPTION, verdict.awaitingAdoption()));
            rows.add(attention(
                    fabric, Reason.INVALID_WIRING, verdict.invalidWiring().isPresent() || leftAlone.contains(fabric)));
            rows.add(attention(fabric, Reason.NEWER_FORMAT, verdict.unreadable().isPresent()));
            rows.add(attention(fabric, Reason.RECORD_REFUSED, verdict.refused().isPresent()));
        });
        leftAlone.stream()
                .filter(fabric -> !shown.containsKey(fabric))
                .forEach(fabric -> rows.add(attention(fabric, Reason.INVALID_WIRING, true)));
        attention.register(rows, true);
    }

    private static MultiGauge.Row<?> attention(String fabric, Reason reason, boolean waits) {
        return MultiGauge.Row.of(Tags.of(FABRIC, fabric, "reason", reason.word()), waits ? 1 : 0);
    }

    private static long latched(FabricVerdict verdict, String kind) {
        return verdict.faults().stream()
                .filter(fault -> fault.quarantined() && fault.subject().kind().equals(kind))
                .count();
    }

    private static double wasted(FabricVerdict verdict) {
        if (verdict.gpus().total() == 0 || verdict.nodes().total() == 0) {
            return 0;
        }
        double perNode = (double) verdict.gpus().total() / verdict.nodes().total();
        double healthy = verdict.nodes().healthy() * perNode;
        return Math.max(0, healthy - verdict.gpus().usable()) / verdict.gpus().total();
    }

    private void states(MultiGauge gauge, Map<String, ToDoubleFunction<FabricVerdict>> states) {
        tagged(gauge, "state", states);
    }

    private void tagged(MultiGauge gauge, String tag, Map<String, ToDoubleFunction<FabricVerdict>> figures) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        shown.forEach((fabric, verdict) -> figures.forEach((word, figure) ->
                rows.add(MultiGauge.Row.of(Tags.of(FABRIC, fabric, tag, word), figure.applyAsDouble(verdict)))));
        gauge.register(rows, true);
    }

    private void fabrics(MultiGauge gauge, ToDoubleFunction<FabricVerdict> figure) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        shown.forEach((fabric, verdict) ->
                rows.add(MultiGauge.Row.of(Tags.of(FABRIC, fabric), figure.applyAsDouble(verdict))));
        gauge.register(rows, true);
    }

    /** Which fabrics are left alone, and how their drivers are reached. */
    void looked(World world) {
        Set<String> impossible = world.unreadable().fabrics().keySet();
        if (!impossible.equals(leftAlone)) {
            leftAlone = new TreeSet<>(impossible);
            attend();
        }
        agents(world);
        SortedMap<String, Boolean> now = new TreeMap<>();
        world.rings()
                .forEach((fabric, ring) ->
                        now.put(fabric, world.driver(ring.driver()).synced()));
        world.ocsFabrics()
                .forEach((fabric, spine) -> now.put(
                        fabric,
                        spine.drivers().stream()
                                .allMatch(driver -> world.driver(driver).synced())));
        if (!now.equals(contact)) {
            contact = now;
            flags(connected, now);
        }
        SortedMap<String, Boolean> open = new TreeMap<>();
        world.rings()
                .forEach((fabric, ring) ->
                        open.put(fabric, world.driver(ring.driver()).plaintext()));
        world.ocsFabrics()
                .forEach((fabric, spine) -> open.put(
                        fabric,
                        spine.drivers().stream()
                                .anyMatch(driver -> world.driver(driver).plaintext())));
        if (!open.equals(plaintext)) {
            plaintext = open;
            flags(insecure, open);
        }
    }

    /** Agents of rings whose nodes have one each. Costs nothing while they tell nothing new. */
    private void agents(World world) {
        SortedMap<String, DriverState> now = new TreeMap<>();
        world.rings().forEach((fabric, ring) -> {
            if (AgentTemplate.of(ring.driver()).isPresent()) {
                now.put(fabric, world.driver(ring.driver()));
            }
        });
        if (isSame(now)) {
            return;
        }
        many = now;
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        now.forEach((fabric, driver) -> {
            long away =
                    driver.devices().values().stream().filter(DeviceState::away).count();
            rows.add(MultiGauge.Row.of(
                    Tags.of(FABRIC, fabric, "state", "answering"),
                    driver.devices().size() - away));
            rows.add(MultiGauge.Row.of(Tags.of(FABRIC, fabric, "state", "away"), away));
        });
        agents.register(rows, true);
    }

    @SuppressWarnings("ReferenceEquality")
    private boolean isSame(SortedMap<String, DriverState> now) {
        return now.keySet().equals(many.keySet())
                && now.entrySet().stream().allMatch(driver -> driver.getValue() == many.get(driver.getKey()));
    }

    private static void flags(MultiGauge gauge, SortedMap<String, Boolean> byFabric) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        byFabric.forEach((fabric, is) -> rows.add(MultiGauge.Row.of(Tags.of(FABRIC, fabric), is ? 1 : 0)));
        gauge.register(rows, true);
    }
}
