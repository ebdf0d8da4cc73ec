package dev.lightpath.cli.cluster.backup;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.Connection;
import dev.lightpath.cli.cluster.backup.RestoreReport.Outcome;
import dev.lightpath.cli.cluster.backup.RestoreReport.Restored;
import dev.lightpath.cli.cluster.change.Act;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.FieldManager;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricSpec;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceSpec;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.crds.slice.JobReference;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes the objects of a backup that a cluster lacks, owners first. An object that is there keeps its spec. Records
 * are written under the operator's names of field managers, so that what it writes later replaces them. Running it
 * again goes on where it ended.
 */
final class Restoration {
    private final Cluster cluster;
    private final BackupFile backup;
    private final String operatorNamespace;
    private final boolean dryRun;
    private final String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    private final RestoredObjects objects;

    private final List<Restored> restored = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    Restoration(Cluster cluster, BackupFile backup, String operatorNamespace, boolean dryRun) {
        this.cluster = cluster;
        this.backup = backup;
        this.operatorNamespace = operatorNamespace;
        this.dryRun = dryRun;
        this.objects = new RestoredObjects(cluster.client(), dryRun);
    }

    /** @throws BadInput naming the object that the API server refused; those before it are written */
    RestoreReport run() {
        backup.epoch().ifPresent(this::epoch);
        backup.nodes().forEach(node -> tried(node, () -> node(node)));
        backup.fabrics().forEach(fabric -> tried(fabric, () -> fabric(fabric)));
        backup.switches()
                .forEach(each -> tried(
                        each,
                        () -> objects.find(each)
                                .map(found -> kept(each, found.getSpec().equals(each.getSpec())))
                                .orElseGet(() -> created(each))));
        backup.jobs().forEach(job -> tried(job, () -> job(job)));
        Set<String> ousted = jobsWithOtherSlices();
        fabricsThatAreNowhere();
        backup.wholeSlices().forEach(slice -> tried(slice, () -> slice(slice, ousted)));
        return new RestoreReport(dryRun, List.copyOf(restored), List.copyOf(notes), next());
    }

    private void fabricsThatAreNowhere() {
        Set<String> saved = new HashSet<>();
        backup.fabrics().forEach(fabric -> saved.add(fabric.getMetadata().getName()));
        backup.wholeSlices().stream()
                .map(slice -> slice.getSpec().fabric())
                .distinct()
                .filter(fabric -> !saved.contains(fabric)
                        && cluster.client()
                                        .resources(OpticalFabric.class)
                                        .withName(fabric)
                                        .get()
                                == null)
                .sorted()
                .forEach(fabric -> notes.add("OpticalFabric/" + fabric
                        + " is neither in the backup nor here: slices of it stay without light until it is"));
    }

    private List<String> next() {
        List<String> fabrics = backup.fabrics().stream()
                .map(fabric -> "fabric/" + fabric.getMetadata().getName())
                .toList();
        List<String> next = new ArrayList<>();
        fabrics.forEach(
                fabric -> next.add("kubectl lightpath driver transfer " + fabric + "   # who holds its devices"));
        next.add("kubectl -n " + operatorNamespace + " scale deployment lightpath-operator --replicas=2");
        fabrics.forEach(
                fabric -> next.add("kubectl lightpath diff " + fabric + "   # whether its light is as recorded"));
        fabrics.forEach(fabric -> next.add("kubectl lightpath resume " + fabric));
        return next;
    }

    /** What is done for one object, and what became of it. */
    private interface Step {
        Outcome take();
    }

    private void tried(HasMetadata object, Step step) {
        String name = name(object);
        try {
            restored.add(new Restored(name, step.take()));
        } catch (KubernetesClientException e) {
            if (e.getCode() == 0) {
                throw e;
            }
            String why = e.getStatus() == null || e.getStatus().getMessage() == null
                    ? e.getMessage()
                    : e.getStatus().getMessage();
            throw new BadInput(
                    name + ": the API server refused it: " + Connection.firstLine(why)
                            + "; what came before it is written, and the command can be run again",
                    e);
        }
    }

    private static String name(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        return object.getKind() + "/" + (namespace == null ? "" : namespace + "/")
                + object.getMetadata().getName();
    }

    /** The counter of an installation that is there counts on. */
    private void epoch(ConfigMap saved) {
        ConfigMap moved = new ConfigMap();
        moved.setMetadata(new ObjectMetaBuilder()
                .withNamespace(operatorNamespace)
                .withName(saved.getMetadata().getName())
                .build());
        moved.setData(saved.getData());
        tried(moved, () -> objects.find(moved).isPresent() ? Outcome.KEPT : created(moved));
    }

    /** The labels that fabrics read, and what people said of it, where the node says nothing else. */
    private Outcome node(Node saved) {
        Node found = objects.find(saved).orElse(null);
        if (found == null) {
            notes.add("node " + saved.getMetadata().getName() + " is not there: when it joins, give it the labels "
                    + wiring(saved));
            return Outcome.LEFT_OUT;
        }
        Map<String, String> labels =
                missing("label", found, wiring(saved), found.getMetadata().getLabels());
        Map<String, String> said =
                new TreeMap<>(Objects.requireNonNullElse(saved.getMetadata().getAnnotations(), Map.of()));
        said.keySet().retainAll(Set.of(LightpathAnnotations.FAULTY, LightpathAnnotations.CLEAR_FAULT));
        Map<String, String> annotations =
                missing("annotation", found, said, found.getMetadata().getAnnotations());
        if (labels.isEmpty() && annotations.isEmpty()) {
            return Outcome.KEPT;
        }
        if (!dryRun) {
            Act.patch(
                    cluster.client().nodes().withName(found.getMetadata().getName()),
                    Map.of("metadata", Map.of("labels", labels, "annotations", annotations)));
        }
        return Outcome.COMPLETED;
    }

    private Map<String, String> missing(
            String what, Node node, Map<String, String> saved, @Nullable Map<String, String> there) {
        Map<String, String> missing = new TreeMap<>();
        saved.forEach((key, value) -> {
            String now = there == null ? null : there.get(key);
            if (now == null) {
                missing.put(key, value);
            } else if (!now.equals(value)) {
                notes.add("node " + node.getMetadata().getName() + " has another " + what + " " + key
                        + " than the backup (" + value + "), and keeps it: " + now);
            }
        });
        return missing;
    }

    private Map<String, String> wiring(Node saved) {
        Map<String, String> labels =
                new TreeMap<>(Objects.requireNonNullElse(saved.getMetadata().getLabels(), Map.of()));
        Set<String> read = new HashSet<>();
        backup.fabrics().forEach(fabric -> read.addAll(NodeLabels.readBy(fabric.getSpec())));
        labels.keySet().retainAll(read);
        return labels;
    }

    /**
     * Paused, so that a person compares records and light before anything moves: a backup may be old. The status is an
     * input to decisions: faults, quarantined ports, whether there ever was a record.
     */
    private Outcome fabric(OpticalFabric saved) {
        OpticalFabric found = objects.find(saved).orElse(null);
        if (found != null && !found.getSpec().paused()) {
            notes.add(name(saved) + " is there already and not paused: pause it before the operator starts, or give it"
                    + " its devices before");
        }
        OpticalFabricSpec paused = paused(saved.getSpec());
        OpticalFabric made = new OpticalFabric();
        made.setMetadata(saved.getMetadata());
        made.setSpec(paused);
        Outcome outcome = found == null
                ? created(made)
                : kept(saved, paused(found.getSpec()).equals(paused));
        OpticalFabricStatus status = saved.getStatus();
        boolean told = found != null
                && found.getStatus() != null
                && (found.getStatus().adopted() != null || status == null || status.adopted() == null);
        if (status == null || told) {
            return outcome;
        }
        OpticalFabric bare = new OpticalFabric();
        bare.setStatus(objects.withoutGenerations(status, OpticalFabricStatus.class));
        objects.write(bare, saved, FieldManager.STATUS);
        return found == null ? outcome : Outcome.COMPLETED;
    }

    private static OpticalFabricSpec paused(OpticalFabricSpec spec) {
        return new OpticalFabricSpec(
                spec.ocsTrx(),
                spec.ocs(),
                spec.allowedNamespaces(),
                true,
                spec.adopt(),
                spec.policy(),
                spec.topologyLabels(),
                spec.measurements());
    }

    private Outcome job(TrainingJob saved) {
        if (saved.getMetadata().getDeletionTimestamp() != null) {
            notes.add(name(saved) + " was being deleted: it is left out, and its light goes down");
            return Outcome.LEFT_OUT;
        }
        TrainingJob found = objects.find(saved).orElse(null);
        Outcome outcome =
                found == null ? created(saved) : kept(saved, found.getSpec().equals(saved.getSpec()));
        TrainingJobStatus status = saved.getStatus();
        boolean told =
                found != null && found.getStatus() != null && found.getStatus().attempt() != null;
        if (status == null || told) {
            return outcome;
        }
        TrainingJob bare = new TrainingJob();
        bare.setStatus(objects.withoutGenerations(status, TrainingJobStatus.class));
        objects.write(bare, saved, FieldManager.STATUS);
        return found == null ? outcome : Outcome.COMPLETED;
    }

    /** Of the cluster, by UID: an operator that led meanwhile has made other slices for them. */
    private Set<String> jobsWithOtherSlices() {
        Set<String> saved = new HashSet<>();
        backup.slices().forEach(slice -> saved.add(name(slice)));
        Set<String> jobs = new HashSet<>();
        for (FabricSlice slice : cluster.slices(Optional.empty())) {
            JobReference of = slice.getSpec().job();
            if (of != null && !saved.contains(name(slice))) {
                jobs.add(of.uid());
            }
        }
        return jobs;
    }

    private Outcome slice(FabricSlice saved, Set<String> ousted) {
        JobReference of = saved.getSpec().job();
        String job = of == null ? null : objects.uid(of.uid()).orElse(null);
        if (of != null && job == null) {
            notes.add(
                    name(saved) + ": its job " + of.name() + " is not restored, so the operator takes its light down");
        }
        if (job != null && ousted.contains(job)) {
            notes.add(name(saved) + " is left out: TrainingJob "
                    + Objects.requireNonNull(of).name()
                    + " has other slices here already. To restore its place, delete the job and run the command again");
            return Outcome.LEFT_OUT;
        }
        FabricSlice found = objects.find(saved).orElse(null);
        boolean recorded =
                found != null && found.getStatus() != null && found.getStatus().allocation() != null;
        Outcome outcome = found == null ? created(rebound(saved)) : kept(saved, true);
        Allocation record = saved.getStatus() == null ? null : saved.getStatus().allocation();
        if (record == null && !recorded) {
            notes.add(name(saved) + " has no record in the backup (status.allocation): the operator does not know its"
                    + " circuits, and places its job anew");
        }
        if (record == null || recorded) {
            return outcome;
        }
        if (found != null && !dryRun) {
            Act.patch(
                    cluster.client().resource(found),
                    Map.of("metadata", Map.of("annotations", Map.of(LightpathAnnotations.RESTORED, now))));
        }
        // part 0, which makes the others count, comes last
        for (FabricSlice part : backup.parts(saved)) {
            if (objects.find(part).isEmpty()) {
                created(rebound(part));
            }
            record(part);
        }
        record(saved);
        return found == null ? outcome : Outcome.COMPLETED;
    }

    private void record(FabricSlice saved) {
        FabricSlice bare = new FabricSlice();
        bare.setStatus(new FabricSliceStatus(
                null, List.of(), Objects.requireNonNull(saved.getStatus()).allocation(), null));
        objects.write(bare, saved, FieldManager.LEDGER);
    }

    /** For the job that has its name here. Whether routes follow its circuits here, the router of this cluster says. */
    private FabricSlice rebound(FabricSlice saved) {
        FabricSliceSpec spec = saved.getSpec();
        JobReference of = spec.job();
        FabricSlice slice = new FabricSlice();
        slice.setMetadata(new ObjectMetaBuilder(saved.getMetadata())
                .removeFromAnnotations(LightpathAnnotations.ROUTED_REVISION)
                .addToAnnotations(LightpathAnnotations.RESTORED, now)
                .build());
        slice.setSpec(new FabricSliceSpec(
                spec.fabric(),
                of == null
                        ? null
                        : new JobReference(of.name(), objects.uid(of.uid()).orElse(of.uid()), of.attempt()),
                spec.part(),
                spec.demand()));
        return slice;
    }

    private Outcome created(HasMetadata saved) {
        objects.create(saved);
        return Outcome.CREATED;
    }

    private Outcome kept(HasMetadata saved, boolean same) {
        if (!same) {
            notes.add(name(saved) + " has another spec than the backup, and keeps it");
        }
        return Outcome.KEPT;
    }
}
