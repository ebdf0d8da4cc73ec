package dev.lightpath.app.loop;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what the loop decided, once while it stays the same. Serves the loop's thread only. */
final class DecisionLog {
    private static final Logger LOG = LoggerFactory.getLogger(PlanningLoop.class);

    private Optional<Decision> last = Optional.empty();

    void note(Deliberation deliberation) {
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
            case Decision.Adopt adopt ->
                adopt.entries()
                        .forEach(entry -> LOG.atInfo()
                                .addKeyValue("slice", entry.slice())
                                .addKeyValue("revision", entry.allocation().revision())
                                .addKeyValue(
                                        "groups", entry.allocation().groups().size())
                                .addKeyValue(
                                        "circuits",
                                        entry.allocation().circuits().size())
                                .addKeyValue(
                                        "releasing",
                                        entry.allocation().releasing().size())
                                .log("recording an allocation"));
            case Decision.Apply apply ->
                LOG.atInfo()
                        .addKeyValue("stage", apply.stage().id())
                        .addKeyValue("cause", apply.stage().cause())
                        .addKeyValue("devices", apply.stage().changes().size())
                        .addKeyValue("remaining", deliberation.remaining())
                        .log("changing light");
        }
    }
}
