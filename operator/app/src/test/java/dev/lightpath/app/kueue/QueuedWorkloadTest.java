package dev.lightpath.app.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueuedWorkloadTest {
    private static final String WORKLOAD = """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: Workload
            metadata:
              namespace: team-a
              name: jobset-train-1a2b3
              resourceVersion: "77"
              ownerReferences: [{kind: JobSet, name: other}, {kind: JobSet, name: train, controller: true}]
            spec:
              podSets: [{name: workers, count: 4, template: {spec: {schedulingGates: [{name: lightpath.dev/circuits}]}}}]
            status:
              conditions:
                - {type: QuotaReserved, status: "True", lastTransitionTime: "2026-05-01T10:00:00Z"}
                - {type: Evicted, status: "False", lastTransitionTime: "2026-05-01T09:00:00Z"}
              admission: {podSetAssignments: [{name: workers, count: 4}]}
              admissionChecks: [{name: nodes, state: Ready}, {name: light, state: Pending, message: m, retryCount: 2}]
            """;

    @Test
    void readsWhatConcernsLight() {
        QueuedWorkload read = read(WORKLOAD);
        assertThat(read.namespace()).isEqualTo("team-a");
        assertThat(read.name()).isEqualTo("jobset-train-1a2b3");
        assertThat(read.version()).isEqualTo("77");
        assertThat(read.owner()).isEqualTo(new QueuedWorkload.Owner("JobSet", "train", ""));
        assertThat(read.checks()).containsExactly(new QueuedWorkload.Check(1, "light", CheckState.PENDING, "m", 2));
        assertThat(read.reservedAt()).contains(Instant.parse("2026-05-01T10:00:00Z"));
        assertThat(read.evicted()).isFalse();
        assertThat(read.unfit()).isEmpty();
        assertThat(read.gated()).isTrue();
        assertThat(read.asks()).isTrue();
    }

    @Test
    void oneWithoutACheckOfOursAsksNothing() {
        QueuedWorkload read = QueuedWorkload.read(json(WORKLOAD), Set.of("other"), "lightpath.dev/circuits");
        assertThat(read.checks()).isEmpty();
        assertThat(read.asks()).isFalse();
        assertThat(read.holdsQuota()).isFalse();
    }

    /** Of a queue that is not there, or a quota that is full, nobody but Kueue knows. */
    @Test
    void readsWhyItHasNoQuota() {
        String without = WORKLOAD.replace(
                "QuotaReserved, status: \"True\"",
                "QuotaReserved, status: \"False\", message: \"LocalQueue reserch doesn't exist\"");
        assertThat(read(without).waits()).contains("Kueue says: LocalQueue reserch doesn't exist");
        assertThat(read(WORKLOAD).waits()).as("it has quota").isEmpty();
        assertThat(read(without.replace("spec:\n", "spec:\n  active: false\n")).waits())
                .contains(
                        "its Workload jobset-train-1a2b3 is deactivated (spec.active is false): set it to true to go on");
    }

    /** As that of a LeaderWorkerSet or of pods. */
    @Test
    void namesTheOwnerOfOneThatNobodyControls() {
        assertThat(read(WORKLOAD).unlit())
                .endsWith("no TrainingJob names JobSet train in spec.workload.ref: create one");
        String owned =
                WORKLOAD.replace("{kind: JobSet, name: other}, {kind: JobSet, name: train, controller: true}", "%s");
        QueuedWorkload set = read(owned.formatted("{kind: LeaderWorkerSet, name: llm}"));
        assertThat(set.owner()).isEqualTo(new QueuedWorkload.Owner("LeaderWorkerSet", "llm", ""));
        assertThat(set.unlit()).endsWith("no TrainingJob names LeaderWorkerSet llm in spec.workload.ref: create one");
        QueuedWorkload group = read(owned.formatted("{kind: Pod, name: p-1}, {kind: Pod, name: p-0}"));
        assertThat(group.owner()).isEqualTo(new QueuedWorkload.Owner("Pod", "p-1", ""));
        assertThat(group.unlit())
                .endsWith("there is no TrainingJob of pods (workload.ref of kind Pod) whose name is the label"
                        + " lightpath.dev/job of Pod p-1: create one");
        assertThat(read(owned.formatted("")).owner().name()).isEqualTo("jobset-train-1a2b3");
    }

    /** Kueue says of pods nowhere else whether they may run. */
    @Test
    void runsFromItsAdmissionUntilItIsEvicted() {
        assertThat(read(WORKLOAD).runs()).isFalse();
        String admitted = WORKLOAD.replace("conditions:\n", """
                conditions:
                    - {type: Admitted, status: "True", lastTransitionTime: "2026-05-01T10:00:01Z"}
                """);
        assertThat(read(admitted).runs()).isTrue();
        assertThat(read(admitted.replace("Evicted, status: \"False\"", "Evicted, status: \"True\""))
                        .runs())
                .isFalse();
    }

    @Test
    void oneThatGivesItsQuotaBackAsksNothing() {
        assertThat(read(WORKLOAD.replace("Evicted, status: \"False\"", "Evicted, status: \"True\""))
                        .asks())
                .isFalse();
        assertThat(read(WORKLOAD.replace("QuotaReserved, status: \"True\"", "QuotaReserved, status: \"False\""))
                        .asks())
                .isFalse();
        assertThat(read(WORKLOAD.replace("state: Pending", "state: Retry")).holdsQuota())
                .isFalse();
    }

    @Test
    void oneThatIsAnsweredKeepsItsQuotaAndAsksNothing() {
        QueuedWorkload read = read(WORKLOAD.replace("state: Pending", "state: Ready"));
        assertThat(read.holdsQuota()).isTrue();
        assertThat(read.asks()).isFalse();
    }

    @Test
    void tellsOfPartialAdmission() {
        assertThat(read(WORKLOAD.replace("[{name: workers, count: 4}]}", "[{name: workers, count: 3}]}"))
                        .unfit()
                        .orElseThrow())
                .startsWith("partial admission of 3 of 4 pods of pod set workers: light is given to all pods");
    }

    @Test
    void tellsOfNodesThatKueueChose() {
        assertThat(read(WORKLOAD.replace(
                                "[{name: workers, count: 4}]}",
                                "[{name: workers, count: 4, flavors: {nvidia.com/gpu: near}, topologyAssignment: {}}]}"))
                        .unfit()
                        .orElseThrow())
                .startsWith("Kueue chose nodes for pod set workers, because its flavor near has a topologyName: ");
    }

    /** Whom a person took out of the queue stays out. */
    @Test
    void oneThatHadNoPlaceIsKnownByItsAnnotation() {
        String inactive = WORKLOAD.replace("spec:\n  podSets", "spec:\n  active: false\n  podSets");
        assertThat(read(inactive).active()).isFalse();
        assertThat(read(inactive).parked()).isEmpty();
        assertThat(read(inactive).holdsQuota()).isFalse();
        String noted = "annotations: {lightpath.dev/no-place: \"2026-05-01T10:00:20Z no room\"}\n  namespace:";
        assertThat(read(inactive.replace("namespace:", noted)).parked())
                .contains(new NoPlace(Instant.parse("2026-05-01T10:00:20Z"), "no room"));
        assertThat(read(WORKLOAD.replace("namespace:", noted)).parked())
                .as("it was let back")
                .isEmpty();
        assertThat(NoPlace.read("soon")).contains(new NoPlace(Instant.EPOCH, ""));
    }

    @Test
    void anEmptyOneIsRead() {
        QueuedWorkload read = read("kind: Workload");
        assertThat(read.asks()).isFalse();
        assertThat(read.gated()).isFalse();
        assertThat(read.owner().name()).isEmpty();
        assertThat(read.reservedAt()).isEqualTo(Optional.empty());
    }

    @Test
    void triesAgainTwiceAsLateAfterEachTryAndNeverAfterMoreThanAMinute() {
        assertThat(Workloads.retrySeconds(0, false)).isEqualTo(10);
        assertThat(Workloads.retrySeconds(1, false)).isEqualTo(20);
        assertThat(Workloads.retrySeconds(3, false)).isEqualTo(60);
        assertThat(Workloads.retrySeconds(Integer.MAX_VALUE, false)).isEqualTo(60);
    }

    @Test
    void triesWhatCostsOthersTheirQuotaMuchLaterAndAtLeastOnceInAnHour() {
        assertThat(Workloads.retrySeconds(0, true)).isEqualTo(600);
        assertThat(Workloads.retrySeconds(1, true)).isEqualTo(1200);
        assertThat(Workloads.retrySeconds(Integer.MAX_VALUE, true)).isEqualTo(3600);
    }

    private static QueuedWorkload read(String yaml) {
        return QueuedWorkload.read(json(yaml), Set.of("light"), "lightpath.dev/circuits");
    }

    private static JsonNode json(String yaml) {
        return Serialization.unmarshal(yaml, JsonNode.class);
    }
}
