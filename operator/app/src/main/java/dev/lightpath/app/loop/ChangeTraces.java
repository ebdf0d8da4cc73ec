package dev.lightpath.app.loop;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import dev.lightpath.tracing.NamedTrace;
import dev.lightpath.tracing.TraceScope;
import dev.lightpath.tracing.Tracing;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows each revision of a slice's record as a trace, from the news that caused it until its light is there. Its
 * identifier follows from slice and revision, so a later leader adds to the same trace. A stage belongs to the first
 * revision whose light it makes for the first time, and is linked to the others. A stage that restores light, or takes
 * it down, has a trace of its own. Serves the loop's thread only.
 */
final class ChangeTraces {
    private static final Logger LOG = LoggerFactory.getLogger(PlanningLoop.class);

    private record Revision(SliceId slice, long number) {}

    private record Change(Span span, Instant heard) {}

    private final Tracing tracing;
    /** What was recorded here and has no light yet. */
    private final Map<Revision, Change> open = new HashMap<>();

    /** What was seen with all of its light. */
    private final Set<Revision> lit = new HashSet<>();

    private final Map<StageId, Span> stages = new HashMap<>();

    ChangeTraces(Tracing tracing) {
        this.tracing = tracing;
    }

    /** Where lines and spans about an entry of the ledger belong. */
    Context of(World world, Decision.Adopt.Entry entry) {
        return tracing.context(
                trace(world, new Revision(entry.slice(), entry.allocation().revision())));
    }

    /** Where lines and spans about a stage belong. */
    Context of(World world, Decision.Apply apply) {
        return firstLit(world, apply).stream()
                .findFirst()
                .map(revision -> tracing.context(trace(world, revision)))
                .orElseGet(() -> tracing.context(NamedTrace.of(
                        apply.stage().role(), "stage", apply.stage().id().toString())));
    }

    /** The revisions that a stage brings light for the first time. */
    private List<Revision> firstLit(World world, Decision.Apply apply) {
        return switch (apply.stage().cause()) {
            case PLACE, REPAIR, COMPACT ->
                recorded(world, apply).stream()
                        .filter(revision -> !lit.contains(revision))
                        .toList();
            case RELEASE, CORRECT, PROBE -> List.of();
        };
    }

    private static List<Revision> recorded(World world, Decision.Apply apply) {
        return apply.slices().stream()
                .flatMap(slice -> world.allocation(slice).map(Allocation::revision).stream()
                        .map(number -> new Revision(slice, number)))
                .toList();
    }

    private static NamedTrace trace(World world, Revision of) {
        SliceIntent intent = world.slices().get(of.slice());
        return NamedTrace.of(
                of.slice().toString(), intent == null ? "" : intent.createdAt().toString(), Long.toString(of.number()));
    }

    /** Ends what a pass shows to have its light, and what nobody wants any more. O(slices). */
    void looked(World world, Deliberation deliberation) {
        Set<Revision> now = new HashSet<>();
        deliberation
                .slices()
                .forEach((slice, verdict) -> verdict.allocation().ifPresent(allocation -> {
                    Revision revision = new Revision(slice, allocation.revision());
                    now.add(revision);
                    if (isLit(verdict) && lit.add(revision)) {
                        Change change = open.remove(revision);
                        if (change != null) {
                            ended(world, revision, change);
                        }
                    }
                }));
        lit.retainAll(now);
        Set<SliceId> recording = world.recording().keySet();
        open.entrySet().removeIf(each -> {
            Revision revision = each.getKey();
            boolean over = !now.contains(revision) && !recording.contains(revision.slice());
            if (over) {
                each.getValue().span().addEvent("given up");
                each.getValue().span().end();
            }
            return over;
        });
    }

    private static boolean isLit(SliceVerdict verdict) {
        return verdict.placement() instanceof SliceVerdict.Placement.Placed
                && verdict.light().qualified();
    }

    private void ended(World world, Revision revision, Change change) {
        Duration took = Duration.between(change.heard(), world.now());
        try (TraceScope scope = TraceScope.of(tracing.context(trace(world, revision)))) {
            LOG.atInfo()
                    .addKeyValue("slice", revision.slice())
                    .addKeyValue("revision", revision.number())
                    .addKeyValue("millis", took.toMillis())
                    .log("its light is there");
        }
        change.span().end();
    }

    /**
     * New revisions are being written.
     *
     * @param heard when the first news of the pass came in
     * @return to be told of each that is written, from any thread
     */
    Consumer<Decision.Adopt.Entry> recording(World world, List<Decision.Adopt.Entry> entries, Instant heard) {
        Map<SliceId, Span> begun = new HashMap<>();
        entries.stream()
                .filter(entry -> entry.allocation().revision()
                        > world.allocation(entry.slice())
                                .map(Allocation::revision)
                                .orElse(0L))
                .forEach(entry -> begun.put(entry.slice(), begin(world, entry, heard)));
        return written -> Optional.ofNullable(begun.get(written.slice())).ifPresent(span -> span.addEvent("recorded"));
    }

    private Span begin(World world, Decision.Adopt.Entry entry, Instant heard) {
        Allocation allocation = entry.allocation();
        Revision revision = new Revision(entry.slice(), allocation.revision());
        Span span = tracing.start(trace(world, revision), name(allocation), heard);
        span.setAttribute("lightpath.slice", entry.slice().toString())
                .setAttribute("lightpath.revision", allocation.revision())
                .setAttribute("lightpath.nodes", (long) allocation.members().size())
                .setAttribute("lightpath.circuits", (long) allocation.circuits().size());
        allocation
                .origin()
                .ifPresent(origin -> span.setAttribute(
                                "lightpath.planner", origin.planner().word())
                        .setAttribute("lightpath.why", origin.why()));
        Optional.ofNullable(world.slices().get(entry.slice()))
                .ifPresent(intent -> span.setAttribute(
                                "lightpath.job", intent.job().toString())
                        .setAttribute("lightpath.fabric", intent.fabric()));
        span.addEvent("decided");
        Change before = open.put(revision, new Change(span, heard));
        if (before != null) {
            before.span().addEvent("decided again");
            before.span().end();
        }
        return span;
    }

    private static String name(Allocation allocation) {
        if (allocation.origin().map(Origin::repairs).orElse(false)) {
            return "repair";
        }
        return allocation.revision() == 1 ? "place" : "rearrange";
    }

    /** A stage is about to be started: what is sent for it belongs to the context. */
    Context starting(World world, Decision.Apply apply) {
        Context parent = of(world, apply);
        SpanBuilder builder = tracing.tracer()
                .spanBuilder("stage")
                .setParent(parent)
                .setAttribute("lightpath.stage", apply.stage().id().toString())
                .setAttribute("lightpath.cause", apply.stage().cause().name())
                .setAttribute("lightpath.role", apply.stage().role())
                .setAttribute(
                        "lightpath.devices", (long) apply.stage().changes().size());
        String own = Span.fromContext(parent).getSpanContext().getTraceId();
        for (Revision each : recorded(world, apply)) {
            NamedTrace trace = trace(world, each);
            if (!trace.traceId().equals(own)) {
                builder.addLink(Span.fromContext(tracing.context(trace)).getSpanContext());
            }
        }
        Span span = builder.startSpan();
        stages.put(apply.stage().id(), span);
        return parent.with(span);
    }

    /**
     * A device of a stage answered.
     *
     * @param last whether it was the last of its stage
     * @return where it belongs
     */
    Context answered(StageId stage, ChangeOutcome outcome, boolean last) {
        Span span = stages.getOrDefault(stage, Span.getInvalid());
        if (!(outcome instanceof ChangeOutcome.Applied)) {
            span.setStatus(StatusCode.ERROR);
        }
        if (last) {
            stages.remove(stage);
            span.end();
        }
        return Context.root().with(span);
    }

    /** Ends stages that were given up. */
    void keep(Predicate<StageId> flies) {
        stages.entrySet().removeIf(each -> {
            boolean over = !flies.test(each.getKey());
            if (over) {
                each.getValue().setStatus(StatusCode.ERROR, "given up");
                each.getValue().end();
            }
            return over;
        });
    }
}
