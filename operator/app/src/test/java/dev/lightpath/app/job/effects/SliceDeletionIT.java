package dev.lightpath.app.job.effects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.conditions.EventWriter;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.plan.JobStep;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Between the look at a slice and its end the planning loop may have given it light. */
@ExtendWith(ApiServerExtension.class)
final class SliceDeletionIT {
    private KubernetesClient client;
    private StepExecutor executor;
    private TrainingJob job;

    @BeforeEach
    void start(ApiServer server) {
        client = server.client();
        executor = new StepExecutor(
                client, (any, names) -> List.of(), pod -> {}, new EventWriter(client, InstantSource.system()));
        job = read("metadata: {name: judged, namespace: default, uid: judged-uid}", TrainingJob.class);
        client.resource(read("""
                metadata: {name: judged, namespace: default, finalizers: [lightpath.dev/light]}
                spec:
                  fabric: ring-a
                  part: 0
                  job: {name: judged, uid: judged-uid, attempt: 1}
                  demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}
                """, FabricSlice.class)).create();
    }

    @AfterEach
    void stop() {
        if (slice().get() != null) {
            slice().edit(slice -> {
                slice.getMetadata().setFinalizers(List.of());
                return slice;
            });
            slice().delete();
        }
        client.close();
    }

    @Test
    void aSliceThatWasGivenLightSinceItWasJudgedStays() {
        JobStep judgedEmpty = deletion();
        slice().editStatus(slice -> {
            slice.setStatus(read(
                    "allocation: {format: 1, revision: 1, groups: [{index: 0, nodes: [n0, n1], positions: [0, 1]}]}",
                    FabricSliceStatus.class));
            return slice;
        });
        assertThat(executor.carryOut(job, List.of(judgedEmpty), List::of, () -> true)
                        .current())
                .as("all is to be read again")
                .isFalse();
        assertThat(slice().get()).isNotNull();
        assertThat(slice().get().getMetadata().getDeletionTimestamp()).isNull();
        assertThat(executor.carryOut(job, List.of(deletion()), List::of, () -> true)
                        .current())
                .isTrue();
        assertThat(slice().get()).isNull();
    }

    @Test
    void whatOnlyHasOtherConditionsGoes() {
        JobStep judged = deletion();
        slice().editStatus(slice -> {
            slice.setStatus(read("""
                    conditions: [{type: Ready, status: "False", reason: Pending, message: told, lastTransitionTime: "2026-01-02T03:04:05Z"}]
                    """, FabricSliceStatus.class));
            return slice;
        });
        assertThat(executor.carryOut(job, List.of(judged), List::of, () -> true).current())
                .isTrue();
        assertThat(slice().get()).isNull();
    }

    private JobStep deletion() {
        return JobStep.DeleteSlice.of(SliceFacts.of(slice().get(), none -> null));
    }

    private Resource<FabricSlice> slice() {
        return client.resources(FabricSlice.class).inNamespace("default").withName("judged");
    }

    private <T> T read(String yaml, Class<T> type) {
        return client.getKubernetesSerialization().unmarshal(yaml, type);
    }
}
