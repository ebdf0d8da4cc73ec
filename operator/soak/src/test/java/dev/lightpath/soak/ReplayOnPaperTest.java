package dev.lightpath.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.soak.oracle.RingScheme;
import dev.lightpath.soak.script.Script;
import dev.lightpath.studies.evaluation.FaultTrace;
import dev.lightpath.studies.ring.TraceFile;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplayOnPaperTest {
    private static final FaultTrace TRACE = TraceFile.read(Optional.empty());

    private static Outcome play(long seed) {
        RingScheme ring = RingScheme.onPaper(64);
        Script script = Script.of(TRACE, ring, Optional.empty(), new Script.Course(100, 140, 30, 90, 0, seed));
        return new ReplayOnPaper(ring, line -> {}).play(script);
    }

    @Test
    void findsNothingWhereThePlannerDoesWhatItPromises() {
        Outcome outcome = play(1);
        assertThat(outcome.findings()).isEmpty();
        assertThat(outcome.played()).hasSize(outcome.script().moments().size());
        assertThat(outcome.played()).anyMatch(moment -> !moment.movedForOthers().isEmpty());
        assertThat(outcome.played()).allMatch(moment -> moment.gatheredGpus() <= moment.wastedGpus());
    }

    @Test
    void playsTheSameForTheSameSeed() {
        assertThat(play(2).played().stream().map(Played::movedBundles).toList())
                .isEqualTo(play(2).played().stream().map(Played::movedBundles).toList());
    }
}
