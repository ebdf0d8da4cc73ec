package dev.lightpath.app.publish.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict.Light;
import dev.lightpath.planner.engine.decision.SliceVerdict.Obstacle;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.RoutedRevision;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The condition Routed, and what it makes of Ready. The record has revision 3. */
class RoutedSliceTest {
    private static final Light LIT = new Light(8, 8, 0, 3, 3, Optional.empty());
    private static final Light CHANGING =
            new Light(8, 5, 0, 3, 0, Optional.of(Obstacle.programming("n3/1-2 is not made yet")));
    private static final RoutedRevision THIRD = new RoutedRevision.Acknowledged(3);

    private static FabricSliceStatus status(Placement placement, Light light, Optional<RoutedRevision> routed) {
        return SliceStatusProjector.project(
                new SliceId("team", "llm"),
                new SliceVerdict(
                        placement,
                        Optional.of(new Allocation(3, List.of(), new TreeSet<>())),
                        light,
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        routed),
                null,
                2,
                Scenes.NOW);
    }

    /** Status, reason and message; empty where there is no such condition. */
    private static String said(String type, Light light, RoutedRevision routed) {
        return said(type, status(new Placement.Placed(), light, Optional.of(routed)));
    }

    private static String said(String type, FabricSliceStatus status) {
        return status.conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .map(condition -> condition.getStatus() + " " + condition.getReason() + ": " + condition.getMessage())
                .findFirst()
                .orElse("");
    }

    @Test
    void whereNobodyAsksThereIsNoSuchCondition() {
        FabricSliceStatus status = status(new Placement.Placed(), LIT, Optional.empty());
        assertThat(said("Routed", status)).isEmpty();
        assertThat(said("Ready", status)).startsWith("True Satisfied");
    }

    @Test
    void qualifiedCircuitsWaitForARouter() {
        String waits = "False AwaitingRoutes: circuits of revision 3 are qualified; no router has acknowledged it"
                + " (annotation lightpath.dev/routed-revision)";
        assertThat(said("Routed", LIT, RoutedRevision.NONE)).isEqualTo(waits);
        assertThat(said("Ready", LIT, RoutedRevision.NONE)).isEqualTo(waits);
        assertThat(said("Qualified", LIT, RoutedRevision.NONE)).startsWith("True Satisfied");
        assertThat(said("Reconciling", LIT, RoutedRevision.NONE)).startsWith("True AwaitingRoutes");
        assertThat(said("Stalled", LIT, RoutedRevision.NONE)).startsWith("False");
    }

    @Test
    void anAcknowledgedRevisionIsReady() {
        assertThat(said("Routed", LIT, THIRD)).isEqualTo("True Acknowledged: routes follow the circuits of revision 3");
        assertThat(said("Ready", LIT, THIRD)).startsWith("True Satisfied");
    }

    @Test
    void anotherRevisionIsNotTheOne() {
        assertThat(said("Routed", LIT, new RoutedRevision.Acknowledged(2)))
                .isEqualTo("False AwaitingRoutes: circuits of revision 3 are qualified; no router has acknowledged it"
                        + " (annotation lightpath.dev/routed-revision is 2)");
        assertThat(said("Routed", LIT, new RoutedRevision.Acknowledged(9)))
                .endsWith("(annotation lightpath.dev/routed-revision is 9, which was never recorded: write 3)");
        assertThat(said("Routed", LIT, new RoutedRevision.Unreadable("all of them")))
                .endsWith("(annotation lightpath.dev/routed-revision is 'all of them': write a whole number, here 3)");
    }

    @Test
    void circuitsThatChangeComeFirst() {
        assertThat(said("Routed", CHANGING, new RoutedRevision.Acknowledged(2)))
                .isEqualTo("False CircuitsChanging: circuits of revision 3 are not qualified yet; no router has"
                        + " acknowledged it (annotation lightpath.dev/routed-revision is 2)");
        assertThat(said("Ready", CHANGING, new RoutedRevision.Acknowledged(2))).startsWith("False Programming");
    }

    /** A router that is faster than the light, and light that fails later. */
    @Test
    void anAcknowledgementCountsHoweverTheLightStands() {
        assertThat(said("Routed", CHANGING, THIRD)).startsWith("True Acknowledged");
        assertThat(said("Ready", CHANGING, THIRD)).startsWith("False Programming");
    }

    @Test
    void aFaultIsToldBeforeAMissingRoute() {
        FabricSliceStatus faulted = status(
                new Placement.Faulted(List.of("n3"), "waits for the pods to stop", false, false),
                LIT,
                Optional.of(RoutedRevision.NONE));
        assertThat(said("Ready", faulted)).startsWith("False FaultPending");
        assertThat(said("Routed", faulted)).startsWith("False AwaitingRoutes");
    }

    @Test
    void whatHasNoPlaceHasNoRoutes() {
        FabricSliceStatus waiting = status(
                new Placement.Unplaced(Reason.INSUFFICIENT_CAPACITY, "wanted 8"), Light.none(), Optional.of(THIRD));
        assertThat(said("Routed", waiting)).isEmpty();
    }
}
