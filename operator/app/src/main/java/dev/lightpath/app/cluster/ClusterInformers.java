package dev.lightpath.app.cluster;

import dev.lightpath.app.Page;
import dev.lightpath.app.loop.Cluster;
import dev.lightpath.app.loop.DesiredState;
import dev.lightpath.app.objects.PodWitness;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Lineage;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.reading.OcsIntentReader;
import dev.lightpath.reading.PolicyReader;
import dev.lightpath.reading.RefusedFabrics;
import dev.lightpath.reading.RingIntentReader;
import dev.lightpath.reading.SliceParts;
import dev.lightpath.reading.node.NodeSketch;
import dev.lightpath.reading.pod.Controller;
import dev.lightpath.reading.pod.PodAttribution;
import dev.lightpath.reading.pod.PodUse;
import dev.lightpath.reading.share.FabricClaims;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Kubernetes tells of fabrics, switches, nodes, jobs, slices and pods, kept up to date by watches: one set of them
 * for all who look. What is read may be older than what the API server holds, never newer; what must not be is read
 * through the {@link SliceLedger}. Objects are shared: not to be changed.
 */
public final class ClusterInformers implements Cluster, PodWitness, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterInformers.class);

    private final SharedIndexInformer<OpticalFabric> fabrics;
    private final SharedIndexInformer<OpticalSwitch> switches;
    private final SharedIndexInformer<Node> nodes;
    private final SharedIndexInformer<TrainingJob> jobs;
    private final SharedIndexInformer<FabricSlice> slices;
    private final SharedIndexInformer<Pod> pods;
    private final SharedIndexInformer<Job> batchJobs;
    private final ExtractStore<Pod, PodUse> podStore = ExtractStore.pods(this::changed);
    private final ExtractStore<Job, ExtractStore.Controlled> jobStore = ExtractStore.jobs(this::changed);
    private final CopyOnWriteArrayList<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final CopyOnWriteArrayList<Runnable> jobListeners = new CopyOnWriteArrayList<>();
    private final CopyOnWriteArrayList<Consumer<String>> viewers = new CopyOnWriteArrayList<>();
    private final CopyOnWriteArrayList<BiConsumer<Node, Node>> nodeListeners = new CopyOnWriteArrayList<>();
    private final CopyOnWriteArrayList<Consumer<FabricSlice>> deletions = new CopyOnWriteArrayList<>();
    private final AtomicBoolean changed = new AtomicBoolean(true);
    /** Counts changes of fabrics, switches and nodes. */
    private final AtomicLong description = new AtomicLong();

    private final AsOf<Map<String, String>> refusals = new AsOf<>();

    // guarded by this: the loop of an earlier term may still be reading when the next one begins
    private Optional<DesiredState> last = Optional.empty();
    private final DescribedFabrics described;
    private final DesiredSlices desiredSlices = new DesiredSlices();
    private volatile SortedMap<String, Lineage> lineages = new TreeMap<>();

    /** Whether nothing that was read of fabrics is to be relied on. */
    private final AtomicBoolean anew = new AtomicBoolean();
    /** Names of nodes that may be others since they were read; of any thread. */
    private final Set<String> changedNodes = ConcurrentHashMap.newKeySet();

    /** By name of a node that a fabric selects, that fabric, by the description. */
    private final AsOf<Map<String, String>> homes = new AsOf<>();
    /** Fabrics that slices name, by the count of namings. */
    private final AsOf<Set<String>> named = new AsOf<>();
    /** Counts slices that came or went, or are of another fabric. */
    private final AtomicLong namings = new AtomicLong();

    /**
     * Watches nothing before {@link #start}.
     *
     * @param client whose other informers, if any, watch other things (ADR 54), and which reads as {@link WatchedJson}
     *     says
     */
    public ClusterInformers(KubernetesClient client, RingIntentReader rings, OcsIntentReader ocs) {
        this.described = new DescribedFabrics(rings, ocs);
        this.fabrics = inPages(Page.OBJECTS, client.resources(OpticalFabric.class));
        this.switches = inPages(Page.OBJECTS, client.resources(OpticalSwitch.class));
        this.nodes = inPages(Page.OBJECTS, client.nodes());
        this.jobs =
                inPages(Page.LARGE_OBJECTS, client.resources(TrainingJob.class).inAnyNamespace());
        this.slices =
                inPages(Page.LARGE_OBJECTS, client.resources(FabricSlice.class).inAnyNamespace());
        this.pods = inPages(Page.PODS, client.pods().inAnyNamespace()).itemStore(podStore);
        this.batchJobs =
                inPages(Page.PODS, client.batch().v1().jobs().inAnyNamespace()).itemStore(jobStore);
        watch(fabrics, any -> redescribed(), Relevance::ofFabric, gone -> {});
        watch(fabrics, this::recorded, Relevance::ofLedger, gone -> {});
        watch(switches, any -> redescribed(), Relevance::ofSwitch, gone -> {});
        watch(nodes, this::redescribed, ClusterInformers::isAnother, gone -> {});
        nodes.addEventHandler(new Updates<>((before, now) -> nodeListeners.forEach(each -> each.accept(before, now))));
        watch(jobs, any -> changed(), Relevance::ofJob, gone -> {});
        watch(jobs, any -> jobsTold(), (before, now) -> true, gone -> {});
        // before others are told of the same slice: they look at what is named
        watch(
                slices,
                any -> namings.incrementAndGet(),
                (before, now) -> !before.getSpec().fabric().equals(now.getSpec().fabric()),
                gone -> {});
        watch(
                slices,
                any -> changed(),
                Relevance::ofSlice,
                gone -> deletions.forEach(listener -> listener.accept(gone)));
        view(fabrics, "fabrics", (before, now) -> true);
        view(switches, "switches", (before, now) -> true);
        view(nodes, "nodes", ClusterInformers::isAnother);
        view(jobs, "jobs", (before, now) -> true);
        view(slices, "slices", (before, now) -> true);
    }

    private <T extends HasMetadata> void view(SharedIndexInformer<T> informer, String kind, BiPredicate<T, T> matters) {
        watch(informer, any -> viewers.forEach(viewer -> viewer.accept(kind)), matters, gone -> {});
    }

    private static <T> SharedIndexInformer<T> inPages(long objects, Informable<T> all) {
        return all.withLimit(objects).runnableInformer(0);
    }

    /** Says which node changed before it tells that something did. */
    private void redescribed(Node node) {
        changedNodes.add(node.getMetadata().getName());
        redescribed();
    }

    /** A node made anew under its name, while no watch was there to see it, has been told nothing. */
    private static boolean isAnother(Node before, Node now) {
        return !Objects.equals(before.getMetadata().getUid(), now.getMetadata().getUid())
                || !NodeSketch.of(before).equals(NodeSketch.of(now));
    }

    private <T extends HasMetadata> void watch(
            SharedIndexInformer<T> informer, Consumer<T> told, BiPredicate<T, T> matters, Consumer<T> deleted) {
        informer.addEventHandler(new ChangeHandler<>(told, matters, deleted));
    }

    /** Calls back after every change that matters, on any thread. */
    public void listen(Runnable listener) {
        listeners.add(listener);
    }

    /** Calls back after every change of a job, that of its status too, on any thread. */
    public void listenForJobs(Runnable listener) {
        jobListeners.add(listener);
    }

    /** Calls back after every change of a node that was there before, with it as it was and is, on any thread. */
    public void listenForNodes(BiConsumer<Node, Node> listener) {
        nodeListeners.add(listener);
    }

    /**
     * Calls back after every change that a person could see, statuses included, with what changed: fabrics, switches,
     * nodes, jobs or slices. On any thread; must not wait.
     */
    public void listenForAll(Consumer<String> viewer) {
        viewers.add(viewer);
    }

    /** Calls back when a slice is gone, on any thread. */
    public void listenForDeletedSlices(Consumer<FabricSlice> listener) {
        deletions.add(listener);
    }

    /** Starts watching; tries on when the API server does not answer. */
    public void start() {
        for (SharedIndexInformer<?> informer : all()) {
            informer.exceptionHandler((started, failure) -> {
                LOG.atWarn()
                        .addKeyValue("resource", informer.getApiTypeClass().getSimpleName())
                        .addKeyValue("failure", failure.getMessage())
                        .log("watch failed; it is started again");
                return true;
            });
            var unused = informer.start();
        }
    }

    /**
     * What was read of fabrics may be older than what they say now of themselves, such as their faults: it is read
     * again.
     */
    public void readAnew() {
        anew.set(true);
        redescribed();
    }

    /** Whether everything was listed once. */
    public boolean synced() {
        return all().stream().allMatch(SharedIndexInformer::hasSynced);
    }

    private List<SharedIndexInformer<?>> all() {
        return List.of(fabrics, switches, nodes, jobs, slices, batchJobs, pods);
    }

    /** The fabrics known now. */
    public List<OpticalFabric> fabrics() {
        return fabrics.getStore().list();
    }

    /** Whether there is a fabric of that name now. */
    public boolean knows(String fabric) {
        return fabrics.getStore().getByKey(fabric) != null;
    }

    /** Whether a slice is of a fabric, which may be gone. Linear in slices once one came or went, else constant. */
    public boolean isNamed(String fabric) {
        return named().contains(fabric);
    }

    private Set<String> named() {
        return named.get(
                namings.get(),
                () -> slices().stream().map(slice -> slice.getSpec().fabric()).collect(Collectors.toSet()));
    }

    /**
     * Names of fabrics that are there or that slices are of: who leads a job follows from them. Costs as
     * {@link #isNamed}.
     */
    public SortedSet<String> fabricNames() {
        SortedSet<String> names = new TreeSet<>(named());
        fabrics().forEach(fabric -> names.add(fabric.getMetadata().getName()));
        return names;
    }

    /** The fabric that selects a node. O(fabrics * nodes) after a change of the {@link #description}, else constant. */
    public Optional<String> fabricOf(String node) {
        return Optional.ofNullable(
                homes.get(description.get(), () -> homes(fabrics(), nodes())).get(node));
    }

    private static Map<String, String> homes(List<OpticalFabric> fabrics, List<Node> all) {
        Map<String, String> homes = new HashMap<>();
        for (OpticalFabric fabric : fabrics) {
            Predicate<Node> selects = FabricClaims.selector(fabric);
            all.stream()
                    .filter(selects)
                    .forEach(node -> homes.putIfAbsent(
                            node.getMetadata().getName(), fabric.getMetadata().getName()));
        }
        return homes;
    }

    /** Another number after each change of a fabric, a switch or a node. */
    public long description() {
        return description.get();
    }

    /**
     * The fabrics known now without those whose nodes or drivers an older one has. O(fabrics * nodes) after a change of
     * the {@link #description}, else O(fabrics).
     */
    public List<OpticalFabric> attended() {
        long now = description.get();
        List<OpticalFabric> known = fabrics();
        Map<String, String> refused = refused(now, known, nodes());
        return known.stream()
                .filter(fabric -> !refused.containsKey(fabric.getMetadata().getName()))
                .toList();
    }

    /** @param known judged together: one that comes in between would be let through by those that were there before */
    private Map<String, String> refused(long now, List<OpticalFabric> known, List<Node> all) {
        return refusals.get(now, () -> RefusedFabrics.of(known, switches(), all));
    }

    /** The switches known now. */
    public List<OpticalSwitch> switches() {
        return switches.getStore().list();
    }

    /** The jobs known now. */
    public List<TrainingJob> jobs() {
        return jobs.getStore().list();
    }

    /** The nodes known now. */
    public List<Node> nodes() {
        return nodes.getStore().list();
    }

    /** The slices known now. */
    public List<FabricSlice> slices() {
        return slices.getStore().list();
    }

    /**
     * Records as the watch shows them, those that this version can read: for whoever writes none. Linear in slices.
     */
    public SortedMap<SliceId, LedgerEntry> records() {
        SortedMap<SliceId, LedgerEntry> records = new TreeMap<>();
        for (FabricSlice slice : slices()) {
            String namespace = slice.getMetadata().getNamespace();
            if (!SliceParts.isPart(slice)) {
                try {
                    ReadRecord read =
                            ReadRecord.of(slice, name -> slices.getStore().getByKey(namespace + "/" + name));
                    records.put(new SliceId(namespace, slice.getMetadata().getName()), read.read());
                } catch (IllegalArgumentException e) {
                    LOG.atDebug().addKeyValue("failure", e.getMessage()).log("a record cannot be read");
                }
            }
        }
        return records;
    }

    @Override
    public void saw(Pod pod) {
        podStore.saw(pod);
    }

    /** The slice as known now. */
    public Optional<FabricSlice> slice(SliceId id) {
        return Optional.ofNullable(slices.getStore().getByKey(id.toString()));
    }

    private void redescribed() {
        description.incrementAndGet();
        changed();
    }

    /**
     * No pass begins for the revision that follows on the last one that was read: it is what a pass told. One that is
     * further on shows that the last pass knew too little.
     */
    private void recorded(OpticalFabric fabric) {
        Lineage read = lineages.get(fabric.getMetadata().getName());
        changed.set(true);
        if (read != null && PolicyReader.lineage(fabric).revision() > read.revision() + 1) {
            changed();
        }
    }

    private void jobsTold() {
        jobListeners.forEach(Runnable::run);
    }

    private void changed() {
        changed.set(true);
        listeners.forEach(Runnable::run);
    }

    /**
     * Constant when nothing changed since the last call, otherwise linear in jobs, slices and pods, and in nodes only
     * if one of these changed.
     */
    @Override
    public synchronized DesiredState read() {
        if (last.isPresent() && !changed.getAndSet(false)) {
            return last.get();
        }
        changed.set(false);
        try {
            DesiredState desired = readAll();
            last = Optional.of(desired);
            return desired;
        } catch (RuntimeException e) {
            changed.set(true);
            throw e;
        }
    }

    /** Whose light the pods use that are known now. Linear in pods, slices and jobs of Kubernetes. */
    public PodAttribution attributed() {
        Map<String, Optional<Controller>> controllers = new HashMap<>();
        jobStore.extracts().forEach(job -> controllers.put(job.uid(), job.controller()));
        return PodAttribution.of(
                podStore.extracts(),
                controllers,
                key -> jobs.getStore().getByKey(key),
                slices(),
                node -> nodes.getStore().getByKey(node) != null);
    }

    private DesiredState readAll() {
        PodAttribution attributed = attributed();
        DescribedFabrics.Read fabrics = described(attributed.busy());
        SortedMap<SliceId, String> unreadable = new TreeMap<>();
        SortedMap<SliceId, SliceIntent> asked = slices(attributed, unreadable);
        lineages = lineages();
        return new DesiredState(
                fabrics.rings(), asked, fabrics.impossible(), fabrics.ocsFabrics(), unreadable, lineages);
    }

    /** O(fabrics). */
    private SortedMap<String, Lineage> lineages() {
        SortedMap<String, Lineage> now = new TreeMap<>();
        fabrics().forEach(fabric -> now.put(fabric.getMetadata().getName(), PolicyReader.lineage(fabric)));
        return now;
    }

    private DescribedFabrics.Read described(Map<String, Set<String>> busy) {
        // counted before the stores are read: a change in between is read again
        long now = description.get();
        if (anew.getAndSet(false)) {
            described.forget();
        }
        return described.known(now, busy).orElseGet(() -> {
            // taken before they are read: one that changes meanwhile is told again
            Map<String, Optional<Node>> others = new HashMap<>();
            for (String name : List.copyOf(changedNodes)) {
                changedNodes.remove(name);
                others.put(name, Optional.ofNullable(nodes.getStore().getByKey(name)));
            }
            described.changed(others);
            List<Node> all = nodes();
            List<OpticalFabric> known = fabrics();
            Map<String, String> refused = refused(now, known, all);
            return described.read(now, busy, new DescribedFabrics.Objects(known, switches(), all), refused);
        });
    }

    private SortedMap<SliceId, SliceIntent> slices(PodAttribution pods, SortedMap<SliceId, String> unreadable) {
        return desiredSlices.read(
                slices(), pods, jobs.getStore()::getByKey, fabrics.getStore()::getByKey, (slice, e) -> {
                    SliceId id = new SliceId(
                            slice.getMetadata().getNamespace(),
                            slice.getMetadata().getName());
                    LOG.atWarn().addKeyValue("slice", id).log("its demand cannot be read: " + e.getMessage());
                    if (slice.getStatus() != null && slice.getStatus().allocation() != null) {
                        unreadable.put(id, "slice " + id + ": its spec.demand cannot be read: " + e.getMessage());
                    }
                });
    }

    @Override
    public void close() {
        all().forEach(SharedIndexInformer::close);
    }
}
