package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.reading.pod.PodAttribution;
import dev.lightpath.reading.pod.PodUse;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The planner tells by the objects what has changed: a slice of which nothing does stays the same one. */
class DesiredSlicesTest {
    private static final SliceId A = new SliceId("team", "a");
    private static final SliceId B = new SliceId("team", "b");
    private static final SliceId STATIC = new SliceId("lightpath", "spine");

    private final DesiredSlices wishes = new DesiredSlices();
    private final Map<String, TrainingJob> jobs = new HashMap<>(Map.of("team/a", job("a"), "team/b", job("b")));
    private final Map<SliceId, FabricSlice> slices = new HashMap<>(Map.of(A, slice("a"), B, slice("b")));
    private final Map<String, List<PodUse>> pods = new HashMap<>();
    private final Map<String, OpticalFabric> fabrics = new HashMap<>(Map.of("spine", fabric()));

    private SortedMap<SliceId, SliceIntent> read() {
        return wishes.read(
                slices.values(),
                new PodAttribution(Map.copyOf(pods), Map.of()),
                jobs::get,
                fabrics::get,
                (slice, e) -> {
                    throw new IllegalStateException(slice.getMetadata().getName(), e);
                });
    }

    @Test
    void whereNothingChangesTheMapIsTheSame() {
        SortedMap<SliceId, SliceIntent> before = read();
        assertThat(before).containsOnlyKeys(A, B);
        assertThat(read()).isSameAs(before);
    }

    @Test
    void anEqualWishOfAnotherObjectStaysTheSame() {
        SortedMap<SliceId, SliceIntent> before = read();
        slices.put(A, slice("a"));
        jobs.put("team/b", job("b"));
        pods.put("uid-a", List.of());
        assertThat(read()).isSameAs(before);
    }

    @Test
    void podsOfOneChangeThatOneAlone() {
        SortedMap<SliceId, SliceIntent> before = read();
        pods.put("uid-a", List.of(pod("n1")));
        SortedMap<SliceId, SliceIntent> after = read();
        assertThat(after.get(B)).isSameAs(before.get(B));
        assertThat(Objects.requireNonNull(after.get(A)).workload().holding()).containsExactly("n1");
        pods.put("uid-a", List.of(pod("n1")));
        assertThat(read()).isSameAs(after);
        pods.put("uid-a", List.of(pod("n2")));
        assertThat(Objects.requireNonNull(read().get(A)).workload().holding()).containsExactly("n2");
    }

    @Test
    void aJobOrASliceThatChangesIsReadAgain() {
        SortedMap<SliceId, SliceIntent> before = read();
        jobs.remove("team/a");
        SortedMap<SliceId, SliceIntent> withoutJob = read();
        assertThat(withoutJob.get(A)).isNotEqualTo(before.get(A));
        assertThat(withoutJob.get(B)).isSameAs(before.get(B));
        slices.remove(A);
        assertThat(read()).containsOnlyKeys(B);
    }

    /** Its fabric is to it what a job is to others: it says what is wished. */
    @Test
    void aStaticTopologyIsReadAgainWhenItsFabricChanges() {
        slices.put(STATIC, staticTopology());
        SortedMap<SliceId, SliceIntent> before = read();
        assertThat(Objects.requireNonNull(before.get(STATIC)).demand()).isEqualTo(new Demand.Topology());
        assertThat(Objects.requireNonNull(before.get(STATIC)).wanted()).isTrue();
        assertThat(read()).isSameAs(before);

        fabrics.put("spine", fabric());
        slices.put(STATIC, staticTopology());
        pods.put("uid-a", List.of(pod("n1")));
        SortedMap<SliceId, SliceIntent> equal = read();
        assertThat(equal.get(STATIC)).as("equal, of other objects").isSameAs(before.get(STATIC));
        assertThat(equal.get(A)).isNotSameAs(before.get(A));

        fabrics.remove("spine");
        SortedMap<SliceId, SliceIntent> after = read();
        assertThat(Objects.requireNonNull(after.get(STATIC)).wanted()).isFalse();
        assertThat(after.get(B)).isSameAs(before.get(B));
    }

    private static PodUse pod(String node) {
        return new PodUse(
                "team",
                Optional.of("a"),
                Optional.of("1"),
                Optional.of(node),
                true,
                false,
                "Running",
                false,
                OptionalInt.empty(),
                new TreeSet<>(List.of("nvidia.com/gpu")),
                Optional.empty());
    }

    private static TrainingJob job(String name) {
        return Serialization.unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {namespace: team, name: %s, uid: uid-%s, creationTimestamp: "2026-01-01T00:00:00Z"}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {tensor: 16, data: 4}
                  scaleUp: {fabric: ring-a}
                  workload: {template: {spec: {containers: []}}}
                """.formatted(name, name), TrainingJob.class);
    }

    private static FabricSlice slice(String name) {
        return Serialization.unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: FabricSlice
                metadata: {namespace: team, name: %s, creationTimestamp: "2026-01-01T00:00:00Z"}
                spec:
                  fabric: ring-a
                  job: {name: %s, uid: uid-%s, attempt: 1}
                  demand: {scaleUp: {groups: 4, gpusPerGroup: 16}}
                """.formatted(name, name, name), FabricSlice.class);
    }

    private static OpticalFabric fabric() {
        return Serialization.unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: spine, creationTimestamp: "2026-01-01T00:00:00Z"}
                spec:
                  ocs:
                    topology: {polarFly: {order: 7}}
                """, OpticalFabric.class);
    }

    private static FabricSlice staticTopology() {
        return Serialization.unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: FabricSlice
                metadata: {namespace: lightpath, name: spine, creationTimestamp: "2026-01-01T00:00:00Z"}
                spec:
                  fabric: spine
                  demand: {topology: {polarFly: {order: 7}}}
                """, FabricSlice.class);
    }
}
