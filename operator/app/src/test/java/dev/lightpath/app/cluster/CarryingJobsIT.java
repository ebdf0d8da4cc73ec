package dev.lightpath.app.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.app.loop.LedgerUnread;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A slice that somebody deleted is gone, and the watch of jobs did not tell that its job carries its record. */
@ExtendWith(ApiServerExtension.class)
final class CarryingJobsIT {
    private static final String LIT =
            "allocation: {format: 1, revision: 1, groups: [{index: 0, nodes: [n0, n1], positions: [0, 1]}]}";
    private static final String DARK = "allocation: {format: 1, revision: 2}";
    private static final String KEY = "default/carrier";

    private KubernetesClient client;
    private TrainingJob watched;
    private CarryingJobs jobs;

    @BeforeEach
    void start(ApiServer server) {
        client = server.client();
        watched = client.resource(read("""
                        metadata: {name: carrier, namespace: default}
                        spec:
                          model: {preset: gpt-7b}
                          parallelism: {tensor: 8}
                          scaleUp: {fabric: ring-a}
                        """, TrainingJob.class)).create();
        jobs = new CarryingJobs(client, key -> key.equals(KEY) ? watched : null);
    }

    @AfterEach
    void stop() {
        job().delete();
        client.close();
    }

    @Test
    void aJobWhoseSliceWentWithItsRecordIsReadBack() {
        jobs.follow(List.of(slice("one", LIT)));
        TrainingJob carries = carry();
        assertThat(jobs.job(KEY)).as("the slice is there").isEqualTo(watched);
        jobs.follow(List.of());
        assertThat(jobs.job(KEY)).isEqualTo(carries);
        assertThat(jobs.newest(watched)).isEqualTo(carries);
        assertThat(jobs.job("default/other")).isNull();
    }

    /** It was written again between two looks: the same name, another UID. */
    @Test
    void soItIsWhereTheSliceIsThereAgain() {
        jobs.follow(List.of(slice("one", LIT)));
        TrainingJob carries = carry();
        List<FabricSlice> again = List.of(slice("two", ""));
        jobs.follow(again);
        assertThat(jobs.job(KEY)).isEqualTo(carries);
        jobs.follow(again);
        assertThat(jobs.job(KEY)).as("as long as the watch is behind").isEqualTo(carries);
    }

    @Test
    void whatTheWatchShowsLaterIsNewer() {
        jobs.follow(List.of(slice("one", LIT)));
        carry();
        jobs.follow(List.of());
        watched = job().editStatus(job -> {
            job.setStatus(read("attempt: 1", TrainingJobStatus.class));
            return job;
        });
        assertThat(jobs.job(KEY)).isEqualTo(watched);
        jobs.follow(List.of());
        assertThat(jobs.job(KEY)).isEqualTo(watched);
    }

    @Test
    void aJobOfTheSameNameThatIsAnotherIsNotTheOneThatIsWatched() {
        jobs.follow(List.of(slice("one", LIT)));
        job().delete();
        client.resource(read("""
                        metadata: {name: carrier, namespace: default}
                        spec:
                          model: {preset: gpt-7b}
                          parallelism: {tensor: 8}
                          scaleUp: {fabric: ring-a}
                        """, TrainingJob.class)).create();
        carry();
        jobs.follow(List.of());
        assertThat(jobs.job(KEY)).isEqualTo(watched);
    }

    @Test
    void aSliceThatWentDarkOrHadNothingMakesNobodyAsk() {
        jobs.follow(List.of(slice("dark", DARK + """

                conditions: [{type: Ready, status: "False", reason: Released, message: dark, lastTransitionTime: "2026-01-02T03:04:05Z"}]
                """), slice("empty", "")));
        carry();
        jobs.follow(List.of());
        assertThat(jobs.job(KEY)).isEqualTo(watched);
    }

    @Test
    void whileTheApiServerIsAwayNothingIsForgotten() {
        try (KubernetesClient nowhere = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(client.getConfiguration())
                        .withMasterUrl("https://127.0.0.1:1")
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build()) {
            CarryingJobs away = new CarryingJobs(nowhere, key -> watched);
            away.follow(List.of(slice("one", LIT)));
            for (int times = 0; times < 2; times++) {
                assertThatThrownBy(() -> away.follow(List.of())).isInstanceOf(LedgerUnread.class);
            }
        }
    }

    private TrainingJob carry() {
        return job().editStatus(job -> {
            job.setStatus(read(
                    "carried: [{slice: carrier-ring-a-1, fabric: ring-a, attempt: 1, allocation: '{}'}]",
                    TrainingJobStatus.class));
            return job;
        });
    }

    private FabricSlice slice(String uid, String status) {
        return read(
                """
                metadata: {name: carrier-ring-a-1, namespace: default, uid: %s}
                spec:
                  fabric: ring-a
                  part: 0
                  job: {name: carrier, uid: %s, attempt: 1}
                  demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}
                %s
                """.formatted(
                        uid,
                        requireNonNull(watched.getMetadata().getUid()),
                        status.isEmpty() ? "" : "status:\n" + status.strip().indent(2)),
                FabricSlice.class);
    }

    private Resource<TrainingJob> job() {
        return client.resources(TrainingJob.class).inNamespace("default").withName("carrier");
    }

    private <T> T read(String yaml, Class<T> type) {
        return client.getKubernetesSerialization().unmarshal(yaml, type);
    }
}
