package dev.lightpath.app.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.driver.EpochBook.Judgement;
import dev.lightpath.planner.light.EpochMark;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EpochBookTest {
    private static final EpochBook BOOK =
            new EpochBook("here", new TreeMap<>(Map.of(5L, "a@here", 6L, "b@here", 8L, "c@here")), 8);

    private static Judgement judge(long epoch, String holder) {
        return BOOK.judge(new EpochMark(epoch, holder));
    }

    @Test
    void knowsWhatWasGivenByNumberAndHolder() {
        assertThat(judge(6, "b@here")).isEqualTo(Judgement.OURS);
        assertThat(judge(6, "x@here")).isEqualTo(Judgement.STRANGE);
        assertThat(judge(6, "")).isEqualTo(Judgement.OURS);
        assertThat(judge(0, "")).isEqualTo(Judgement.OURS);
    }

    @Test
    void whatWasNeverGivenIsStrange() {
        assertThat(judge(7, "a@here")).isEqualTo(Judgement.STRANGE);
        assertThat(judge(7, "")).isEqualTo(Judgement.STRANGE);
    }

    @Test
    void whatIsAboveAllMayHaveBeenGivenSinceItWasRead() {
        assertThat(judge(9, "d@here")).isEqualTo(Judgement.UNKNOWN);
        assertThat(BOOK.judgedTo(9).judge(new EpochMark(9, "d@here"))).isEqualTo(Judgement.STRANGE);
        EpochBook later = new EpochBook("here", new TreeMap<>(Map.of(9L, "d@here")), 0);
        assertThat(BOOK.and(later).judgedTo(9).judge(new EpochMark(9, "d@here")))
                .isEqualTo(Judgement.OURS);
    }

    @Test
    void whatWasGivenBeforeItBeginsIsOursUnlessAnotherInstallationIsNamed() {
        assertThat(judge(4, "old-pod")).isEqualTo(Judgement.OURS);
        assertThat(judge(4, "a@here")).isEqualTo(Judgement.OURS);
        assertThat(judge(4, "a@there")).isEqualTo(Judgement.STRANGE);
    }

    @Test
    void whoKnowsNoInstallationCallsNothingStrange() {
        assertThat(EpochBook.NONE.judge(new EpochMark(4, "a@there"))).isEqualTo(Judgement.UNKNOWN);
    }
}
