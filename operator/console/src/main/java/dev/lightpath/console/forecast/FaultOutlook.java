package dev.lightpath.console.forecast;

import dev.lightpath.console.Look;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.simulation.FaultPreview;
import dev.lightpath.planner.engine.simulation.FaultSimulation;
import dev.lightpath.planner.engine.simulation.Snapshot;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.reading.RefusedFabrics;
import dev.lightpath.reading.pod.PodAttribution;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a fault would do to jobs and static topologies, simulated on one look at everything: all fabrics are one world,
 * since jobs may be on two of them.
 */
public final class FaultOutlook {
    private final Look look;
    private final Standing standing;
    private final SortedMap<String, RingIntent> rings = new TreeMap<>();
    private final SortedMap<String, OcsIntent> spines = new TreeMap<>();
    private final List<String> leftOut = new ArrayList<>();
    private final List<Subject> faulty = new ArrayList<>();
    private final Map<String, OpticalFabric> fabrics = new TreeMap<>();
    private final Function<TopologyQuestion, TopologyAnswer> solver;
    private final BooleanSupplier late;
    private final Consumer<String> remark;

    /**
     * Linear in all objects.
     *
     * @param look names in answers are those that its sight shows
     * @param foreign nodes of a ring with light that nobody planned
     * @param solver answers a question about circuits between pods
     * @param late whether a simulation is to end as far as it has come
     * @param remark takes lines for a person, beside the answer
     */
    public FaultOutlook(
            Look look,
            PodAttribution pods,
            Function<OpticalFabric, Set<String>> foreign,
            Function<TopologyQuestion, TopologyAnswer> solver,
            BooleanSupplier late,
            Consumer<String> remark) {
        this.look = look;
        this.solver = solver;
        this.late = late;
        this.remark = remark;
        look.fabrics().forEach(fabric -> fabrics.put(fabric.getMetadata().getName(), fabric));
        this.standing = Standing.of(fabrics, look.jobs(), look.slices(), pods, this::misread);
        Map<String, String> refused = RefusedFabrics.of(look.fabrics(), look.switches(), look.nodes());
        for (OpticalFabric fabric : fabrics.values()) {
            try {
                String claimed = refused.get(fabric.getMetadata().getName());
                if (claimed != null) {
                    throw new BadInput("fabric " + fabric.getMetadata().getName() + ": " + claimed);
                }
                read(fabric, pods, foreign);
            } catch (BadInput misread) {
                leftOut.add(fabric.getMetadata().getName());
                remark.accept("lightpath: jobs on this fabric are left out: " + misread.getMessage());
            }
        }
    }

    private void misread(FabricSlice slice, BadInput why) {
        remark.accept("lightpath: this is left out, what it has counts as free: "
                + (look.sight().shows(slice.getMetadata().getNamespace())
                        ? why.getMessage()
                        : "a slice that you may not see"));
    }

    private void read(OpticalFabric fabric, PodAttribution pods, Function<OpticalFabric, Set<String>> foreign) {
        String name = fabric.getMetadata().getName();
        if (fabric.getSpec().ocsTrx() != null) {
            rings.put(name, Situation.ring(fabric, look.nodes(), Situation.busy(pods, fabric, foreign.apply(fabric))));
        } else {
            spines.put(name, Situation.spine(fabric, look.switches(), look.nodes(), pods.busy()));
        }
        faulty.addAll(Situation.faulty(fabric));
    }

    /** Refuses what is on no fabric that could be read, or is of another type than asked for. */
    private void require(FaultName fault) {
        switch (fault.subject()) {
            case Subject.OfNode of -> {
                if (look.nodes().stream()
                        .noneMatch(node -> node.getMetadata().getName().equals(of.node()))) {
                    throw new BadInput("there is no node " + of.node());
                }
                boolean known = ring(of.node()).isPresent()
                        || spines.values().stream().anyMatch(spine -> holds(spine, of.node()));
                if (!known) {
                    throw new BadInput("node " + of.node()
                            + " is on no ring of transceivers and in no pod of a fabric with optical switches"
                            + unread());
                }
            }
            case Subject.OfDevice of -> device(fault, of.device());
            case Subject.OfPort of -> {
                device(fault, of.device());
                port(of);
            }
        }
    }

    private void device(FaultName fault, String device) {
        if (opticalSwitch(device).isPresent()) {
            return;
        }
        boolean asSwitch = fault.type() == FaultName.Type.SWITCH;
        if (ring(device).isEmpty()) {
            throw asSwitch
                    ? BadInput.unknown(
                            "optical switch",
                            device,
                            unread(),
                            spines.values().stream()
                                    .flatMap(spine -> spine.switches().keySet().stream())
                                    .toList())
                    : BadInput.unknown(
                            "node with transceivers",
                            device,
                            unread(),
                            rings.values().stream()
                                    .flatMap(ring -> ring.nodes().values().stream())
                                    .map(RingNode::name)
                                    .toList());
        }
        if (asSwitch) {
            throw new BadInput("'" + fault.words() + "': " + device
                    + " is a node with transceivers, no optical switch: say "
                    + fault.subject().label());
        }
    }

    private void port(Subject.OfPort of) {
        Optional<OcsSwitch> wired = opticalSwitch(of.device());
        if (wired.isPresent()) {
            List<String> ports = wired.get().wiring().stream()
                    .flatMap(wire -> Stream.of(wire.ingress(), wire.egress()))
                    .distinct()
                    .toList();
            if (!ports.contains(of.port())) {
                throw new BadInput("switch " + of.device() + " has no pod wired to port " + of.port() + "; "
                        + BadInput.some(ports));
            }
            return;
        }
        int reach = ring(of.device()).orElseThrow().ring().reach();
        String bundles = "b[0-" + (reach - 1) + "]";
        if (!of.port().matches(bundles + "(\\.(common|loop|path1|path2))?")) {
            throw new BadInput("node " + of.device() + " has no port " + of.port() + ": allowed are b0 to b"
                    + (reach - 1) + ", alone or with .path1, .path2, .loop or .common");
        }
    }

    /** Ends a refusal where something could not be looked at. */
    private String unread() {
        return leftOut.isEmpty() ? "" : " (left out: fabric " + String.join(", fabric ", leftOut) + ")";
    }

    /** What fails, in words of who asks; of a switch that is asked for as a device it says so. */
    public String title(FaultName fault) {
        return opticalSwitch(fault.subject().holder())
                .filter(of -> fault.type() == FaultName.Type.DEVICE || fault.type() == FaultName.Type.PORT)
                .map(of -> fault.words() + " (" + of.name() + " is an optical switch)")
                .orElse(fault.words());
    }

    private static boolean holds(OcsIntent spine, String node) {
        return spine.pods().stream().anyMatch(pod -> pod.nodes().containsKey(node));
    }

    private Optional<RingIntent> ring(String node) {
        return rings.values().stream().filter(ring -> sits(ring, node)).findFirst();
    }

    private static boolean sits(RingIntent ring, String node) {
        return ring.nodes().values().stream().anyMatch(seat -> seat.name().equals(node));
    }

    private Optional<OcsSwitch> opticalSwitch(String name) {
        return spines.values().stream()
                .flatMap(spine -> Optional.ofNullable(spine.switches().get(name)).stream())
                .findFirst();
    }

    /**
     * What a fault would do. Some passes of the operator, and the time of its questions; what the sight does not show
     * is simulated too, and counted.
     *
     * @throws BadInput when it is on no fabric that could be read
     */
    public FaultReport.Document strike(FaultName name) {
        require(name);
        Instant now = look.at();
        Subject fault = name.subject();
        Set<JobId> ended = fault instanceof Subject.OfNode of ? on(of.node()) : Set.of();
        FaultSimulation simulation = new FaultSimulation(
                new Snapshot(now, rings, spines, standing.slices(), standing.ledger(), faulty), solver, late);
        FaultPreview first = simulation.strike(fault, without(ended));
        Set<SliceId> waiting = new TreeSet<>();
        Set<JobId> stopped = new TreeSet<>(ended);
        first.effects().forEach((id, effect) -> {
            if (effect.placement() instanceof Placement.Faulted faulted && !faulted.degraded()) {
                waiting.add(id);
                stopped.add(slice(id).job());
            }
        });
        FaultPreview then = waiting.isEmpty() ? first : simulation.strike(fault, without(stopped));
        Map<JobId, List<SliceLoss>> ofJobs = new TreeMap<>();
        List<SliceLoss> topologies = new ArrayList<>();
        Set<SliceId> hidden = new TreeSet<>();
        then.effects().forEach((id, effect) -> {
            SliceIntent slice = slice(id);
            if (slice.wanted() && !shows(slice)) {
                hidden.add(id);
            } else if (slice.wanted() && !told(slice, fault)) {
                boolean dying = ended.contains(slice.job());
                Optional<String> waits = Optional.ofNullable(fabrics.get(slice.fabric()))
                        .map(Halt::of)
                        .or(() -> dying || waiting.contains(id)
                                ? Optional.ofNullable(FaultReport.waitsFor(slice, dying))
                                : Optional.empty());
                List<SliceLoss> losses = slice.demand() instanceof Demand.Topology
                        ? topologies
                        : ofJobs.computeIfAbsent(slice.job(), none -> new ArrayList<>());
                losses.add(SliceLoss.of(slice, effect, wiring(slice.fabric()), waits));
            }
        });
        List<JobLoss> jobs = ofJobs.entrySet().stream()
                .map(of -> new JobLoss(of.getKey().namespace(), of.getKey().name(), of.getValue()))
                .toList();
        Set<SliceId> anew = then.effects().entrySet().stream()
                .filter(effect -> effect.getValue().placedAnew())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        List<FaultReport> reports = List.of();
        if (fault instanceof Subject.OfNode of) {
            reports = reports(of.node(), anew, now);
            standing.slices().values().stream()
                    .filter(slice -> told(slice, fault) && !shows(slice))
                    .forEach(slice -> hidden.add(slice.id()));
        }
        String refusals = Stream.concat(
                        reports.stream().flatMap(FaultReport::refusals),
                        Stream.concat(jobs.stream().flatMap(job -> job.slices().stream()), topologies.stream())
                                .flatMap(loss -> loss.refusal().stream()))
                .collect(Collectors.joining("; "));
        return new FaultReport.Document(
                refusals.isEmpty() ? null : refusals,
                fault.label(),
                reports,
                jobs,
                topologies,
                hidden.isEmpty() ? null : hidden.size(),
                then.settled());
    }

    private boolean shows(SliceIntent slice) {
        return look.sight().shows(slice.id().namespace());
    }

    /**
     * The same in lines, for a console.
     *
     * @param fault as TYPE/NAME
     * @throws BadInput when it is none, or on no fabric that could be read
     */
    public List<String> lines(String fault) {
        FaultName name = FaultName.parse(fault);
        return strike(name).lines(title(name));
    }

    /** Whether the report of its ring tells of a slice already. */
    private boolean told(SliceIntent slice, Subject fault) {
        return fault instanceof Subject.OfNode of
                && rings.containsKey(slice.fabric())
                && sits(Objects.requireNonNull(rings.get(slice.fabric())), of.node())
                && FaultReport.tells(slice, standing.ledger().get(slice.id()), of.node());
    }

    private List<FaultReport> reports(String node, Set<SliceId> anew, Instant now) {
        return rings.values().stream()
                .flatMap(ring -> {
                    OpticalFabric fabric = Objects.requireNonNull(fabrics.get(ring.name()));
                    return FaultReport.of(situation(ring, fabric), node, Halt.of(fabric), anew, now, look.sight())
                            .stream();
                })
                .toList();
    }

    /** One ring by itself. */
    private Situation situation(RingIntent ring, OpticalFabric fabric) {
        SortedMap<SliceId, SliceIntent> slices = new TreeMap<>(standing.slices());
        slices.values().removeIf(slice -> !slice.fabric().equals(ring.name()));
        SortedMap<SliceId, SliceIntent> idle = new TreeMap<>(standing.idle());
        idle.keySet().retainAll(slices.keySet());
        SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>(standing.ledger());
        ledger.keySet().retainAll(slices.keySet());
        return new Situation(ring, slices, idle, ledger, Situation.faulty(fabric));
    }

    private SortedMap<SliceId, SliceIntent> without(Set<JobId> pods) {
        SortedMap<SliceId, SliceIntent> struck = new TreeMap<>(standing.slices());
        struck.replaceAll(
                (id, slice) -> pods.contains(slice.job()) ? standing.idle().getOrDefault(id, slice) : slice);
        return struck;
    }

    /** Jobs with a record that names the node. */
    private Set<JobId> on(String node) {
        return standing.slices().values().stream()
                .filter(slice -> FaultReport.serves(standing.ledger().get(slice.id()), node))
                .map(SliceIntent::job)
                .collect(Collectors.toSet());
    }

    private SliceIntent slice(SliceId id) {
        return Objects.requireNonNull(standing.slices().get(id));
    }

    private Optional<OcsWiring> wiring(String fabric) {
        return Optional.ofNullable(spines.get(fabric)).map(OcsWiring::of);
    }
}
