package dev.lightpath.cli.cluster;

import dev.lightpath.cli.BadInput;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.engine.FaultPreview;
import dev.lightpath.planner.engine.SliceVerdict.Placement;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.reading.OcsIntentReader;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a fault would do to jobs, rehearsed on one listing of everything: all fabrics are one world, since jobs may be on two of them. */
final class FaultOutlook {
    private static final int MOST_NAMED = 5;

    private final Standing standing;
    private final SortedMap<String, RingIntent> rings = new TreeMap<>();
    private final SortedMap<String, OcsIntent> spines = new TreeMap<>();
    private final List<Subject> faulty = new ArrayList<>();
    private final Map<String, OpticalFabric> fabrics;

    /**
     * @param foreign nodes of a ring with light that nobody planned
     * @param remark takes lines for a person, beside the answer
     */
    FaultOutlook(
            Map<String, OpticalFabric> fabrics,
            List<OpticalSwitch> switches,
            List<Node> nodes,
            List<TrainingJob> jobs,
            List<FabricSlice> slices,
            List<Pod> pods,
            Function<OpticalFabric, Set<String>> foreign,
            Consumer<String> remark) {
        this.fabrics = fabrics;
        this.standing = Standing.of(fabrics.keySet(), jobs, slices, pods);
        for (OpticalFabric fabric : new TreeMap<>(fabrics).values()) {
            try {
                read(fabric, switches, nodes, foreign);
            } catch (BadInput misread) {
                remark.accept("lightpath: jobs on this fabric are left out: " + misread.getMessage());
            }
        }
    }

    private void read(
            OpticalFabric fabric,
            List<OpticalSwitch> switches,
            List<Node> nodes,
            Function<OpticalFabric, Set<String>> foreign) {
        String name = fabric.getMetadata().getName();
        var ring = fabric.getSpec().ocsTrx();
        if (ring != null) {
            standing.busy()
                    .computeIfAbsent(ring.gpuResource(), none -> new HashSet<>())
                    .addAll(foreign.apply(fabric));
            rings.put(name, Situation.ring(fabric, nodes, standing.busy()));
        } else {
            spines.put(name, spine(fabric, switches, nodes));
        }
        faulty.addAll(Situation.faulty(fabric));
    }

    private OcsIntent spine(OpticalFabric fabric, List<OpticalSwitch> switches, List<Node> nodes) {
        try {
            return new OcsIntentReader("")
                    .read(fabric, switches, nodes, standing.busy())
                    .orElseThrow();
        } catch (IllegalArgumentException e) {
            throw new BadInput("fabric " + fabric.getMetadata().getName() + ": " + e.getMessage(), e);
        }
    }

    /** Refuses what is on no fabric. */
    void require(Subject fault) {
        switch (fault) {
            case Subject.OfNode of -> {
                boolean known = rings.values().stream().anyMatch(ring -> sits(ring, of.node()))
                        || spines.values().stream()
                                .flatMap(spine -> spine.pods().stream())
                                .anyMatch(pod -> pod.nodes().containsKey(of.node()));
                if (!known) {
                    throw new BadInput("node " + of.node()
                            + " is on no ring of transceivers and in no pod of a fabric with optical switches");
                }
            }
            case Subject.OfDevice of -> {
                if (ring(of.device()).isEmpty() && opticalSwitch(of.device()).isEmpty()) {
                    throw unknown(of.device());
                }
            }
            case Subject.OfPort of -> port(of);
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
                throw new BadInput(
                        "switch " + of.device() + " has no pod wired to port " + of.port() + "; " + some(ports));
            }
            return;
        }
        int reach =
                ring(of.device()).orElseThrow(() -> unknown(of.device())).ring().reach();
        String bundles = "b[0-" + (reach - 1) + "]";
        if (!of.port().matches(bundles + "(\\.(common|loop|path1|path2))?")) {
            throw new BadInput("node " + of.device() + " has no port " + of.port() + ": allowed are b0 to b"
                    + (reach - 1) + ", alone or with .path1, .path2, .loop or .common");
        }
    }

    private BadInput unknown(String device) {
        return new BadInput("there is no optical switch and no node with transceivers " + device + "; "
                + some(spines.values().stream()
                        .flatMap(spine -> spine.switches().keySet().stream())
                        .toList()));
    }

    private static String some(List<String> names) {
        return names.isEmpty()
                ? "there are no switches"
                : "there are " + String.join(", ", names.subList(0, Math.min(MOST_NAMED, names.size())))
                        + (names.size() > MOST_NAMED ? " and " + (names.size() - MOST_NAMED) + " more" : "");
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

    /** Jobs that lose or move anything; of a node's failure those of one ring alone are told elsewhere ({@link FaultReport}). */
    List<JobLoss> losses(Subject fault, Instant now) {
        Set<JobId> ended = fault instanceof Subject.OfNode of ? on(of.node()) : Set.of();
        FaultPreview first = preview(fault, ended, now);
        Map<SliceId, String> waits = new TreeMap<>();
        Set<JobId> waiting = new TreeSet<>(ended);
        first.effects().forEach((id, effect) -> {
            if (effect.placement() instanceof Placement.Faulted faulted && !faulted.degraded()) {
                waits.put(id, faulted.waitsFor());
                waiting.add(job(id));
            }
        });
        FaultPreview then = waits.isEmpty() ? first : preview(fault, waiting, now);
        Map<JobId, List<JobLoss.Part>> parts = new TreeMap<>();
        then.effects().forEach((id, effect) -> {
            SliceIntent slice =
                    java.util.Objects.requireNonNull(standing.slices().get(id));
            boolean told = fault instanceof Subject.OfNode
                    && rings.containsKey(slice.fabric())
                    && slice.beside().isEmpty();
            if (slice.wanted() && !told) {
                parts.computeIfAbsent(slice.job(), none -> new ArrayList<>())
                        .add(JobLoss.Part.of(slice, effect, wiring(slice.fabric()), waitsFor(slice, waits, fault)));
            }
        });
        List<JobLoss> losses = new ArrayList<>();
        parts.forEach((job, of) -> losses.add(new JobLoss(job.namespace(), job.name(), of)));
        return losses;
    }

    private Optional<String> waitsFor(SliceIntent slice, Map<SliceId, String> waits, Subject fault) {
        return Optional.ofNullable(fabrics.get(slice.fabric()))
                .map(Outlook::waits)
                .or(() -> Optional.ofNullable(waits.get(slice.id())))
                .or(() -> fault instanceof Subject.OfNode
                        ? Optional.ofNullable(FaultReport.waitsFor(slice))
                        : Optional.empty());
    }

    private FaultPreview preview(Subject fault, Set<JobId> withoutPods, Instant now) {
        SortedMap<SliceId, SliceIntent> struck = new TreeMap<>(standing.slices());
        struck.replaceAll((id, slice) ->
                withoutPods.contains(slice.job()) ? standing.idle().getOrDefault(id, slice) : slice);
        return FaultPreview.of(
                now, rings, spines, standing.slices(), struck, standing.ledger(), faulty, fault, new DeltaPlanner());
    }

    /** Jobs with a record that names the node. */
    private Set<JobId> on(String node) {
        return standing.slices().values().stream()
                .filter(slice -> Optional.ofNullable(standing.ledger().get(slice.id()))
                        .flatMap(LedgerEntry::allocation)
                        .filter(allocation -> allocation.nodes().contains(node))
                        .isPresent())
                .map(SliceIntent::job)
                .collect(Collectors.toSet());
    }

    private JobId job(SliceId id) {
        return java.util.Objects.requireNonNull(standing.slices().get(id)).job();
    }

    private Optional<OcsWiring> wiring(String fabric) {
        return Optional.ofNullable(spines.get(fabric)).map(OcsWiring::of);
    }
}
