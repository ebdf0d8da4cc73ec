package dev.lightpath.app.cluster;

import dev.lightpath.app.loop.Cluster;
import dev.lightpath.app.loop.DesiredState;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.reading.share.FabricClaims;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/** The part of what the watches show that a process leads. Of the whole cluster it is what the watches show. */
public final class ShareOfCluster implements Cluster {
    private final ClusterInformers all;
    private final Share share;

    // of the one thread that plans
    private Optional<DesiredState> whole = Optional.empty();
    private DesiredState part =
            new DesiredState(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

    public ShareOfCluster(ClusterInformers all, Share share) {
        this.all = all;
        this.share = share;
    }

    /** Linear in fabrics and slices after a change, else constant. */
    @Override
    @SuppressWarnings("ReferenceEquality")
    public DesiredState read() {
        DesiredState now = all.read();
        if (share.whole()) {
            return now;
        }
        if (whole.filter(before -> before == now).isEmpty()) {
            part = new DesiredState(
                    some(now.rings(), part.rings(), (fabric, ring) -> share.leads(fabric)),
                    some(now.slices(), part.slices(), (id, slice) -> isOurs(slice)),
                    some(now.impossible(), part.impossible(), (fabric, why) -> share.leads(fabric)),
                    some(now.ocsFabrics(), part.ocsFabrics(), (fabric, ocs) -> share.leads(fabric)),
                    some(now.unreadable(), part.unreadable(), (id, why) -> isOurs(id)));
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
     * A job is looked after where the first fabric is led that it asks for and that is known, whether or not it is admitted
     * there; one that has none, where the rest is. Its light on another fabric joins that to this one.
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

    /** Constant for a fabric that exists, else linear in slices: it is led until nothing is left on it. */
    private boolean isKnown(String fabric) {
        return all.knows(fabric)
                || all.slices().stream()
                        .anyMatch(slice -> slice.getSpec().fabric().equals(fabric));
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

    /** Nodes of the fabrics that are led; those of none with the rest. O(fabrics * nodes). */
    public List<Node> nodes() {
        if (share.whole()) {
            return all.nodes();
        }
        List<OpticalFabric> fabrics = all.fabrics();
        return all.nodes().stream()
                .filter(node -> fabrics.stream()
                        .filter(fabric -> FabricClaims.selects(fabric, node))
                        .findFirst()
                        .map(fabric -> share.leads(fabric.getMetadata().getName()))
                        .orElse(share.rest()))
                .toList();
    }
}
