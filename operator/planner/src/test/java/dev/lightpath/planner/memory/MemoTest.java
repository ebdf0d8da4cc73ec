package dev.lightpath.planner.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoTest {
    private static final int MOST = 40;

    private final List<String> workedOut = new ArrayList<>();

    /** Equal questions that are different objects. */
    private record Question(String words) {}

    private static final Memo.Kind<Question, String> KIND =
            new Memo.Kind<>("words", (question, answer) -> question.words().length(), MOST);

    private String ask(Memo<Question, String> recall, String words) {
        return recall.of(new Question(words), () -> {
            workedOut.add(words);
            return words + "!";
        });
    }

    private static Memo<Question, String> fresh() {
        return after(Memo.Known.nothing());
    }

    /** Each character counts a byte; forty are held. */
    private static Memo<Question, String> after(Memo.Known<Question, String> known) {
        return new Memo<>(known, KIND);
    }

    @Test
    void equalQuestionsAreWorkedOutOnce() {
        Memo<Question, String> recall = fresh();
        assertThat(ask(recall, "a")).isEqualTo("a!").isEqualTo(ask(recall, "a"));
        assertThat(ask(recall, "b")).isEqualTo("b!");
        assertThat(workedOut).containsExactly("a", "b");
        assertThat(recall.workedOut()).isEqualTo(2);
    }

    @Test
    void theNextPassKnowsThem() {
        Memo<Question, String> recall = fresh();
        ask(recall, "a");
        Memo<Question, String> next = after(recall.known());
        assertThat(ask(next, "a")).isEqualTo("a!");
        assertThat(next.workedOut()).isZero();
        assertThat(workedOut).containsExactly("a");
    }

    @Test
    void whatAPassDoesNotAskForStaysKnown() {
        Memo<Question, String> recall = fresh();
        ask(recall, "a");
        Memo<Question, String> silent = after(recall.known());
        Memo<Question, String> next = after(silent.known());
        ask(next, "a");
        assertThat(next.workedOut()).isZero();
    }

    @Test
    void whatIsKnownDoesNotChangeWithThePassThatAsks() {
        Memo<Question, String> recall = fresh();
        ask(recall, "a");
        Memo.Known<Question, String> known = recall.known();
        ask(recall, "b");
        ask(after(known), "c");
        assertThat(known.size()).isEqualTo(1);
    }

    @Test
    void whatWasLongestNotAskedForIsForgottenFirst() {
        Memo<Question, String> recall = fresh();
        for (int number = 0; number < MOST / 2; number++) {
            ask(recall, "q" + (char) ('a' + number));
        }
        Memo<Question, String> next = after(recall.known());
        ask(next, "qa");
        ask(next, "++");
        assertThat(next.known().size()).isEqualTo(MOST / 2);
        Memo<Question, String> last = after(next.known());
        ask(last, "qa");
        ask(last, "++");
        assertThat(last.workedOut()).isZero();
        ask(last, "qb");
        assertThat(last.workedOut()).isEqualTo(1);
    }

    @Test
    void largeQuestionsLeaveRoomForFew() {
        Memo<Question, String> recall = fresh();
        for (char each = 'a'; each < 'f'; each++) {
            ask(recall, Character.toString(each).repeat(MOST / 2));
        }
        assertThat(recall.known().size()).isEqualTo(2);
        Memo<Question, String> next = after(recall.known());
        ask(next, "e".repeat(MOST / 2));
        assertThat(next.workedOut()).isZero();
    }

    @Test
    void whatIsLargerThanAllThatIsHeldPushesNothingOut() {
        Memo<Question, String> recall = fresh();
        ask(recall, "a");
        assertThat(ask(recall, "b".repeat(MOST + 1))).hasSize(MOST + 2);
        assertThat(recall.known().size()).isEqualTo(1);
        assertThat(ask(recall, "a")).isEqualTo("a!");
        assertThat(recall.workedOut()).isEqualTo(2);
    }

    @Test
    void whatIsKnownTellsHowMuchWasWorkedOut() {
        Memo<Question, String> recall = fresh();
        ask(recall, "a");
        ask(recall, "b");
        assertThat(recall.known().workedOut()).isEqualTo(2);
        Memo<Question, String> next = after(recall.known());
        ask(next, "a");
        assertThat(next.known().workedOut()).isZero();
        assertThat(after(recall.known()).known().workedOut()).isZero();
    }

    @Test
    void equalAnswersToEqualQuestionsAreEqualKnowledge() {
        Memo<Question, String> one = fresh();
        Memo<Question, String> other = fresh();
        ask(one, "a");
        ask(other, "a");
        assertThat(one.known()).isEqualTo(other.known()).hasSameHashCodeAs(other.known());
        ask(other, "b");
        assertThat(one.known()).isNotEqualTo(other.known());
    }
}
