package dev.lightpath.app.lead;

import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.planner.share.FabricGroups;
import dev.lightpath.reading.pod.PodUse;
import dev.lightpath.reading.share.FabricClaims;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicBoolean;

/** The groups of fabrics that watches show now. Serves one thread. */
final class GroupsOfCluster {
    private final ClusterInformers cluster;
    private final AtomicBoolean changed = new AtomicBoolean(true);
    private long description = -1;
    private Optional<FabricClaims> claims = Optional.empty();
    private Optional<FabricGroups> groups = Optional.empty();

    GroupsOfCluster(ClusterInformers cluster) {
        this.cluster = cluster;
        cluster.listen(() -> changed.set(true));
    }

    /** Linear in slices and pods after a change; O(fabrics * nodes) too after one of a fabric, a switch or a node. */
    FabricGroups read() {
        if (!changed.getAndSet(false) && groups.isPresent()) {
            return groups.get();
        }
        try {
            FabricGroups read = readAll();
            groups = Optional.of(read);
            return read;
        } catch (RuntimeException e) {
            changed.set(true);
            throw e;
        }
    }

    /** By fabric, the nodes that it selects, as of the last {@link #read}. */
    SortedMap<String, SortedSet<String>> nodes() {
        return claims.map(FabricClaims::nodes).orElseGet(Collections::emptySortedMap);
    }

    private FabricGroups readAll() {
        // counted before the stores are read: a change in between is read again
        long now = cluster.description();
        FabricClaims claimed = claims.filter(known -> description == now)
                .orElseGet(() -> FabricClaims.of(cluster.fabrics(), cluster.switches(), cluster.nodes()));
        claims = Optional.of(claimed);
        description = now;
        Map<String, List<String>> podNodes = new HashMap<>();
        cluster.attributed()
                .ofJob()
                .forEach((job, pods) -> podNodes.put(
                        job,
                        pods.stream()
                                .filter(PodUse::wasLetGo)
                                .flatMap(pod -> pod.node().stream())
                                .distinct()
                                .toList()));
        return claimed.groups(cluster.slices(), podNodes);
    }
}
