package dev.lightpath.planner.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecallTest {
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
        return new Recall<>(Recall.Known.nothing());
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
        Recall<Question, String> next = new Recall<>(recall.known());
        assertThat(ask(next, "a")).isEqualTo("a!");
        assertThat(next.workedOut()).isZero();
        assertThat(workedOut).containsExactly("a");
    }

    @Test
    void whatAPassDoesNotAskForStaysKnown() {
        Recall<Question, String> recall = fresh();
        ask(recall, "a");
        Recall<Question, String> silent = new Recall<>(recall.known());
        Recall<Question, String> next = new Recall<>(silent.known());
        ask(next, "a");
        assertThat(next.workedOut()).isZero();
    }

    @Test
    void whatIsKnownDoesNotChangeWithThePassThatAsks() {
        Recall<Question, String> recall = fresh();
        ask(recall, "a");
        Recall.Known<Question, String> known = recall.known();
        ask(recall, "b");
        ask(new Recall<>(known), "c");
        assertThat(known.size()).isEqualTo(1);
    }

    @Test
    void whatWasLongestNotAskedForIsForgottenFirst() {
        Recall<Question, String> recall = fresh();
        for (int number = 0; number < Recall.Known.MOST; number++) {
            ask(recall, "q" + number);
        }
        Recall<Question, String> next = new Recall<>(recall.known());
        ask(next, "q0");
        ask(next, "one more");
        assertThat(next.known().size()).isEqualTo(Recall.Known.MOST);
        Recall<Question, String> last = new Recall<>(next.known());
        ask(last, "q0");
        ask(last, "one more");
        assertThat(last.workedOut()).isZero();
        ask(last, "q1");
        assertThat(last.workedOut()).isEqualTo(1);
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
