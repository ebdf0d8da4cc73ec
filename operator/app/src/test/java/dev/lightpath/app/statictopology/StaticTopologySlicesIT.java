package dev.lightpath.app.statictopology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceSpec;
import dev.lightpath.crds.slice.FabricSliceStatus;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServerExtension.class)
final class StaticTopologySlicesIT {
    private static final String NAMESPACE = "standing-slices";
    private static final String FABRIC = "standing";

    private KubernetesClient client;
    private StaticTopologySlices standing;

    @BeforeEach
    void start(ApiServer server) {
        client = server.client();
        standing = new StaticTopologySlices(client, NAMESPACE);
        ApiServer.namespace(client, NAMESPACE);
        client.resource(read("""
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata:
                  name: standing
                  annotations: {lightpath.dev/release-on-deletion: "true"}
                spec:
                  ocs:
                    gpusPerNode: 4
                    topology: {polarFly: {order: 2}}
                    pods: [{name: r0, index: 0, ports: 3, gpus: 8}, {name: r1, index: 1, ports: 3, gpus: 8}, {name: r2, index: 2, ports: 3, gpus: 8},
                      {name: r3, index: 3, ports: 3, gpus: 8}, {name: r4, index: 4, ports: 3, gpus: 8}, {name: r5, index: 5, ports: 3, gpus: 8},
                      {name: r6, index: 6, ports: 3, gpus: 8}]
                """, OpticalFabric.class)).create();
        tend();
        tend();
    }

    @AfterEach
    void stop() {
        slices().list()
                .getItems()
                .forEach(each -> client.resource(each).edit(slice -> {
                    slice.getMetadata().setFinalizers(List.of());
                    return slice;
                }));
        slices().delete();
        removeFabric();
        client.close();
    }

    private void removeFabric() {
        if (fabric() != null) {
            client.resources(OpticalFabric.class).withName(FABRIC).edit(fabric -> {
                fabric.getMetadata().setFinalizers(List.of());
                return fabric;
            });
            client.resources(OpticalFabric.class).withName(FABRIC).delete();
        }
    }

    @Test
    void aFabricWaitsForLightThatIsRecordedWhateverWasToldOfASliceOfThatName() {
        tell("[{switch: ocs-0, circuits: [1-9]}]");
        client.resources(OpticalFabric.class).withName(FABRIC).delete();

        tend();
        tend();
        assertThat(fabric()).as("light is recorded").isNotNull();

        tell("[]");
        tend();
        assertThat(fabric()).as("nothing is recorded").isNull();
    }

    /** It was dark when it was seen, and has a record again since. */
    @Test
    void aSliceThatWasWrittenSinceItWasSeenStays() {
        tell("[]");
        List<FabricSlice> seen = slices().list().getItems();
        tell("[{switch: ocs-0, circuits: [1-9]}]");
        removeFabric();
        standing.tend(List.of(), seen, () -> true);
        FabricSlice slice = slices().withName(StaticTopologySlices.name(FABRIC)).get();
        assertThat(slice.getMetadata().getDeletionTimestamp()).isNull();
        assertThat(slice.getMetadata().getFinalizers()).contains(LightpathNames.FINALIZER);
    }

    /** Another process has seen the fabric, and made its slice. */
    @Test
    void aSliceStaysWhileItsFabricIsThereThoughItIsNotSeen() {
        standing.tend(List.of(), slices().list().getItems(), () -> true);
        assertThat(slices().withName(StaticTopologySlices.name(FABRIC))
                        .get()
                        .getMetadata()
                        .getDeletionTimestamp())
                .isNull();

        removeFabric();
        standing.tend(List.of(), slices().list().getItems(), () -> true);
        FabricSlice slice = slices().withName(StaticTopologySlices.name(FABRIC)).get();
        assertThat(slice == null ? "gone" : slice.getMetadata().getDeletionTimestamp())
                .isNotNull();
    }

    /** The name of its slice is cut where the fabric's has a dot. */
    @Test
    void oneFabricWhoseSliceIsRefusedHidesNoOthers() {
        OpticalFabric dotted = fabric("a".repeat(44) + ".example.com");
        OpticalFabric refused = fabric("Refused");
        OpticalFabric last = fabric("last");

        assertThat(standing.tend(List.of(refused, dotted, last), List.of(), () -> true))
                .as("one is left to do")
                .isFalse();
        assertThat(slices().list().getItems())
                .extracting(slice -> slice.getSpec().fabric())
                .contains(dotted.getMetadata().getName(), last.getMetadata().getName());
    }

    /** Of static topology, as another seen; it is not there when it is looked for. */
    private OpticalFabric fabric(String name) {
        OpticalFabric fabric =
                client.resources(OpticalFabric.class).withName(FABRIC).get();
        fabric.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withFinalizers(LightpathNames.FINALIZER)
                .build());
        return fabric;
    }

    /** Parts of its record go only after it. */
    @Test
    void aPartThatSomebodyDeletedIsNotItsSlice() {
        FabricSlice part = slices().withName(StaticTopologySlices.name(FABRIC)).get();
        part.setMetadata(new ObjectMetaBuilder()
                .withNamespace(NAMESPACE)
                // listed before it
                .withName("a-part")
                .withFinalizers(LightpathNames.FINALIZER)
                .build());
        part.setSpec(new FabricSliceSpec(FABRIC, null, 1, part.getSpec().demand()));
        client.resource(part).create();
        slices().withName("a-part").delete();
        tend();
        assertThat(slices().withName("a-part").get()).isNotNull();
    }

    private void tend() {
        standing.tend(
                client.resources(OpticalFabric.class).list().getItems().stream()
                        .filter(fabric -> fabric.getMetadata().getName().equals(FABRIC))
                        .toList(),
                slices().list().getItems(),
                () -> true);
    }

    private NonNamespaceOperation<FabricSlice, KubernetesResourceList<FabricSlice>, Resource<FabricSlice>> slices() {
        return client.resources(FabricSlice.class).inNamespace(NAMESPACE);
    }

    private @Nullable OpticalFabric fabric() {
        return client.resources(OpticalFabric.class).withName(FABRIC).get();
    }

    /** Says that the slice is released, and that these circuits are recorded. */
    private void tell(String circuits) {
        slices().withName(StaticTopologySlices.name(FABRIC)).editStatus(slice -> {
            slice.setStatus(read("""
                    conditions: [{type: Ready, status: "False", reason: Released, message: dark, lastTransitionTime: "2026-01-02T03:04:05Z"}]
                    allocation: {format: 1, revision: 1, circuits: %s}
                    """.formatted(circuits), FabricSliceStatus.class));
            return slice;
        });
    }

    private <T> T read(String yaml, Class<T> type) {
        return client.getKubernetesSerialization().unmarshal(yaml, type);
    }
}
