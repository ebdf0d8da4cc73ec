package dev.lightpath.cli.cluster.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.cli.cluster.show.Shown;
import dev.lightpath.console.Happening;
import dev.lightpath.console.History;
import dev.lightpath.console.Look;
import dev.lightpath.console.ReadBack;
import dev.lightpath.console.Seen;
import dev.lightpath.console.Sight;
import dev.lightpath.console.Timeline;
import dev.lightpath.console.picture.RingPicture;
import dev.lightpath.console.view.Views;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a console remembers of the past. */
class HistoryTest {
    private static final Instant START = Instant.parse("2026-11-21T08:00:00Z");
    private static final List<String> RING = List.of("ring", "ring-a");

    private static Look look(int second, List<FabricSlice> slices, List<Node> nodes, Map<String, ReadBack> light) {
        return new Look(
                START.plusSeconds(second),
                Optional.empty(),
                List.of(Shown.fabric()),
                List.of(),
                List.of(Shown.job("u")),
                slices,
                nodes,
                List.of(),
                light,
                Sight.ALL);
    }

    private static String second(int second) {
        return START.plusSeconds(second).toString();
    }

    @Test
    void showsAViewAsItWasAtAMoment() {
        History history = new History(START);
        Seen first = history.add(look(0, List.of(), Shown.nodes(), Map.of()));
        Seen now = history.add(look(10, List.of(Shown.slice("u")), Shown.nodes(), Map.of()));
        assertThat(tenants(Views.at(now, second(9)))).isZero();
        assertThat(tenants(Views.at(now, second(10)))).isEqualTo(1);
        assertThat(tenants(Views.at(now, null))).isEqualTo(1);
        assertThat(tenants(first)).as("an answer that was begun stays").isZero();
        assertThat(Views.of(List.of("moments"), now))
                .hasValue(new Views.Moments(second(0), List.of(second(0), second(10))));
    }

    private static int tenants(Seen seen) {
        return ((RingPicture) Views.of(RING, seen).orElseThrow()).tenants().size();
    }

    @Test
    void tellsAtAMomentNothingOfWhatCameLater() {
        History history = new History(START);
        Seen unused = history.add(look(0, List.of(), Shown.nodes(), Map.of()));
        Seen now = history.add(look(10, List.of(Shown.slice("u")), Shown.nodes(), Map.of()));
        assertThat(decisions(now)).isEqualTo(1);
        assertThat(decisions(Views.at(now, second(9)))).isZero();
    }

    private static long decisions(Seen seen) {
        return ((Timeline) Views.of(List.of("timeline"), seen).orElseThrow())
                .happenings().stream()
                        .filter(each -> each.kind() == Happening.Kind.DECISION)
                        .count();
    }

    @Test
    void saysInOneLineWhatIsNoMomentAndWhatIsNotKnown() {
        Seen now = new History(START).add(look(5, List.of(), Shown.nodes(), Map.of()));
        assertThatThrownBy(() -> Views.at(now, second(4)))
                .hasMessage("how it was at 2026-11-21T08:00:04Z is not known:"
                        + " this console recorded nothing before 2026-11-21T08:00:05Z");
        assertThatThrownBy(() -> Views.at(now, "yesterday"))
                .hasMessage("'yesterday' is no moment: allowed is RFC 3339, as 2026-11-21T08:00:05Z");
    }

    @Test
    void hidesThePastAsItHidesThePresent() {
        History history = new History(START);
        Seen unused = history.add(look(0, List.of(Shown.slice("u")), Shown.nodes(), Map.of()));
        Seen now = history.add(look(10, List.of(), Shown.nodes(), Map.of()));
        Seen hidden = Views.at(now, second(0)).as(new Sight(false, namespace -> false));
        assertThat(Views.of(RING, hidden)).isEmpty();
        assertThat(Views.of(List.of("job", "default", "llm"), hidden)).isEmpty();
    }

    @Test
    void forgetsTheOldestWhenThereIsMuch() {
        History history = new History(START);
        Seen now = history.add(look(0, List.of(), many(0), Map.of()));
        for (int second = 1; second < 30; second++) {
            now = history.add(look(second, List.of(), many(second), Map.of()));
        }
        assertThat(now.looks()).hasSizeBetween(2, 8);
        assertThat(now.looks().getLast().at()).isEqualTo(START.plusSeconds(29));
        for (int second = 30; second < 3_000; second++) {
            now = history.add(look(second, List.of(), List.of(), Map.of()));
        }
        assertThat(now.looks())
                .as("a look at little is not for nothing, either")
                .hasSizeBetween(1_000, 2_000);
    }

    /** A thousand nodes that are other ones each time. */
    private static List<Node> many(int taint) {
        List<Node> nodes = new ArrayList<>();
        for (int node = 0; node < 1_000; node++) {
            nodes.add(new NodeBuilder()
                    .withNewMetadata()
                    .withName("n" + node)
                    .addToLabels("round", "r" + taint)
                    .endMetadata()
                    .withNewSpec()
                    .endSpec()
                    .withNewStatus()
                    .endStatus()
                    .build());
        }
        return nodes;
    }

    @Test
    void keepsWhatDidNotChangeOnce() {
        Map<String, ReadBack> light = Map.of(
                "ring-a",
                new ReadBack(
                        START.toString(),
                        List.of(),
                        Map.of("n1", new ReadBack.DeviceLight("present", List.of(), Map.of()))));
        Map<String, ReadBack> again = Map.of(
                "ring-a",
                new ReadBack(
                        START.plusSeconds(1).toString(),
                        List.of(),
                        Map.of("n1", new ReadBack.DeviceLight("present", List.of(), Map.of()))));
        History history = new History(START);
        Look before = history.add(look(0, List.of(), Shown.nodes(), light)).look();
        Look now = history.add(look(1, List.of(), beaten(Shown.nodes()), again)).look();
        for (int node = 0; node < before.nodes().size(); node++) {
            assertThat(now.nodes().get(node))
                    .as("a heartbeat")
                    .isSameAs(before.nodes().get(node));
        }
        assertThat(now.light().get("ring-a").devices())
                .isSameAs(before.light().get("ring-a").devices());
        assertThat(now.light().get("ring-a").at()).isEqualTo(second(1));
    }

    private static List<Node> beaten(List<Node> nodes) {
        return nodes.stream()
                .map(node -> {
                    Node copy = Serialization.clone(node);
                    copy.getMetadata().setResourceVersion("99");
                    return copy;
                })
                .toList();
    }
}
