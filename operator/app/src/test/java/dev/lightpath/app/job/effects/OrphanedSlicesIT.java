package dev.lightpath.app.job.effects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServerExtension.class)
final class OrphanedSlicesIT {
    private static final String NAMESPACE = "left-slices";
    private static final String DARK = "allocation: {format: 1, revision: 2}";
    private static final String LIT =
            "allocation: {format: 1, revision: 1, groups: [{index: 0, nodes: [n0, n1], positions: [0, 1]}]}";

    private static final String IN_PARTS =
            "allocation: {format: 1, revision: 1, parts: 2, groups: [{index: 0, nodes: [n0, n1], positions: [0, 1]}]}";
    private static final String GONE = "5a1e0f9e-0000-4000-8000-00000000dead";

    private KubernetesClient client;
    private OrphanedSlices left;

    @BeforeEach
    void start(ApiServer server) {
        client = server.client();
        left = new OrphanedSlices(client);
        ApiServer.namespace(client, NAMESPACE);
        make("gone", "not-there");
    }

    @AfterEach
    void stop() {
        remove();
        client.resources(TrainingJob.class).inNamespace(NAMESPACE).delete();
        client.close();
    }

    @Test
    void aSliceWhoseJobIsGoneGoesOnceItIsDark() {
        tell("Pending", LIT);
        assertGoesOnceDark();
    }

    @Test
    void aSliceThatIsGoingAlreadyLosesItsFinalizerOnceItIsDark() {
        tell("Pending", LIT);
        slices().withName("left").delete();
        assertGoesOnceDark();
    }

    /** It was dark when it was seen, and has a record again since. */
    @Test
    void aSliceThatWasWrittenSinceItWasSeenStays() {
        tell("Released", DARK);
        List<FabricSlice> seen = slices().list().getItems();
        tell("Pending", LIT);
        assertThat(left.tend(List.of(), seen, () -> true)).isTrue();
        assertThat(slice()).isNotNull();
    }

    @Test
    void aSliceOfAJobThatIsNotSeenYetIsItsJobs() {
        TrainingJob job = client.resource(read("""
                        metadata: {name: late, namespace: left-slices}
                        spec:
                          model: {preset: gpt-7b}
                          parallelism: {tensor: 8}
                          scaleUp: {fabric: ring-a}
                        """, TrainingJob.class)).create();
        remove();
        make("late", job.getMetadata().getUid());
        tell("Released", DARK);
        assertThat(tend()).isTrue();
        assertThat(slice()).isNotNull();
    }

    @Test
    void partsOfARecordGoAfterTheirSlice() {
        tell("Pending", IN_PARTS);
        FabricSlice going = slice();
        makePart(1, going.getMetadata().getUid());
        slices().delete();
        assertThat(tend()).isTrue();
        assertThat(slices().list().getItems()).as("its light burns").hasSize(2);

        slices().withName("left").edit(slice -> {
            slice.getMetadata().setAnnotations(Map.of(LightpathAnnotations.FORCE_RELEASE, ""));
            return slice;
        });
        assertThat(left.tend(List.of(), List.of(slice()), () -> true)).isTrue();
        assertThat(slices().list().getItems()).isEmpty();
    }

    @Test
    void partsStayWhileAnotherFinalizerHoldsTheirSlice() {
        tell("Pending", IN_PARTS);
        makePart(1, slice().getMetadata().getUid());
        slices().withName("left").edit(slice -> {
            slice.getMetadata().setAnnotations(Map.of(LightpathAnnotations.FORCE_RELEASE, ""));
            slice.getMetadata().setFinalizers(List.of("example.com/other", LightpathNames.FINALIZER));
            return slice;
        });
        assertThat(tend()).isTrue();
        assertThat(slice().getMetadata().getFinalizers()).containsExactly("example.com/other");
        assertThat(slices().list().getItems()).hasSize(2);
    }

    @Test
    void partsWhoseSliceIsGoneGoSomeAtATime() {
        tell("Pending", LIT);
        for (int revision = 1; revision <= 33; revision++) {
            makePart(revision, GONE);
        }
        slices().withName(SliceParts.name("left", 1, 1)).delete();
        assertThat(tend()).isFalse();
        assertThat(slices().list().getItems()).hasSize(2);
        assertThat(tend()).isTrue();
        assertThat(slices().list().getItems())
                .singleElement()
                .satisfies(slice -> assertThat(SliceParts.isPart(slice)).isFalse());
    }

    @Test
    void aPartOfASliceThatIsNotSeenYetStays() {
        makePart(1, slice().getMetadata().getUid());
        List<FabricSlice> seen =
                slices().list().getItems().stream().filter(SliceParts::isPart).toList();
        assertThat(left.tend(List.of(), seen, () -> true)).isTrue();
        assertThat(slices().list().getItems()).hasSize(2);
    }

    @Test
    void slicesThatStayHideNoOthers() {
        remove();
        OpticalFabric fabric = client.resource(read("""
                metadata: {name: left-ring}
                spec:
                  ocsTrx: {reach: 2, gpusPerNode: 4, shape: Line, driver: {endpoint: "driver:9440"}}
                """, OpticalFabric.class)).create();
        for (int number = 1; number <= 33; number++) {
            client.resource(read("""
                    metadata: {name: left-%02d, namespace: left-slices, finalizers: [lightpath.dev/light]}
                    spec:
                      fabric: left-ring
                      part: 0
                      job: {name: gone, uid: not-there, attempt: 1}
                      demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}
                    """.formatted(number), FabricSlice.class)).create();
        }
        slices().withName("left-33").editStatus(slice -> {
            slice.setStatus(told("Released", DARK));
            return slice;
        });
        assertThat(tend()).as("there are more").isFalse();
        assertThat(tend()).isFalse();
        assertThat(slices().withName("left-33").get()).isNull();
        assertThat(slices().list().getItems()).hasSize(32);
        client.resource(fabric).delete();
    }

    /** Its slice was made anew with the record that names it. */
    @Test
    void aPartThatASliceOfThatNameNamesStays() {
        makePart(1, GONE);
        tell("Pending", IN_PARTS);
        assertThat(tend()).isTrue();
        assertThat(slices().list().getItems()).hasSize(2);
    }

    private void assertGoesOnceDark() {
        assertThat(tend()).isTrue();
        assertThat(slice()).as("its light burns").isNotNull();
        tell("Released", DARK);
        assertThat(tend()).isTrue();
        assertThat(slice()).isNull();
    }

    private void make(String job, String uid) {
        client.resource(read("""
                metadata: {name: left, namespace: left-slices, finalizers: [lightpath.dev/light]}
                spec:
                  fabric: ring-a
                  part: 0
                  job: {name: %s, uid: %s, attempt: 1}
                  demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}
                """.formatted(job, uid), FabricSlice.class)).create();
    }

    private void makePart(int revision, String of) {
        client.resource(read("""
                metadata:
                  name: %s
                  namespace: left-slices
                  finalizers: [lightpath.dev/light]
                  ownerReferences: [{apiVersion: lightpath.dev/v1alpha1, kind: FabricSlice, name: left, uid: %s}]
                spec:
                  fabric: ring-a
                  part: 1
                  job: {name: gone, uid: not-there, attempt: 1}
                  demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}
                """.formatted(SliceParts.name("left", revision, 1), of), FabricSlice.class))
                .create();
    }

    private void remove() {
        slices().list()
                .getItems()
                .forEach(slice -> client.resource(slice).edit(now -> {
                    now.getMetadata().setFinalizers(List.of());
                    return now;
                }));
        slices().delete();
    }

    private boolean tend() {
        return left.tend(List.of(), slices().list().getItems(), () -> true);
    }

    private @Nullable FabricSlice slice() {
        return slices().withName("left").get();
    }

    private NonNamespaceOperation<FabricSlice, KubernetesResourceList<FabricSlice>, Resource<FabricSlice>> slices() {
        return client.resources(FabricSlice.class).inNamespace(NAMESPACE);
    }

    private void tell(String reason, String record) {
        slices().withName("left").editStatus(slice -> {
            slice.setStatus(told(reason, record));
            return slice;
        });
    }

    private FabricSliceStatus told(String reason, String record) {
        return read("""
                conditions: [{type: Ready, status: "False", reason: %s, message: told, lastTransitionTime: "2026-01-02T03:04:05Z"}]
                %s
                """.formatted(reason, record), FabricSliceStatus.class);
    }

    private <T> T read(String yaml, Class<T> type) {
        return client.getKubernetesSerialization().unmarshal(yaml, type);
    }
}
