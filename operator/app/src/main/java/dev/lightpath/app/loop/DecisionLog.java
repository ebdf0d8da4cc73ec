package dev.lightpath.app.loop;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.World;
import dev.lightpath.tracing.TraceScope;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what the loop decided, once while it stays the same. Serves the loop's thread only. */
final class DecisionLog {
    private static final Logger LOG = LoggerFactory.getLogger(PlanningLoop.class);

    private final ChangeTraces traces;
    private Optional<Decision> last = Optional.empty();

    DecisionLog(ChangeTraces traces) {
        this.traces = traces;
    }

    void note(World world, Deliberation deliberation) {
        Decision decision = deliberation.decision();
        LOG.atDebug().addKeyValue("decision", decision).log("pass");
        if (last.filter(decision::equals).isPresent()) {
            return;
        }
        last = Optional.of(decision);
        switch (decision) {
            case Decision.Rest rest -> {}
            case Decision.Observe observe ->
                LOG.atInfo()
                        .addKeyValue("devices", observe.devices())
                        .log("reading devices whose last change had an unknown outcome");
            case Decision.Adopt adopt -> adopt.entries().forEach(entry -> note(world, entry));
            case Decision.Apply apply -> note(world, apply, deliberation.remaining());
        }
    }

    private void note(World world, Decision.Adopt.Entry entry) {
        Allocation allocation = entry.allocation();
        try (TraceScope scope = TraceScope.of(traces.of(world, entry))) {
            LOG.atInfo()
                    .addKeyValue("slice", entry.slice())
                    .addKeyValue("revision", allocation.revision())
                    .addKeyValue("groups", allocation.groups().size())
                    .addKeyValue("circuits", allocation.circuits().size())
                    .addKeyValue("releasing", allocation.releasing().size())
                    .addKeyValue("why", allocation.origin().map(Origin::why).orElse(""))
                    .log("recording an allocation");
        }
    }

    private void note(World world, Decision.Apply apply, int remaining) {
        try (TraceScope scope = TraceScope.of(traces.of(world, apply))) {
            LOG.atInfo()
                    .addKeyValue("stage", apply.stage().id())
                    .addKeyValue("cause", apply.stage().cause())
                    .addKeyValue("slices", apply.slices())
                    .addKeyValue("devices", apply.stage().changes().size())
                    .addKeyValue("remaining", remaining)
                    .log("changing light");
        }
    }
}
