package dev.lightpath.cli.cluster.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.cli.cluster.show.Shown;
import dev.lightpath.console.Changes;
import dev.lightpath.console.Happening;
import dev.lightpath.console.History;
import dev.lightpath.console.Look;
import dev.lightpath.console.ReadBack;
import dev.lightpath.console.Seen;
import dev.lightpath.console.Sight;
import dev.lightpath.console.Timeline;
import dev.lightpath.console.picture.JobPicture;
import dev.lightpath.console.picture.RingPicture;
import dev.lightpath.console.view.Views;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the views show of objects that say something else each time. */
class PicturesTest {
    private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

    private static Look look(OpticalFabric fabric, FabricSlice slice, Map<String, ReadBack> light, List<Event> events) {
        return new Look(
                NOW,
                Optional.empty(),
                List.of(fabric),
                List.of(),
                List.of(Shown.job("u")),
                List.of(slice),
                Shown.nodes(),
                events,
                light,
                Sight.ALL);
    }

    private static Look look() {
        return look(Shown.fabric(), Shown.slice("u"), Map.of(), List.of());
    }

    private static ReadBack readBack(String node, String... observed) {
        return new ReadBack(
                NOW.toString(),
                List.of(),
                Map.of(node, new ReadBack.DeviceLight("present", List.of(observed), Map.of())));
    }

    @Test
    void showsWhatWasReadBackBesideWhatIsRecorded() {
        Map<String, ReadBack> light =
                Map.of("ring-a", readBack("n1", "b0.common->b0.path1", "b1.common->b1.loop", "b2.common->b2.path2"));
        RingPicture ring = RingPicture.of("ring-a", look(Shown.fabric(), Shown.slice("u"), light, List.of()))
                .orElseThrow();
        RingPicture.Seat seat = ring.seats().get(1);
        assertThat(seat.wanted()).isEqualTo("11L");
        assertThat(seat.observed()).as("b1 is dark, b2 is foreign").isEqualTo("1L2");
        assertThat(ring.seats().get(0).observed()).as("not read back").isNull();
        assertThat(ring.hops()).containsExactly(List.of(-1, -2), List.of(1, 2), List.of(-3, 3));
    }

    @Test
    void showsLightThatGetsWorseAtItsNode() {
        OpticalFabric fabric = Shown.fabric();
        fabric.setStatus(Shown.yaml(OpticalFabric.class, """
                        apiVersion: lightpath.dev/v1alpha1
                        kind: OpticalFabric
                        metadata: {name: ring-a}
                        status:
                          opticalHealth:
                            watchedPorts: 32
                            degradingPorts: 1
                            takenOutPorts: 0
                            ports:
                            - {port: n1/b0.path1, since: "2026-11-28T09:00:00Z", measured: loses 2.2 dB, course: Told}
                        """).getStatus());
        RingPicture ring = RingPicture.of("ring-a", look(fabric, Shown.slice("u"), Map.of(), List.of()))
                .orElseThrow();
        assertThat(ring.seats().get(1).degrading())
                .containsExactly(
                        "n1/b0.path1 loses 2.2 dB, since 2026-11-28T09:00:00Z: it is only told, and stays in use");
        assertThat(ring.seats().get(0).degrading()).isNull();
    }

    @Test
    void namesNoJobOfANamespaceThatAViewerMayNotSee() {
        Look hidden = look().as(new Sight(true, namespace -> false));
        RingPicture ring = RingPicture.of("ring-a", hidden).orElseThrow();
        assertThat(ring.tenants())
                .singleElement()
                .satisfies(tenant -> assertThat(tenant).hasAllNullFieldsOrProperties());
        assertThat(ring.seats().get(1).tenant()).as("held all the same").isZero();
        assertThat(JobPicture.of("default", "llm", hidden)).isEmpty();
        assertThat(Timeline.of(hidden, List.of(), null).happenings())
                .noneMatch(each -> each.toString().contains("llm"));
    }

    @Test
    void showsNoFabricToAViewerOfJobsAlone() {
        Look jobs = look().as(new Sight(false, namespace -> true));
        Seen seen = new History(NOW).add(jobs);
        assertThat(Views.of(List.of("ring", "ring-a"), seen)).isEmpty();
        assertThat(Views.of(List.of("job", "default", "llm"), seen)).isPresent();
        assertThat(Timeline.of(jobs, List.of(), null).happenings())
                .noneMatch(each -> each.kind() == Happening.Kind.FAULT);
    }

    @Test
    void tellsOfFaultsDecisionsAndLightThatCameAndWent() {
        FabricSlice repaired = Shown.slice("u");
        FabricSlice earlier = Shown.yaml(
                FabricSlice.class,
                io.fabric8.kubernetes.client.utils.Serialization.asYaml(repaired)
                        .replace("revision: 2", "revision: 1"));
        OpticalFabric healed = Shown.fabric();
        healed.setStatus(Shown.yaml(
                        OpticalFabric.class,
                        io.fabric8.kubernetes.client.utils.Serialization.asYaml(healed)
                                .replace("node/n7", "node/n6"))
                .getStatus());
        List<Happening> happenings = Changes.between(
                look(Shown.fabric(), earlier, Map.of(), List.of()), look(healed, repaired, Map.of(), List.of()));
        assertThat(happenings)
                .extracting(each -> each.kind() + " " + each.subject())
                .containsExactly("HEALED node/n7", "DECISION slice/llm-ring-a-1-abcde");
        assertThat(happenings.get(1).message())
                .isEqualTo("revision 2: n0 in for n7, 1 of 2 groups changed (local-repair)");
        assertThat(Changes.between(look(), look())).isEmpty();
    }

    @Test
    void ordersTheTimelineWithTheNewestFirst() {
        Event event = Shown.yaml(Event.class, """
                apiVersion: v1
                kind: Event
                metadata: {name: e, namespace: default}
                involvedObject: {apiVersion: lightpath.dev/v1alpha1, kind: TrainingJob, name: llm, namespace: default}
                reason: Placed
                message: the job has <b>6</b> nodes
                type: Normal
                count: 2
                lastTimestamp: "2026-11-21T07:45:00Z"
                """);
        Event others = Shown.yaml(Event.class, """
                apiVersion: v1
                kind: Event
                metadata: {name: f, namespace: default}
                involvedObject: {apiVersion: v1, kind: Pod, name: llm, namespace: default}
                lastTimestamp: "2026-11-21T07:46:00Z"
                """);
        List<Happening> happenings = Timeline.of(
                        look(Shown.fabric(), Shown.slice("u"), Map.of(), List.of(event, others)), List.of(), null)
                .happenings();
        assertThat(happenings)
                .extracting(each -> each.kind() + " " + each.subject())
                .startsWith("EVENT job/llm", "FAULT node/n7", "STATE fabric/ring-a");
    }
}
