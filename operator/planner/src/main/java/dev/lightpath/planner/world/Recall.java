package dev.lightpath.planner.world;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Answers of a pure function in one pass, each worked out once. What passes before this one worked out counts too ({@link Known}): a
 * question holds all that its answer depends on, so an answer is right for ever, and remembering it changes nothing but the cost.
 *
 * @param <Q> compared by value
 */
public final class Recall<Q, A> {
    private final Known<Q, A> before;
    private final Map<Key<Q>, A> asked = new LinkedHashMap<>();
    private int workedOut;

    /** @param before what is known already */
    public Recall(Known<Q, A> before) {
        this.before = before;
    }

    /**
     * The answer, worked out if nobody did so before. Costs the question's hash and a comparison where it is known.
     *
     * @param how it is worked out; must read nothing that is not in the question
     */
    public A of(Q question, Supplier<A> how) {
        Key<Q> key = new Key<>(question);
        A answer = asked.get(key);
        if (answer == null) {
            answer = before.answers.get(key);
        }
        if (answer == null) {
            workedOut++;
            answer = how.get();
        }
        asked.put(key, answer);
        return answer;
    }

    /** How many answers nobody knew. */
    public int workedOut() {
        return workedOut;
    }

    /** What the next pass need not work out. Linear in what is known. */
    public Known<Q, A> known() {
        return before.and(asked);
    }

    /** A question with its hash, which costs as much as the question is large. */
    private static final class Key<Q> {
        private final Q question;
        private final int hash;

        private Key(Q question) {
            this.question = question;
            this.hash = question.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return this == other || other instanceof Key<?> that && hash == that.hash && question.equals(that.question);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /** Answers that were worked out, those longest not asked for first. Immutable. */
    public static final class Known<Q, A> {
        /** Who is short of circuits, times what a pass tries for each; tens of kilobytes each. */
        static final int MOST = 256;

        private final Map<Key<Q>, A> answers;

        private Known(Map<Key<Q>, A> answers) {
            this.answers = Collections.unmodifiableMap(answers);
        }

        public static <Q, A> Known<Q, A> nothing() {
            return new Known<>(new LinkedHashMap<>());
        }

        private Known<Q, A> and(Map<Key<Q>, A> asked) {
            if (asked.isEmpty()) {
                return this;
            }
            List<Map.Entry<Key<Q>, A>> all = new ArrayList<>();
            for (Map.Entry<Key<Q>, A> each : answers.entrySet()) {
                if (!asked.containsKey(each.getKey())) {
                    all.add(each);
                }
            }
            all.addAll(asked.entrySet());
            Map<Key<Q>, A> kept = new LinkedHashMap<>();
            all.subList(Math.max(0, all.size() - MOST), all.size())
                    .forEach(each -> kept.put(each.getKey(), each.getValue()));
            return new Known<>(kept);
        }

        /** How many answers are known. */
        public int size() {
            return answers.size();
        }

        @Override
        public boolean equals(Object other) {
            return this == other || other instanceof Known<?, ?> that && answers.equals(that.answers);
        }

        @Override
        public int hashCode() {
            return answers.hashCode();
        }

        @Override
        public String toString() {
            return answers.size() + " answers";
        }
    }
}
