package dev.lightpath.cli.cluster;

import dev.lightpath.cli.BadInput;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.JobReference;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.reading.AllocationCodec;
import dev.lightpath.reading.PodUse;
import dev.lightpath.reading.RingIntentReader;
import dev.lightpath.reading.SliceIntentReader;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A ring as the operator's planner would see it now, read from the API server.
 *
 * @param slices wishes with the pods that use their light
 * @param idle the same as they would be without any pod
 * @param faulty what the operator counts as faulty now
 */
record Situation(
        RingIntent ring,
        SortedMap<SliceId, SliceIntent> slices,
        SortedMap<SliceId, SliceIntent> idle,
        SortedMap<SliceId, LedgerEntry> ledger,
        List<Subject> faulty) {

    /**
     * Linear in all objects.
     *
     * @param lit nodes with light that nobody planned: nothing is placed on them
     * @throws BadInput when the fabric is none of transceivers, or what is written contradicts itself
     */
    static Situation of(
            OpticalFabric fabric,
            Collection<Node> nodes,
            Collection<TrainingJob> jobs,
            Collection<FabricSlice> slices,
            Collection<Pod> pods,
            Set<String> lit) {
        String name = fabric.getMetadata().getName();
        Map<String, TrainingJob> known = jobs.stream()
                .collect(Collectors.toMap(
                        job -> key(
                                job.getMetadata().getNamespace(),
                                job.getMetadata().getName()),
                        job -> job));
        Map<String, List<PodUse>> ofJob = new HashMap<>();
        Map<String, Set<String>> busy = new HashMap<>();
        pods.stream().map(PodUse::of).forEach(pod -> {
            Optional<String> job = pod.job().map(of -> key(pod.namespace(), of));
            job.ifPresent(
                    key -> ofJob.computeIfAbsent(key, none -> new ArrayList<>()).add(pod));
            if (job.filter(known::containsKey).isEmpty() && pod.occupies()) {
                pod.resources()
                        .forEach(resource -> pod.node()
                                .ifPresent(node -> busy.computeIfAbsent(resource, none -> new HashSet<>())
                                        .add(node)));
            }
        });
        if (fabric.getSpec().ocsTrx() != null) {
            // closed to plans as a busy node is
            busy.computeIfAbsent(fabric.getSpec().ocsTrx().gpuResource(), none -> new HashSet<>())
                    .addAll(lit);
        }
        SortedMap<SliceId, SliceIntent> wishes = new TreeMap<>();
        SortedMap<SliceId, SliceIntent> idle = new TreeMap<>();
        SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();
        for (FabricSlice slice : slices) {
            JobReference of = slice.getSpec().job();
            if (of == null || !slice.getSpec().fabric().equals(name)) {
                continue;
            }
            String key = key(slice.getMetadata().getNamespace(), of.name());
            SliceIntentReader.read(slice, known.get(key), ofJob.getOrDefault(key, List.of()))
                    .ifPresent(intent -> {
                        wishes.put(intent.id(), intent);
                        ledger.put(intent.id(), entry(slice));
                    });
            SliceIntentReader.read(slice, known.get(key), List.of())
                    .ifPresent(intent -> idle.put(intent.id(), intent));
        }
        unwritten(known.values(), slices, ofJob).stream()
                .filter(intent -> intent.fabric().equals(name))
                .forEach(intent -> wishes.put(intent.id(), intent));
        return new Situation(ring(fabric, nodes, busy), wishes, idle, ledger, faulty(fabric));
    }

    /** Wishes whose slices somebody deleted and that are not written again yet: their seats are taken. */
    private static List<SliceIntent> unwritten(
            Collection<TrainingJob> jobs, Collection<FabricSlice> slices, Map<String, List<PodUse>> pods) {
        Map<String, Set<String>> written = slices.stream()
                .collect(Collectors.groupingBy(
                        slice -> slice.getMetadata().getNamespace(),
                        Collectors.mapping(slice -> slice.getMetadata().getName(), Collectors.toSet())));
        return jobs.stream()
                .flatMap(job -> SliceIntentReader.unwritten(
                        job,
                        written.getOrDefault(job.getMetadata().getNamespace(), Set.of()),
                        pods.getOrDefault(
                                key(
                                        job.getMetadata().getNamespace(),
                                        job.getMetadata().getName()),
                                List.of()))
                        .stream())
                .toList();
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }

    private static LedgerEntry entry(FabricSlice slice) {
        try {
            return new LedgerEntry(
                    Optional.ofNullable(slice.getStatus())
                            .flatMap(status -> Optional.ofNullable(status.allocation()))
                            .map(AllocationCodec::read),
                    Objects.requireNonNullElse(slice.getMetadata().getResourceVersion(), ""));
        } catch (IllegalArgumentException e) {
            throw new BadInput("FabricSlice " + slice.getMetadata().getName() + ": " + e.getMessage(), e);
        }
    }

    private static RingIntent ring(OpticalFabric fabric, Collection<Node> nodes, Map<String, Set<String>> busy) {
        String name = fabric.getMetadata().getName();
        try {
            return new RingIntentReader("")
                    .read(fabric, nodes, busy)
                    .orElseThrow(() -> new BadInput("fabric " + name
                            + " has optical circuit switches (ocs); places are previewed on rings (ocsTrx) only"));
        } catch (IllegalArgumentException e) {
            throw new BadInput("fabric " + name + ": " + e.getMessage(), e);
        }
    }

    private static List<Subject> faulty(OpticalFabric fabric) {
        if (fabric.getStatus() == null) {
            return List.of();
        }
        return fabric.getStatus().faults().stream()
                .flatMap(fault -> subject(fault.subject()).stream())
                .toList();
    }

    /** The subject that a status names. */
    static Optional<Subject> subject(String label) {
        String[] parts = label.split("/", 3);
        return switch (parts[0] + parts.length) {
            case "node2" -> Optional.of(new Subject.OfNode(parts[1]));
            case "device2" -> Optional.of(new Subject.OfDevice(parts[1]));
            case "port3" -> Optional.of(new Subject.OfPort(parts[1], parts[2]));
            default -> Optional.empty();
        };
    }
}
