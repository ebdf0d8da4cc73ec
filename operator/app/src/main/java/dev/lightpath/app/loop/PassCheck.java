package dev.lightpath.app.loop;

import dev.lightpath.planner.engine.FabricEngine;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.World;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether passes conclude what they would without anything that they took over from passes before. A difference is a
 * defect of what is remembered (ADR 69). It is told once for each pass; what was decided stands.
 */
final class PassCheck {
    private static final Logger LOG = LoggerFactory.getLogger(PassCheck.class);

    /** Texts of people are no longer than that. */
    private static final int MOST_SHOWN = 1000;

    private final boolean on;
    private final PassMeter meter;

    /**
     * @param on whether each pass is decided a second time; a pass then takes as long again as the first of a process
     */
    PassCheck(boolean on, PassMeter meter) {
        this.on = on;
        this.meter = meter;
    }

    /**
     * Decides once more, from nothing. On the thread of the loop, after the decision was carried out. A pass whose
     * search goes on is not compared: it has no conclusion yet, and the pass that ends the search is.
     */
    void check(World world, Deliberation concluded) {
        if (!on || concluded.agenda().goesOn(world.now())) {
            return;
        }
        Optional<String> difference = concluded.differsFrom(FabricEngine.deliberateFromNothing(world));
        difference.ifPresent(text -> {
            meter.differs();
            LOG.atError()
                    .addKeyValue("difference", Words.cut(text, MOST_SHOWN))
                    .log("a planning pass concluded otherwise than from nothing; restart the operator and report this");
        });
    }
}
