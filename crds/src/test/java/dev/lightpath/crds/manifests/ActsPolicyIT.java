package dev.lightpath.crds.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The policy of deploy/kubernetes/access that refuses times and numbers which the operator could not read. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ActsPolicyIT {
    private static final Path POLICY = Path.of("../deploy/kubernetes/access/acts-policy.yaml");

    private final KubernetesClient client;
    private List<HasMetadata> policy = List.of();

    ActsPolicyIT(ApiServer server) {
        client = server.client();
    }

    /** A policy holds a moment after it was written. */
    @BeforeAll
    void apply() throws IOException, InterruptedException {
        try (InputStream yaml = new FileInputStream(POLICY.toFile())) {
            policy = client.load(yaml).create();
        }
        untilNonsenseIs(true);
    }

    private void untilNonsenseIs(boolean refused) throws InterruptedException {
        for (int tries = 0; node("nonsense").isEmpty() == refused; tries++) {
            assertThat(tries)
                    .as("tries until the policy is in force, or out of it")
                    .isLessThan(1000);
            Thread.sleep(100);
        }
    }

    @AfterAll
    void takeBack() {
        client.resourceList(policy).delete();
        client.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-22T18:43:36Z",
                "2026-11-22T18:43:36.123456789+02:00",
                "2026-11-22T18:43Z",
                "2026-02-28T23:59:59+18:00"
            })
    void takesTimesThatTheOperatorReads(String time) {
        assertThat(OffsetDateTime.parse(time)).isNotNull();
        assertThat(node(time)).isEmpty();
        assertThat(fabric(time)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "yesterday",
                "true",
                "2026-11-22",
                "2026-11-22T18:43:36",
                "2026-13-01T00:00:00Z",
                "2026-02-30T00:00:00Z",
                "2026-11-31T00:00:00Z",
                "2026-11-22T18:43:36+99:99"
            })
    void refusesOthersInOneLineThatSaysWhatToWrite(String time) {
        assertThatThrownBy(() -> OffsetDateTime.parse(time)).isInstanceOf(DateTimeParseException.class);
        assertThat(node(time))
                .contains("metadata.annotations[lightpath.dev/clear-fault] is '" + time
                        + "': write a time as RFC 3339, as `date -u +%FT%TZ` prints it");
        assertThat(fabric(time)).contains("metadata.annotations[lightpath.dev/resume-after-mass-failure] is '" + time);
        assertThat(annotated(LightpathAnnotations.DISCOVER, time))
                .contains("metadata.annotations[lightpath.dev/discover] is '" + time);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "42", "9223372036854775806"})
    void takesEpochsThatTheOperatorReads(String epoch) {
        assertThat(Long.parseLong(epoch)).isPositive();
        assertThat(accepting(epoch)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "07", "1.5", "all", "92233720368547758070"})
    void refusesWhatIsNoEpoch(String epoch) {
        assertThat(accepting(epoch))
                .contains("metadata.annotations[lightpath.dev/accepted-epoch] is '" + epoch
                        + "': write the number that the status shows");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.574", "12", "0", "123456789.123456789"})
    void takesSecondsThatTheOperatorReads(String seconds) {
        assertThat(Double.parseDouble(seconds)).isNotNegative();
        assertThat(measured(seconds)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1e3", "fast", "0.5 s", "1.", "NaN"})
    void refusesWhatAreNoSeconds(String seconds) {
        assertThat(measured(seconds))
                .contains("metadata.annotations[lightpath.dev/iteration-seconds] is '" + seconds
                        + "': write seconds as a decimal, for example 0.574");
    }

    /** Nothing is too long to be looked at. */
    @Test
    void refusesWhatIsTooLongForATime() {
        assertThat(node("2026-11-22T18:43:36Z" + "0".repeat(200_000)))
                .contains("metadata.annotations[lightpath.dev/clear-fault] is '2026-11-22T18:43:36Z000")
                .contains("': write a time as RFC 3339")
                .hasSizeLessThan(2000);
    }

    /** What was there before the policy does not hold up what else is written to the node. */
    @Test
    void looksOnlyAtWhatChanges() throws InterruptedException {
        client.resourceList(policy).delete();
        var node = new NodeBuilder()
                .withNewMetadata()
                .withName("written-before")
                .addToAnnotations(LightpathAnnotations.CLEAR_FAULT, "yesterday")
                .endMetadata()
                .build();
        untilNonsenseIs(false);
        client.resource(node).create();
        policy.forEach(object -> object.getMetadata().setResourceVersion(null));
        client.resourceList(policy).create();
        untilNonsenseIs(true);
        var labelled = client.nodes()
                .withName("written-before")
                .edit(old -> new NodeBuilder(old)
                        .editMetadata()
                        .addToLabels("of", "mine")
                        .endMetadata()
                        .build());
        assertThat(labelled.getMetadata().getLabels()).containsEntry("of", "mine");
        client.resource(node).delete();
    }

    private String node(String time) {
        return refusal(new NodeBuilder()
                .withNewMetadata()
                .withName("n0")
                .addToAnnotations(LightpathAnnotations.CLEAR_FAULT, time)
                .endMetadata()
                .build());
    }

    private String fabric(String time) {
        return annotated(LightpathAnnotations.RESUME_AFTER_MASS_FAILURE, time);
    }

    private String accepting(String epoch) {
        return annotated(LightpathAnnotations.ACCEPTED_EPOCH, epoch);
    }

    private String measured(String seconds) {
        TrainingJob job = client.getKubernetesSerialization().unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: acted-on, namespace: default}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 8}, scaleUp: {fabric: ring-a}}
                """, TrainingJob.class);
        job.getMetadata().setAnnotations(Map.of(LightpathAnnotations.ITERATION_SECONDS, seconds));
        return refusal(job);
    }

    private String annotated(String key, String value) {
        OpticalFabric fabric = client.getKubernetesSerialization().unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: acted-on}
                spec: {ocsTrx: {shape: Line, reach: 2, gpusPerNode: 2, driver: {endpoint: 'h:1'}}}
                """, OpticalFabric.class);
        fabric.getMetadata().setAnnotations(Map.of(key, value));
        return refusal(fabric);
    }

    /** Empty when the API server takes it. */
    private String refusal(HasMetadata object) {
        try {
            client.resource(object).dryRun().create();
            return "";
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
