package dev.lightpath.app.publish.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.fabric.TopologyLabels;
import dev.lightpath.planner.fault.Subject;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When labels of nodes are written, and when they are not. */
class LabelWritesTest extends LabelTrial {
    @Test
    void whatTheWatchDoesNotShowYetIsNotWrittenAgain() {
        ringAsks();
        store.shown = store.nodes();
        tell();
        assertThat(labelled()).hasSize(8);
        ringFaults.add(fault(new Subject.OfPort("n2", "b0.path1")));
        tell();
        assertThat(labelled()).hasSize(8);
    }

    @Test
    void whatIsWrittenIsTakenBackAndGivenBackWhileTheWatchDoesNotShowIt() {
        ringAsks();
        store.shown = store.nodes();
        tell();
        ringFaults.add(fault(new Subject.OfNode("n5")));
        tell();
        assertThat(store.labels("n5")).containsOnlyKeys(FOREIGN);
        store.writes.clear();
        ringFaults.add(fault(new Subject.OfPort("n2", "b0.path1")));
        tell();
        assertThat(labelled()).isEmpty();
        ringFaults.clear();
        tell();
        assertThat(store.labels("n5")).containsEntry(SCALE_UP, "ring-a").containsEntry(STRETCH, "4-7");
        assertThat(labelled()).containsExactly("labels of n5");
    }

    @Test
    void whatIsWrittenIsTakenBackAlthoughTheWatchShowsWhatCameBefore() {
        ringAsks();
        store.shown = store.nodes();
        tell();
        store.shown = store.shown.stream()
                .map(node -> new NodeBuilder(node)
                        .editMetadata()
                        .withResourceVersion("another write, before that of the labels")
                        .endMetadata()
                        .build())
                .toList();
        ringFaults.add(fault(new Subject.OfNode("n5")));
        tell();
        assertThat(store.labels("n5")).containsOnlyKeys(FOREIGN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"labels of n7", "conditions of n0", "labels of n0"})
    void whoseLeadershipEndedWritesNothingMore(String last) throws Exception {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        try {
            NodePublisher former = new NodePublisher(store, () -> now, thread, time -> {}, 0);
            oneNodeLosesItsLabelsAndAfter(last, former::ended);
            former.publish(outcome());
            thread.submit(() -> {}).get(60, TimeUnit.SECONDS);
        } finally {
            thread.shutdownNow();
        }
        assertThat(store.writes).endsWith(last);
    }

    @ParameterizedTest
    @ValueSource(strings = {"labels of n7", "conditions of n0", "labels of n0"})
    void whoIsStoppedWritesNothingMore(String last) throws Exception {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        try {
            NodePublisher stopped = new NodePublisher(store, () -> now, thread, time -> {}, 0);
            oneNodeLosesItsLabelsAndAfter(last, stopped::close);
            stopped.publish(outcome());
            assertThat(thread.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            thread.shutdownNow();
        }
        assertThat(store.writes).endsWith(last);
    }

    private void oneNodeLosesItsLabelsAndAfter(String write, Runnable then) {
        ringAsks();
        store.make("n7", Map.of(SCALE_UP, "ring-a"));
        ringFaults.add(fault(new Subject.OfNode("n7")));
        store.written = () -> {
            if (store.writes.getLast().equals(write)) {
                then.run();
            }
        };
    }

    @Test
    void theBadConditionOfANodeWaitsForItsOwnLabelsOnly() {
        ringAsks();
        tell();
        store.writes.clear();
        store.asked.put("ring-a", new TopologyLabels(null));
        ringFaults.add(fault(new Subject.OfNode("n5")));
        ringFaults.add(fault(new Subject.OfNode("n6")));
        tell();
        assertThat(store.writes)
                .startsWith("labels of n5", "conditions of n5", "labels of n6", "conditions of n6", "labels of n0")
                .hasSize(10);
    }

    @Test
    void aDeviceThatStaysAwayDoesNotHaveAllNodesGoneThroughAgain() {
        ringAsks();
        devices.remove("n6");
        tell();
        int looks = store.looks;
        tell();
        assertThat(store.looks).isEqualTo(looks);
        devices.add("n6");
        tell();
        assertThat(store.labels("n6")).containsEntry(SCALE_UP, "ring-a");
    }

    @Test
    void whatSomebodyTookAwayIsThereAgainAfterTheNextChange() {
        ringAsks();
        tell();
        store.make("n3", Map.of());
        ringFaults.add(fault(new Subject.OfPort("n2", "b0.path1")));
        tell();
        assertThat(store.labels("n3")).containsEntry(STRETCH, "0-3");
    }

    @Test
    void anInstallationThatForbidsItIsAskedOnceAMinuteAndConditionsAreWrittenAllTheSame() {
        ringAsks();
        store.forbidden = true;
        assertThat(tell()).isPositive();
        assertThat(labelled()).hasSize(1);
        assertThat(store.writes).contains("conditions of n0", "conditions of n7");
        assertThat(tell()).isPositive();
        assertThat(labelled()).hasSize(1);
        now = now.plusSeconds(61);
        store.forbidden = false;
        assertThat(tell()).isZero();
        assertThat(store.labels("n7")).containsEntry(SCALE_UP, "ring-a");
    }
}
