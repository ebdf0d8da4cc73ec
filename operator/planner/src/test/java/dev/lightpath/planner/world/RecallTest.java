package dev.lightpath.planner.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecallTest {
    private static final int MOST = 40;

    private final List<String> workedOut = new ArrayList<>();

    /** Equal questions that are different objects. */
    private record Question(String words) {}

    private String ask(Recall<Question, String> recall, String words) {
        return recall.of(new Question(words), () -> {
            workedOut.add(words);
            return words + "!";
        });
    }

    private static Recall<Question, String> fresh() {
        return after(Recall.Known.nothing());
    }

    /** Each character counts a byte; forty are held. */
    private static Recall<Question, String> after(Recall.Known<Question, String> known) {
        return new Recall<>(known, (question, answer) -> question.words().length(), MOST);
    }

    @Test
    void equalQuestionsAreWorkedOutOnce() {
        Recall<Question, String> recall = fresh();
        assertThat(ask(recall, "a")).isEqualTo("a!").isEqualTo(ask(recall, "a"));
        assertThat(ask(recall, "b")).isEqualTo("b!");
        assertThat(workedOut).containsExactly("a", "b");
        assertThat(recall.workedOut()).isEqualTo(2);
    }

    @Test
    void theNextPassKnowsThem() {
        Recall<Question, String> recall = fresh();
        ask(recall, "a");
        Recall<Question, String> next = after(recall.known());
        assertThat(ask(next, "a")).isEqualTo("a!");
        assertThat(next.workedOut()).isZero();
        assertThat(workedOut).containsExactly("a");
    }

    @Test
    void whatAPassDoesNotAskForStaysKnown() {
        Recall<Question, String> recall = fresh();
        ask(recall, "a");
        Recall<Question, String> silent = after(recall.known());
        Recall<Question, String> next = after(silent.known());
        ask(next, "a");
        assertThat(next.workedOut()).isZero();
    }

    @Test
    void whatIsKnownDoesNotChangeWithThePassThatAsks() {
        Recall<Question, String> recall = fresh();
        ask(recall, "a");
        Recall.Known<Question, String> known = recall.known();
        ask(recall, "b");
        ask(after(known), "c");
        assertThat(known.size()).isEqualTo(1);
    }

    @Test
    void whatWasLongestNotAskedForIsForgottenFirst() {
        Recall<Question, String> recall = fresh();
        for (int number = 0; number < MOST / 2; number++) {
            ask(recall, "q" + (char) ('a' + number));
        }
        Recall<Question, String> next = after(recall.known());
        ask(next, "qa");
        ask(next, "++");
        assertThat(next.known().size()).isEqualTo(MOST / 2);
        Recall<Question, String> last = after(next.known());
        ask(last, "qa");
        ask(last, "++");
        assertThat(last.workedOut()).isZero();
        ask(last, "qb");
        assertThat(last.workedOut()).isEqualTo(1);
    }

    @Test
    void largeQuestionsLeaveRoomForFew() {
        Recall<Question, String> recall = fresh();
        for (char each = 'a'; each < 'f'; each++) {
            ask(recall, Character.toString(each).repeat(MOST / 2));
        }
        assertThat(recall.known().size()).isEqualTo(2);
        Recall<Question, String> next = after(recall.known());
        ask(next, "e".repeat(MOST / 2));
        assertThat(next.workedOut()).isZero();
    }

    @Test
    void whatIsLargerThanAllThatIsHeldPushesNothingOut() {
        Recall<Question, String> recall = fresh();
        ask(recall, "a");
        assertThat(ask(recall, "b".repeat(MOST + 1))).hasSize(MOST + 2);
        assertThat(recall.known().size()).isEqualTo(1);
        assertThat(ask(recall, "a")).isEqualTo("a!");
        assertThat(recall.workedOut()).isEqualTo(2);
    }

    @Test
    void whatIsKnownTellsHowMuchWasWorkedOut() {
        Recall<Question, String> recall = fresh();
        ask(recall, "a");
        ask(recall, "b");
        assertThat(recall.known().workedOut()).isEqualTo(2);
        Recall<Question, String> next = after(recall.known());
        ask(next, "a");
        assertThat(next.known().workedOut()).isZero();
        assertThat(after(recall.known()).known().workedOut()).isZero();
    }

    @Test
    void equalAnswersToEqualQuestionsAreEqualKnowledge() {
        Recall<Question, String> one = fresh();
        Recall<Question, String> other = fresh();
        ask(one, "a");
        ask(other, "a");
        assertThat(one.known()).isEqualTo(other.known()).hasSameHashCodeAs(other.known());
        ask(other, "b");
        assertThat(one.known()).isNotEqualTo(other.known());
    }
}
