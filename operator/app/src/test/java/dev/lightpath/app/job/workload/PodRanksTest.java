package dev.lightpath.app.job.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.LightpathNames;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PodRanksTest {
    private static Pod gated(String name, Map<String, String> labels) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .addNewSchedulingGate(LightpathNames.SCHEDULING_GATE)
                .endSpec()
                .build();
    }

    private static Pod letGo(String name, int rank, int attempt) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(Map.of(LightpathLabels.ATTEMPT, Integer.toString(attempt)))
                .withAnnotations(Map.of(LightpathAnnotations.RANK, Integer.toString(rank)))
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .build();
    }

    private static Pod torch(String role, int index) {
        return gated(
                "mine-" + role + "-" + index,
                Map.of(
                        "training.kubeflow.org/replica-type",
                        role,
                        "training.kubeflow.org/replica-index",
                        Integer.toString(index)));
    }

    private static Pod ofGroup(int group, int worker) {
        return gated(
                "mine-" + group + (worker == 0 ? "" : "-" + worker),
                Map.of(
                        "leaderworkerset.sigs.k8s.io/group-index", Integer.toString(group),
                        "leaderworkerset.sigs.k8s.io/worker-index", Integer.toString(worker)));
    }

    private static List<String> ranked(List<Pod> pods, int nodes) {
        List<Pod> shuffled = new ArrayList<>(pods);
        Collections.shuffle(shuffled, new Random(7));
        return PodRanks.of(shuffled, nodes, 1).entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .toList();
    }

    @Test
    void theMasterIsRankZeroAndWorkersFollowByTheirIndex() {
        List<Pod> pods = new ArrayList<>(List.of(torch("master", 0)));
        IntStream.range(0, 11).forEach(index -> pods.add(torch("worker", index)));
        assertThat(ranked(pods, 12))
                .startsWith("mine-master-0", "mine-worker-0", "mine-worker-1", "mine-worker-2")
                .endsWith("mine-worker-9", "mine-worker-10");
    }

    @Test
    void oneGroupFollowsTheOtherAndItsLeaderComesFirst() {
        assertThat(ranked(List.of(ofGroup(1, 1), ofGroup(0, 1), ofGroup(1, 0), ofGroup(0, 0)), 4))
                .containsExactly("mine-0", "mine-0-1", "mine-1", "mine-1-1");
    }

    @Test
    void theHeadOfARayClusterComesBeforeItsWorkersWhoseNamesSayNothing() {
        assertThat(ranked(
                        List.of(
                                gated("a-zzz", Map.of("ray.io/node-type", "worker")),
                                gated("a-bbb", Map.of("ray.io/node-type", "worker")),
                                gated("z-head", Map.of("ray.io/node-type", "head"))),
                        3))
                .containsExactly("z-head", "a-bbb", "a-zzz");
    }

    @Test
    void podsWithoutAnyLabelStandInTheOrderOfTheNumbersInTheirNames() {
        assertThat(ranked(
                        IntStream.range(0, 12)
                                .mapToObj(index -> gated("p-" + index, Map.of()))
                                .toList(),
                        12))
                .startsWith("p-0", "p-1", "p-2")
                .endsWith("p-9", "p-10", "p-11");
    }

    @Test
    void nobodyHasARankBeforeExactlyAsManyAreThereAsTheJobHasNodes() {
        List<Pod> pods = List.of(torch("worker", 0), torch("worker", 1));
        assertThat(PodRanks.of(pods, 3, 1)).isEmpty();
        assertThat(PodRanks.of(pods, 1, 1)).isEmpty();
        assertThat(PodRanks.of(pods, 0, 0)).isEmpty();
        assertThat(PodRanks.of(pods, 2, 1)).hasSize(2);
    }

    @Test
    void aPodThatReplacesAnotherTakesItsRankAndNobodyElseMoves() {
        Map<String, Integer> ranks =
                PodRanks.of(List.of(letGo("z", 0, 3), gated("a-9", Map.of()), letGo("b", 2, 3)), 3, 3);
        assertThat(ranks).isEqualTo(Map.of("z", 0, "a-9", 1, "b", 2));
    }

    @Test
    void onesOfAnEarlierAttemptOrThatEndedHoldNoRank() {
        assertThat(PodRanks.of(List.of(letGo("a", 1, 2), letGo("b", 0, 2)), 2, 3))
                .as("in their order, as they have to be restarted")
                .isEqualTo(Map.of("a", 0, "b", 1));
        Pod ended = new PodBuilder(letGo("ended", 0, 3))
                .withNewStatus()
                .withPhase("Failed")
                .endStatus()
                .build();
        Pod going = new PodBuilder(letGo("going", 1, 3))
                .editMetadata()
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .endMetadata()
                .build();
        assertThat(PodRanks.of(List.of(ended, going, gated("n-0", Map.of()), gated("n-1", Map.of())), 2, 3))
                .isEqualTo(Map.of("n-0", 0, "n-1", 1));
    }

    /** Whoever may write pods may write annotations. */
    @Test
    void aRankThatIsWrittenOnAGatedPodIsNotRead() {
        Pod forged = new PodBuilder(gated("b-1", Map.of(LightpathLabels.ATTEMPT, "1")))
                .editMetadata()
                .withAnnotations(Map.of(LightpathAnnotations.RANK, "0"))
                .endMetadata()
                .build();
        assertThat(PodRanks.of(List.of(forged, gated("b-0", Map.of())), 2, 1)).isEqualTo(Map.of("b-0", 0, "b-1", 1));
    }

    @Test
    void ranksBeyondTheNodesAndTwiceHeldAreHeldOnce() {
        assertThat(PodRanks.of(List.of(letGo("a", 0, 1), letGo("b", 0, 1), letGo("c", 7, 1)), 3, 1))
                .isEqualTo(Map.of("a", 0, "b", 1, "c", 2));
    }
}
