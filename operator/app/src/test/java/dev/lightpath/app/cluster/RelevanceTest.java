package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

class RelevanceTest {
    private static final String RECORD =
            "allocation: {format: 1, revision: 1, groups: [{index: 0, nodes: [n0], positions: [0]}]}";

    private final KubernetesSerialization yaml = new KubernetesSerialization();

    @Test
    void whatASliceHoldsIsNewsAndWhatIsSaidOfItIsNot() {
        FabricSlice before = slice("job: {name: llm, uid: u, attempt: 1}, ", RECORD);
        assertThat(Relevance.ofSlice(
                        before,
                        slice(
                                "job: {name: llm, uid: u, attempt: 1}, ",
                                RECORD + ", programmed: {total: 3, applied: 2, failed: 0}")))
                .isFalse();
        assertThat(Relevance.ofSlice(before, slice("job: {name: llm, uid: u, attempt: 1}, ", "observedGeneration: 1")))
                .as("its record was taken away")
                .isTrue();
        assertThat(Relevance.ofSlice(
                        before,
                        slice(
                                "job: {name: llm, uid: u, attempt: 1}, ",
                                RECORD + ", conditions: [" + condition("Ready", "False", "Released") + "]")))
                .as("it has gone dark")
                .isTrue();
        assertThat(Relevance.ofSlice(slice("", RECORD), slice("", RECORD + ", observedGeneration: 1")))
                .as("a static topology's may have gone dark")
                .isTrue();
    }

    @Test
    void aNewAttemptAndAnEndOfAJobAreNews() {
        TrainingJob before = job("attempt: 1");
        assertThat(Relevance.ofJob(before, job("attempt: 1, gpus: 8, conditions: [" + condition("Ready") + "]")))
                .isFalse();
        assertThat(Relevance.ofJob(before, job("attempt: 2"))).isTrue();
        assertThat(Relevance.ofJob(before, job("attempt: 1, preempted: {by: other/urgent, attempt: 1}")))
                .isTrue();
        assertThat(Relevance.ofJob(
                        before, job("attempt: 1, agreed: [{slice: llm-ring-1, revision: 2, pod: llm-0, at: now}]")))
                .as("a pod agreed to a move of its light")
                .isTrue();
        assertThat(Relevance.ofJob(before, job("attempt: 1, conditions: [" + condition("Complete") + "]")))
                .isTrue();
    }

    @Test
    void quarantineOfAFabricIsNewsAndAFaultIsNot() {
        OpticalFabric before = fabric("observedGeneration: 1");
        assertThat(Relevance.ofFabric(before, fabric("observedGeneration: 1, faults: [" + fault(false) + "]")))
                .isFalse();
        assertThat(Relevance.ofFabric(before, fabric("observedGeneration: 1, faults: [" + fault(true) + "]")))
                .isTrue();
        assertThat(Relevance.ofFabric(before, fabric("observedGeneration: 1, quarantinedPorts: [n0/b0.common]")))
                .isTrue();
        assertThat(Relevance.ofFabric(before, fabric("observedGeneration: 1, positions: 8")))
                .isTrue();
        OpticalFabric recorded = fabric("observedGeneration: 1, ledger: {revision: 2, digest: a}");
        assertThat(Relevance.ofFabric(before, recorded))
                .as("it is no other fabric for that")
                .isFalse();
        assertThat(Relevance.ofLedger(before, recorded)).isTrue();
        assertThat(Relevance.ofLedger(recorded, recorded)).isFalse();
    }

    @Test
    void clearingASwitchIsNewsAndWhatIsSaidOfItIsNot() {
        OpticalSwitch before = opticalSwitch("", "observedGeneration: 1");
        assertThat(Relevance.ofSwitch(before, opticalSwitch("", "observedGeneration: 1, ports: {total: 8}")))
                .isFalse();
        assertThat(Relevance.ofSwitch(
                        before,
                        opticalSwitch(
                                ", annotations: {lightpath.dev/clear-fault: '2026-01-01T00:00:00Z'}",
                                "observedGeneration: 1")))
                .isTrue();
    }

    /** A probe is made once it is read back; what was found is the loop's own word. */
    @Test
    void aProbeThatIsWrittenIsNews() {
        OpticalSwitch before = opticalSwitch("", "discovery: {request: now}");
        assertThat(Relevance.ofSwitch(before, opticalSwitch("", "discovery: {request: now, known: 2}")))
                .isFalse();
        assertThat(Relevance.ofSwitch(before, opticalSwitch("", "discovery: {request: now, probes: ['1->17']}")))
                .isTrue();
    }

    @Test
    void whatPeopleWriteIsNews() {
        TrainingJob before = job("attempt: 1");
        TrainingJob labelled = job("attempt: 1");
        labelled.getMetadata().setLabels(java.util.Map.of("a", "b"));
        TrainingJob going = job("attempt: 1");
        going.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        TrainingJob edited = job("attempt: 1");
        edited.getMetadata().setGeneration(2L);
        assertThat(java.util.List.of(labelled, going, edited)).allMatch(now -> Relevance.ofJob(before, now));
    }

    private static String condition(String type) {
        return condition(type, "True", "Satisfied");
    }

    private static String condition(String type, String status, String reason) {
        return "{type: " + type + ", status: '" + status + "', reason: " + reason + "}";
    }

    private static String fault(boolean quarantined) {
        return "{subject: node n0, reason: NodeNotReady, since: '2026-01-01T00:00:00Z', quarantined: " + quarantined
                + "}";
    }

    private FabricSlice slice(String job, String status) {
        return yaml.unmarshal("""
                metadata: {name: s, namespace: default, generation: 1}
                spec: {fabric: ring-a, %sdemand: {scaleUp: {groups: 1, gpusPerGroup: 4}}}
                status: {%s}
                """.formatted(job, status), FabricSlice.class);
    }

    private TrainingJob job(String status) {
        return yaml.unmarshal("""
                metadata: {name: llm, namespace: default, generation: 1}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 4}}
                status: {%s}
                """.formatted(status), TrainingJob.class);
    }

    private OpticalFabric fabric(String status) {
        return yaml.unmarshal("""
                metadata: {name: ring-a, generation: 1}
                spec: {}
                status: {%s}
                """.formatted(status), OpticalFabric.class);
    }

    private OpticalSwitch opticalSwitch(String more, String status) {
        return yaml.unmarshal("""
                metadata: {name: ocs-0, generation: 1%s}
                spec: {fabric: spine}
                status: {%s}
                """.formatted(more, status), OpticalSwitch.class);
    }
}
