package dev.lightpath.app.agreeing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AskedHooksTest {
    private static final HookAnswer WAITS = new HookAnswer.Waits();
    private static final HookAnswer AGREED = new HookAnswer.Agreed(Instant.parse("2026-01-01T00:00:00Z"));

    private long nanos = Long.MAX_VALUE - 1_000_000;
    private final AskedHooks hooks = new AskedHooks(() -> nanos);
    private final List<String> news = new ArrayList<>();

    AskedHooksTest() {
        hooks.listen((namespace, job) -> news.add(namespace + "/" + job));
    }

    private static HookQuestion question(String namespace, String job, long revision) {
        return new HookQuestion(namespace, job, job + "-ring-1", revision, job + "-0", "n0", 8471, "/", "{}");
    }

    private Map<HookQuestion, HookAnswer> wanted(HookQuestion question) {
        return hooks.wanted(question.namespace(), question.job(), List.of(question));
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Test
    void asksAtOnceAndOneAtATime() {
        HookQuestion asked = question("team", "llm", 2);
        assertThat(wanted(asked)).isEmpty();
        assertThat(hooks.due()).containsExactly(asked);
        pass(Duration.ofHours(1));
        assertThat(hooks.due()).as("under way").isEmpty();
    }

    @Test
    void asksAPodThatIsNotReadyAgain() {
        HookQuestion asked = question("team", "llm", 2);
        wanted(asked);
        for (int time = 0; time < 5; time++) {
            assertThat(hooks.due()).containsExactly(asked);
            hooks.answered(asked, WAITS);
            assertThat(wanted(asked)).containsEntry(asked, WAITS);
            pass(AskedHooks.AGAIN.minusNanos(1));
            assertThat(hooks.due()).isEmpty();
            pass(Duration.ofNanos(1));
        }
        assertThat(news).as("the same answer is no news").containsExactly("team/llm");
    }

    @Test
    void asksAPodThatDoesNotAnswerLessAndLessOften() {
        HookQuestion asked = question("team", "llm", 2);
        wanted(asked);
        List<Long> rests = new ArrayList<>();
        for (int time = 0; time < 5; time++) {
            hooks.due();
            hooks.answered(asked, new HookAnswer.Failed("nobody listens"));
            long seconds = 0;
            while (hooks.due().isEmpty()) {
                pass(Duration.ofSeconds(1));
                seconds++;
            }
            rests.add(seconds);
        }
        assertThat(rests).containsExactly(10L, 20L, 40L, 60L, 60L);
        hooks.answered(asked, WAITS);
        pass(AskedHooks.AGAIN);
        assertThat(hooks.due()).as("it answers again").containsExactly(asked);
    }

    @Test
    void asksNobodyWhoAgreed() {
        HookQuestion asked = question("team", "llm", 2);
        wanted(asked);
        hooks.due();
        hooks.answered(asked, AGREED);
        assertThat(news).containsExactly("team/llm");
        pass(Duration.ofHours(1));
        assertThat(hooks.due()).isEmpty();
        assertThat(wanted(asked)).as("until its status says so").containsEntry(asked, AGREED);
    }

    @Test
    void asksAnewWhatIsAnnouncedAnew() {
        HookQuestion first = question("team", "llm", 2);
        HookQuestion second = question("team", "llm", 3);
        wanted(first);
        hooks.due();
        assertThat(wanted(second)).isEmpty();
        hooks.answered(first, AGREED);
        assertThat(wanted(second)).as("an answer to what is announced no more").isEmpty();
        assertThat(news).isEmpty();
        assertThat(hooks.due()).containsExactly(second);
    }

    @Test
    void asksNothingOfAJobThatIsAskedNothing() {
        HookQuestion asked = question("team", "llm", 2);
        wanted(asked);
        hooks.wanted("team", "llm", List.of());
        assertThat(hooks.due()).isEmpty();
        wanted(asked);
        hooks.under(1);
        assertThat(hooks.due()).isEmpty();
    }

    @Test
    void whoAsksAgainLooksAtTheJobsThatHadQuestions() {
        HookQuestion asked = question("team", "llm", 2);
        hooks.under(3);
        wanted(asked);
        hooks.under(3);
        assertThat(news).as("nothing was forgotten").isEmpty();
        hooks.under(0);
        hooks.under(0);
        assertThat(hooks.due()).as("others ask").isEmpty();
        assertThat(news).isEmpty();
        hooks.under(3);
        hooks.under(3);
        assertThat(news).containsExactly("team/llm");
        wanted(asked);
        assertThat(hooks.due()).containsExactly(asked);
    }

    /** As when its share of the fabrics changed between two looks: another replica may lead the job, and ask. */
    @Test
    void underAnotherEpochNothingIsAskedBeforeItsJobIsLookedAtAnew() {
        HookQuestion kept = question("team", "kept", 2);
        HookQuestion lost = question("team", "lost", 2);
        hooks.under(3);
        wanted(kept);
        wanted(lost);
        hooks.under(4);
        assertThat(hooks.due()).isEmpty();
        assertThat(news).containsExactlyInAnyOrder("team/kept", "team/lost");
        wanted(kept);
        hooks.wanted("team", "lost", List.of());
        assertThat(hooks.due()).containsExactly(kept);
        hooks.answered(lost, AGREED);
        assertThat(hooks.due()).isEmpty();
    }

    @Test
    void callsOfQuestionsThatAreGoneCountUntilTheyEnd() {
        for (int revision = 2; revision < 30; revision++) {
            wanted(question("hostile", "job-" + revision, revision));
            hooks.due();
            hooks.wanted("hostile", "job-" + revision, List.of());
        }
        wanted(question("hostile", "last", 2));
        assertThat(hooks.due()).isEmpty();
        hooks.answered(question("hostile", "job-2", 2), WAITS);
        assertThat(hooks.due()).containsExactly(question("hostile", "last", 2));
    }

    @Test
    void hooksThatHangHoldUpTheirOwnNamespace() {
        List<HookQuestion> hostile = IntStream.range(0, 100)
                .mapToObj(job -> question("hostile", "job-" + job, 2))
                .toList();
        hostile.forEach(this::wanted);
        HookQuestion other = question("team", "llm", 2);
        pass(Duration.ofSeconds(1));
        wanted(other);
        assertThat(hooks.due()).hasSize(AskedHooks.MOST_OF_A_NAMESPACE + 1).contains(other);
        assertThat(hooks.due()).isEmpty();
        hooks.answered(other, WAITS);
        pass(AskedHooks.AGAIN);
        assertThat(hooks.due()).containsExactly(other);
    }

    @Test
    void fewCallsAreUnderWayAndEachHasItsTurn() {
        IntStream.range(0, 100).forEach(space -> wanted(question("team-" + space, "llm", 2)));
        List<HookQuestion> asked = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            List<HookQuestion> due = hooks.due();
            assertThat(due).hasSizeLessThanOrEqualTo(AskedHooks.MOST);
            asked.addAll(due);
            due.forEach(question -> hooks.answered(question, WAITS));
            pass(Duration.ofSeconds(1));
        }
        assertThat(asked).hasSize(100).doesNotHaveDuplicates();
    }
}
