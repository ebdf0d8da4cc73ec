package dev.lightpath.cli.cluster.forecast;

import dev.lightpath.cli.BadInput;
import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.Standing;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
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
import dev.lightpath.reading.pod.PodAttribution;
import io.fabric8.kubernetes.api.model.Node;
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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a fault would do to jobs and static topologies, simulated on one listing of everything: all fabrics are one world, since jobs
 * may be on two of them.
 */
final class FaultOutlook {
    private final Standing standing;
    private final SortedMap<String, RingIntent> rings = new TreeMap<>();
    private final SortedMap<String, OcsIntent> spines = new TreeMap<>();
    private final List<String> leftOut = new ArrayList<>();
    private final List<Subject> faulty = new ArrayList<>();
    private final Map<String, OpticalFabric> fabrics;
    private final Consumer<String> remark;

    /**
     * @param refused fabrics that are left alone, and why, by name
     * @param foreign nodes of a ring with light that nobody planned
     * @param remark takes lines for a person, beside the answer
     */
    FaultOutlook(
            Map<String, OpticalFabric> fabrics,
            Map<String, String> refused,
            List<OpticalSwitch> switches,
            List<Node> nodes,
            List<TrainingJob> jobs,
            List<FabricSlice> slices,
            PodAttribution pods,
            Function<OpticalFabric, Set<String>> foreign,
            Consumer<String> remark) {
        this.fabrics = fabrics;
        this.remark = remark;
        this.standing = Standing.of(
                fabrics,
                jobs,
                slices,
                pods,
                misread -> remark.accept(
                        "lightpath: this is left out, what it has counts as free: " + misread.getMessage()));
        for (OpticalFabric fabric : new TreeMap<>(fabrics).values()) {
            try {
                String claimed = refused.get(fabric.getMetadata().getName());
                if (claimed != null) {
                    throw new BadInput("fabric " + fabric.getMetadata().getName() + ": " + claimed);
                }
                read(fabric, switches, nodes, pods, foreign);
            } catch (BadInput misread) {
                leftOut.add(fabric.getMetadata().getName());
                remark.accept("lightpath: jobs on this fabric are left out: " + misread.getMessage());
            }
        }
    }

    private void read(
            OpticalFabric fabric,
            List<OpticalSwitch> switches,
            List<Node> nodes,
            PodAttribution pods,
            Function<OpticalFabric, Set<String>> foreign) {
        String name = fabric.getMetadata().getName();
        if (fabric.getSpec().ocsTrx() != null) {
            rings.put(name, Situation.ring(fabric, nodes, Situation.busy(pods, fabric, foreign.apply(fabric))));
        } else {
            spines.put(name, SpineOutlook.intent(fabric, switches, nodes, pods.busy()));
        }
        faulty.addAll(Situation.faulty(fabric));
    }

    /** Refuses what is on no fabric that could be read, or is of another type than asked for. */
    private void require(FaultName fault) {
        switch (fault.subject()) {
            case Subject.OfNode of -> {
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
                    ? Cluster.unknown(
                            "optical switch",
                            device,
                            unread(),
                            spines.values().stream()
                                    .flatMap(spine -> spine.switches().keySet().stream())
                                    .toList())
                    : Cluster.unknown(
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
                        + Cluster.some(ports));
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
    String title(FaultName fault) {
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
     * What a fault would do.
     *
     * @throws BadInput when it is on no fabric that could be read
     */
    FaultReport.Document strike(FaultName name, Instant now) {
        require(name);
        Subject fault = name.subject();
        Set<JobId> ended = fault instanceof Subject.OfNode of ? on(of.node()) : Set.of();
        FaultSimulation simulation = new FaultSimulation(
                new Snapshot(now, rings, spines, standing.slices(), standing.ledger(), faulty), asking());
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
        then.effects().forEach((id, effect) -> {
            SliceIntent slice = slice(id);
            if (slice.wanted() && !told(slice, fault)) {
                boolean dying = ended.contains(slice.job());
                Optional<String> waits = Optional.ofNullable(fabrics.get(slice.fabric()))
                        .map(Outlook::waits)
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
        List<FaultReport> reports = fault instanceof Subject.OfNode of ? reports(of.node(), anew, now) : List.of();
        String refusals = Stream.concat(
                        reports.stream().flatMap(FaultReport::refusals),
                        Stream.concat(jobs.stream().flatMap(job -> job.slices().stream()), topologies.stream())
                                .flatMap(loss -> loss.refusal().stream()))
                .collect(Collectors.joining("; "));
        return new FaultReport.Document(
                refusals.isEmpty() ? null : refusals, fault.label(), reports, jobs, topologies, then.settled());
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
                    return FaultReport.of(situation(ring, fabric), node, Outlook.waits(fabric), anew, now).stream();
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

    /** DELTA, with a line for a person waiting. */
    private Function<TopologyQuestion, TopologyAnswer> asking() {
        Function<TopologyQuestion, TopologyAnswer> solver = new TimedSolver(System::nanoTime);
        return question -> {
            remark.accept("lightpath: asking DELTA for circuits between "
                    + question.ports().size() + " pods ...");
            return solver.apply(question);
        };
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
