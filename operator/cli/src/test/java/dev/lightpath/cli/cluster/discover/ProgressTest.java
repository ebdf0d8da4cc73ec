package dev.lightpath.cli.cluster.discover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final String DARK = "the probing circuit 2->12 of switch ocs-0 was not read back dark";

    private final Progress progress = new Progress();

    private static SwitchFibres at(int known, @Nullable String waitsFor) {
        return new SwitchFibres("ocs-0", true, false, waitsFor, 64, known, known, List.of(), List.of());
    }

    private static SwitchFibres unanswered() {
        return new SwitchFibres(
                "ocs-0", true, false, "the operator has not answered yet", 0, 0, 0, List.of(), List.of());
    }

    @Test
    void tellsHowFarItIsButNotAWaitOfAMoment() {
        assertThat(progress.heard(at(2, null))).contains("switch/ocs-0: 2 of 64 fibre ends known, 2 circuits");
        assertThat(progress.heard(at(2, DARK))).isEmpty();
        assertThat(progress.passed(at(2, DARK))).isEmpty();
        assertThat(progress.heard(at(4, null))).contains("switch/ocs-0: 4 of 64 fibre ends known, 4 circuits");
        assertThat(progress.heard(at(4, DARK))).isEmpty();
        assertThat(progress.passed(at(4, DARK))).isEmpty();
    }

    @Test
    void tellsOnceWhatItWaitsForIfThatLasts() {
        assertThat(progress.heard(at(2, DARK))).contains("switch/ocs-0: 2 of 64 fibre ends known, 2 circuits");
        assertThat(progress.passed(at(2, DARK))).isEmpty();
        assertThat(progress.passed(at(2, DARK)))
                .contains("switch/ocs-0: 2 of 64 fibre ends known, 2 circuits; waits: " + DARK);
        assertThat(progress.heard(at(2, DARK))).isEmpty();
        assertThat(progress.passed(at(2, DARK))).isEmpty();
        assertThat(progress.last()).endsWith(DARK);
    }

    @Test
    void tellsThatTheOperatorDoesNotAnswerOnlyIfThatLasts() {
        assertThat(progress.heard(unanswered())).isEmpty();
        assertThat(progress.passed(unanswered())).isEmpty();
        assertThat(progress.passed(unanswered()).orElseThrow()).endsWith("waits: the operator has not answered yet");
    }

    @Test
    void tellsTheEnd() {
        SwitchFibres over = new SwitchFibres("ocs-0", true, true, null, 64, 64, 40, List.of(), List.of());
        assertThat(progress.heard(over)).contains("switch/ocs-0: 64 of 64 fibre ends known, 40 circuits; over");
    }
}
