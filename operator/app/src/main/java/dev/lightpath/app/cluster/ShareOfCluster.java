package dev.lightpath.app.cluster;

import dev.lightpath.app.loop.Cluster;
import dev.lightpath.app.loop.DesiredState;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.reading.share.FabricClaims;
import io.fabric8.kubernetes.api.model.Node;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The part of what the watches show that a process leads. Of the whole cluster it is what the watches show. Nodes that
 * jobs hold on fabrics that others lead, or that came to a fabric a moment ago, take nothing new.
 */
public final class ShareOfCluster implements Cluster {
    private final ClusterInformers all;
    private final Share share;
    private final Newcomers newcomers;

    // of the one thread that plans
    private Optional<DesiredState> whole = Optional.empty();
    private final Map<String, Closing<RingIntent>> closedRings = new HashMap<>();
    private final Map<String, Closing<OcsIntent>> closedSpines = new HashMap<>();
    private Elsewhere elsewhere = new Elsewhere(List.of(), List.of(), Set.of());
    private DesiredState part = new DesiredState(
            new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

    public ShareOfCluster(ClusterInformers all, Share share) {
        this(all, share, Newcomers.none());
    }

    /** @param newcomers nodes that take nothing new yet; when one settles, what is watched is read anew */
    public ShareOfCluster(ClusterInformers all, Share share, Newcomers newcomers) {
        this.all = all;
        this.share = share;
        this.newcomers = newcomers;
    }

    /** Linear in fabrics, their nodes, slices and their members after a change, else constant. */
    @Override
    @SuppressWarnings("ReferenceEquality")
    public DesiredState read() {
        DesiredState now = all.read();
        if (share.whole()) {
            return now;
        }
        if (whole.filter(before -> before == now).isEmpty()) {
            // counted before it is asked who has settled: who does in between is looked at again
            Grounds grounds = new Grounds(heldElsewhere(now), newcomers.changes());
            part = new DesiredState(
                    closed(
                            some(now.rings(), part.rings(), (fabric, ring) -> share.leads(fabric)),
                            part.rings(),
                            closedRings,
                            grounds,
                            ring -> closed(ring.name(), nodes(ring), grounds.elsewhere()),
                            RingIntent::closing),
                    some(now.slices(), part.slices(), (id, slice) -> isOurs(slice)),
                    some(now.impossible(), part.impossible(), (fabric, why) -> share.leads(fabric)),
                    closed(
                            some(now.ocsFabrics(), part.ocsFabrics(), (fabric, ocs) -> share.leads(fabric)),
                            part.ocsFabrics(),
                            closedSpines,
                            grounds,
                            spine -> closed(spine.name(), nodes(spine), grounds.elsewhere()),
                            OcsIntent::closing),
                    some(now.unreadable(), part.unreadable(), (id, why) -> isOurs(id)),
                    some(now.lineages(), part.lineages(), (fabric, lineage) -> share.leads(fabric)));
            whole = Optional.of(now);
        }
        return part;
    }

    /** The very map of before if it has the very same objects: the planner tells by that what has changed. */
    private static <K extends Comparable<K>, V> SortedMap<K, V> some(
            SortedMap<K, V> all, SortedMap<K, V> before, BiPredicate<K, V> ours) {
        SortedMap<K, V> some = new TreeMap<>();
        all.forEach((key, value) -> {
            if (ours.test(key, value)) {
                some.put(key, value);
            }
        });
        return FixedMap.sameObjects(some, before) ? before : some;
    }

    /**
     * Nodes of jobs on fabrics that others lead, and of their pods: a node has its GPUs once. Linear in slices; in
     * members of those of others only where one of these is another object.
     */
    private Set<String> heldElsewhere(DesiredState now) {
        List<FabricSlice> records =
                all.slices().stream().filter(slice -> !isOurs(slice)).toList();
        List<SliceIntent> wishes =
                now.slices().values().stream().filter(slice -> !isOurs(slice)).toList();
        if (!isSame(records, elsewhere.records()) || !isSame(wishes, elsewhere.wishes())) {
            Set<String> held = new HashSet<>();
            records.forEach(slice -> held.addAll(FabricClaims.recordedNodes(slice)));
            wishes.forEach(slice -> held.addAll(slice.workload().holding()));
            elsewhere = new Elsewhere(records, wishes, held);
        }
        return elsewhere.nodes();
    }

    @SuppressWarnings("ReferenceEquality")
    private static <T> boolean isSame(List<T> some, List<T> others) {
        return some.size() == others.size()
                && IntStream.range(0, some.size()).allMatch(each -> some.get(each) == others.get(each));
    }

    /** Those of these nodes of a fabric that take nothing new. */
    private Set<String> closed(String fabric, Stream<String> nodes, Set<String> elsewhere) {
        return nodes.filter(node -> elsewhere.contains(node) || !newcomers.settled(fabric, node))
                .collect(Collectors.toSet());
    }

    private static Stream<String> nodes(RingIntent ring) {
        return ring.nodes().values().stream().map(RingNode::name);
    }

    private static Stream<String> nodes(OcsIntent spine) {
        return spine.pods().stream().flatMap(pod -> pod.nodes().keySet().stream());
    }

    /** The slices that others lead, and the nodes that these hold. */
    private record Elsewhere(List<FabricSlice> records, List<SliceIntent> wishes, Set<String> nodes) {}

    /** What nodes are closed by, and how often newcomers had changed. */
    private record Grounds(Set<String> elsewhere, long changes) {}

    /** A fabric as it was read, and as it is with these nodes closed. */
    private record Closing<F>(F read, Grounds grounds, Set<String> nodes, F closed) {}

    /** The very fabrics of before where they and their closed nodes are the same. Linear in nodes if grounds differ. */
    @SuppressWarnings("ReferenceEquality")
    private static <F> SortedMap<String, F> closed(
            SortedMap<String, F> fabrics,
            SortedMap<String, F> before,
            Map<String, Closing<F>> known,
            Grounds grounds,
            Function<F, Set<String>> closed,
            BiFunction<F, Set<String>, F> closing) {
        SortedMap<String, F> open = new TreeMap<>();
        Map<String, Closing<F>> next = new HashMap<>();
        fabrics.forEach((name, fabric) -> {
            Optional<Closing<F>> same = Optional.ofNullable(known.get(name)).filter(last -> last.read() == fabric);
            Set<String> nodes = same.filter(last -> last.grounds().equals(grounds))
                    .map(Closing::nodes)
                    .orElseGet(() -> closed.apply(fabric));
            F as = same.filter(last -> last.nodes().equals(nodes))
                    .map(Closing::closed)
                    .orElseGet(() -> nodes.isEmpty() ? fabric : closing.apply(fabric, nodes));
            Closing<F> now = new Closing<>(fabric, grounds, nodes, as);
            next.put(name, now);
            open.put(name, now.closed());
        });
        known.clear();
        known.putAll(next);
        return FixedMap.sameObjects(open, before) ? before : open;
    }

    private boolean isOurs(SliceIntent slice) {
        return share.leads(slice.fabric());
    }

    private boolean isOurs(SliceId id) {
        return all.slice(id).filter(this::isOurs).isPresent();
    }

    public boolean isOurs(FabricSlice slice) {
        return share.leads(slice.getSpec().fabric());
    }

    /**
     * A job is looked after where the first fabric is led that it asks for and that is known, whether or not it is
     * admitted there; one that has none, where the rest is. Its light on another fabric joins that to this one.
     */
    public boolean isOurs(TrainingJob job) {
        if (share.whole()) {
            return true;
        }
        return FabricClaims.of(job.getSpec()).stream()
                .filter(this::isKnown)
                .findFirst()
                .map(share::leads)
                .orElse(share.rest());
    }

    /** A fabric that is gone is led until nothing is left on it. */
    private boolean isKnown(String fabric) {
        return all.knows(fabric) || all.isNamed(fabric);
    }

    public List<OpticalFabric> fabrics() {
        return led(all.fabrics());
    }

    /** {@link ClusterInformers#attended}, of the fabrics that are led. */
    public List<OpticalFabric> attended() {
        return led(all.attended());
    }

    private List<OpticalFabric> led(List<OpticalFabric> fabrics) {
        return share.whole()
                ? fabrics
                : fabrics.stream()
                        .filter(fabric -> share.leads(fabric.getMetadata().getName()))
                        .toList();
    }

    public List<OpticalSwitch> switches() {
        return share.whole()
                ? all.switches()
                : all.switches().stream()
                        .filter(of -> share.leads(of.getSpec().fabric()))
                        .toList();
    }

    public List<TrainingJob> jobs() {
        return share.whole()
                ? all.jobs()
                : all.jobs().stream().filter(this::isOurs).toList();
    }

    public List<FabricSlice> slices() {
        return share.whole()
                ? all.slices()
                : all.slices().stream().filter(this::isOurs).toList();
    }

    /** Nodes of the fabrics that are led; those of none with the rest. {@link ClusterInformers#fabricOf} for each. */
    public List<Node> nodes() {
        return share.whole()
                ? all.nodes()
                : all.nodes().stream().filter(this::isOurs).toList();
    }

    /**
     * Whether it is of a fabric that is led; one of none, where the rest is. Costs as
     * {@link ClusterInformers#fabricOf}.
     */
    public boolean isOurs(Node node) {
        return share.whole()
                || all.fabricOf(node.getMetadata().getName()).map(share::leads).orElse(share.rest());
    }
}
