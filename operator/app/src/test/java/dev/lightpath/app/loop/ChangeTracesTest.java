package dev.lightpath.app.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.FabricEngine;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import dev.lightpath.tracing.Collector;
import dev.lightpath.tracing.TraceScope;
import dev.lightpath.tracing.Tracing;
import io.opentelemetry.context.Context;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChangeTracesTest {
    private static final SliceId A = new SliceId("team", "a");
    private static final SliceId B = new SliceId("team", "b");
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private Collector collector;
    private Tracing tracing;
    private ChangeTraces traces;

    @BeforeEach
    void start() throws IOException {
        collector = new Collector();
        tracing = Tracing.of("test", Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint()));
        traces = new ChangeTraces(tracing);
    }

    @AfterEach
    void stop() {
        tracing.close();
        collector.close();
    }

    /** All that was traced; nothing is traced afterwards. */
    private List<Span> spans() {
        tracing.close();
        return collector.spans("test");
    }

    private static Allocation allocation(long revision) {
        return new Allocation(
                revision,
                List.of(new Allocation.Group(List.of(new Allocation.Member("n0", 0)))),
                new TreeSet<>(),
                Optional.of(new Origin(
                        revision == 1 ? Origin.Planner.LINE : Origin.Planner.LOCAL_REPAIR, 2, "n7 is faulty")));
    }

    private static World world(Map<SliceId, Long> revisions) {
        SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();
        revisions.forEach((slice, revision) -> ledger.put(
                slice, new LedgerEntry(revision == 0 ? Optional.empty() : Optional.of(allocation(revision)), "v")));
        return World.atRest(
                NOW, new StageId(1, 1), new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), ledger, new TreeMap<>());
    }

    private static Decision.Adopt.Entry entry(SliceId slice, long revision) {
        return new Decision.Adopt.Entry(slice, "v", allocation(revision));
    }

    private static Decision.Apply apply(long counter, Stage.Cause cause, SliceId... slices) {
        DeviceChange change = new DeviceChange(
                new DeviceId("driver:1", "n0"),
                "digest",
                new TreeSet<>(),
                new TreeSet<>(List.of(new Circuit("b0.common", "b0.loop"))));
        return new Decision.Apply(
                new Stage(new StageId(1, counter), "role", cause, List.of(change)),
                new TreeSet<>(List.of(slices)),
                new TreeSet<>());
    }

    /** A pass that shows which slices have all of their light. */
    private void look(World world, SliceId... lit) {
        Deliberation nothing = FabricEngine.deliberate(world);
        SortedMap<SliceId, SliceVerdict> verdicts = new TreeMap<>();
        world.ledger()
                .forEach((slice, entry) -> verdicts.put(
                        slice,
                        new SliceVerdict(
                                new SliceVerdict.Placement.Placed(),
                                entry.allocation(),
                                new SliceVerdict.Light(
                                        2, List.of(lit).contains(slice) ? 2 : 0, 0, 0, 0, Optional.empty()))));
        traces.looked(
                world,
                new Deliberation(
                        nothing.decision(),
                        verdicts,
                        nothing.fabrics(),
                        nothing.faults(),
                        nothing.agenda(),
                        nothing.planner(),
                        nothing.ocsFabrics(),
                        nothing.questions(),
                        nothing.remembered()));
    }

    private static String id(Context context) {
        try (TraceScope scope = TraceScope.of(context)) {
            return TraceScope.traceId();
        }
    }

    @Test
    void aRepairIsOneTraceFromTheNewsToItsLight() {
        World before = world(Map.of(A, 1L));
        look(before, A);
        Decision.Adopt.Entry entry = entry(A, 2);
        traces.recording(before, List.of(entry), NOW.minusSeconds(3)).accept(entry);
        World recorded = world(Map.of(A, 2L));
        look(recorded);
        Decision.Apply apply = apply(1, Stage.Cause.REPAIR, A);
        assertThat(id(traces.of(recorded, apply))).isEqualTo(id(traces.of(before, entry)));
        Context sent = traces.starting(recorded, apply);
        assertThat(id(traces.answered(apply.stage().id(), new ChangeOutcome.Applied("digest", Duration.ZERO), true)))
                .isEqualTo(id(sent));
        look(recorded, A);

        List<Span> spans = new ArrayList<>(spans());
        assertThat(spans).extracting(Span::getName).containsExactlyInAnyOrder("repair", "stage");
        Span root = spans.stream()
                .filter(span -> span.getName().equals("repair"))
                .findFirst()
                .orElseThrow();
        Span stage = spans.stream()
                .filter(span -> span.getName().equals("stage"))
                .findFirst()
                .orElseThrow();
        assertThat(Collector.hex(root.getTraceId())).isEqualTo(id(sent));
        assertThat(stage.getTraceId()).isEqualTo(root.getTraceId());
        assertThat(stage.getParentSpanId()).isEqualTo(root.getSpanId());
        assertThat(root.getStartTimeUnixNano()).isEqualTo(NOW.minusSeconds(3).getEpochSecond() * 1_000_000_000L);
        assertThat(root.getEventsList().stream().map(Span.Event::getName)).containsExactly("decided", "recorded");
        assertThat(Collector.attribute(root, "lightpath.why")).isEqualTo("n7 is faulty");
        assertThat(Collector.attribute(root, "lightpath.revision")).isEqualTo("2");
        assertThat(Collector.attribute(stage, "lightpath.cause")).isEqualTo("REPAIR");
    }

    @Test
    void aLaterLeaderGoesOnWithTheSameTrace() {
        World recorded = world(Map.of(A, 2L));
        ChangeTraces later = new ChangeTraces(Tracing.silent());
        assertThat(id(later.of(recorded, apply(1, Stage.Cause.REPAIR, A))))
                .isEqualTo(id(traces.of(world(Map.of(A, 1L)), entry(A, 2))));
    }

    @Test
    void revisionsAndSlicesHaveTracesOfTheirOwn() {
        World world = world(Map.of(A, 1L, B, 1L));
        assertThat(List.of(
                        id(traces.of(world, entry(A, 2))),
                        id(traces.of(world, entry(A, 3))),
                        id(traces.of(world, entry(B, 2)))))
                .doesNotHaveDuplicates();
    }

    @Test
    void aStageForTwoSlicesIsLinkedToTheSecond() {
        World world = world(Map.of(A, 1L, B, 4L));
        look(world);
        Decision.Apply apply = apply(1, Stage.Cause.REPAIR, A, B);
        traces.starting(world, apply);
        traces.answered(apply.stage().id(), new ChangeOutcome.Applied("digest", Duration.ZERO), true);
        String first = id(traces.of(world, entry(A, 1)));
        String second = id(traces.of(world, entry(B, 4)));
        assertThat(spans()).singleElement().satisfies(span -> {
            assertThat(Collector.hex(span.getTraceId())).isEqualTo(first);
            assertThat(span.getLinksList())
                    .singleElement()
                    .satisfies(
                            link -> assertThat(Collector.hex(link.getTraceId())).isEqualTo(second));
        });
    }

    /** Days may lie between: what restores light, or takes it down, is no part of how it came about. */
    @Test
    void restoringAndReleasingHaveTracesOfTheirOwnAndALink() {
        World world = world(Map.of(A, 1L));
        look(world, A);
        String placed = id(traces.of(world, entry(A, 1)));
        Decision.Apply restore = apply(1, Stage.Cause.PLACE, A);
        Decision.Apply release = apply(2, Stage.Cause.RELEASE, A);
        assertThat(List.of(placed, id(traces.of(world, restore)), id(traces.of(world, release))))
                .doesNotHaveDuplicates();
        traces.starting(world, restore);
        traces.answered(restore.stage().id(), new ChangeOutcome.Applied("digest", Duration.ZERO), true);
        assertThat(spans())
                .singleElement()
                .satisfies(span ->
                        assertThat(Collector.hex(span.getLinks(0).getTraceId())).isEqualTo(placed));
    }

    @Test
    void whatIsNotWrittenOrGivenUpEnds() {
        World before = world(Map.of(A, 1L));
        var unused = traces.recording(before, List.of(entry(A, 2)), NOW);
        look(before);
        Decision.Apply apply = apply(1, Stage.Cause.REPAIR, A);
        traces.starting(before, apply);
        traces.keep(stage -> false);
        assertThat(spans())
                .hasSize(2)
                .allSatisfy(span -> assertThat(span.getEventsList().stream()
                                        .anyMatch(event -> event.getName().equals("given up"))
                                || span.getStatus().getMessage().equals("given up"))
                        .isTrue());
    }

    @Test
    void aDeviceThatRefusesMakesAFailedStage() {
        World world = world(Map.of(A, 1L));
        Decision.Apply apply = apply(1, Stage.Cause.REPAIR, A);
        traces.starting(world, apply);
        traces.answered(
                apply.stage().id(),
                new ChangeOutcome.Rejected(ChangeOutcome.Reason.BUSY, "busy", Optional.empty()),
                false);
        traces.answered(apply.stage().id(), new ChangeOutcome.Applied("digest", Duration.ZERO), true);
        assertThat(spans())
                .singleElement()
                .satisfies(span -> assertThat(span.getStatus().getCodeValue()).isEqualTo(2));
    }
}
