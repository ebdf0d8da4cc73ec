package dev.lightpath.planner.memory;

import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;

/**
 * A cache of a pure function, for one pass and the passes before it ({@link Known}). A question holds all that its
 * answer depends on, so an answer is right for ever, and the cache changes nothing but the cost.
 *
 * <p>The cache is bounded in bytes: by {@link #MOST_BYTES} or the given limit, once for this pass and once for those
 * before it. The least recently used answers go first. An answer larger than the limit is not kept.
 *
 * @param <Q> compared by value
 */
public final class Memo<Q, A> {
    /** Limit for one pass, in bytes as questions estimate them. */
    public static final long MOST_BYTES = 64L << 20;

    /** A kind of questions: a constant beside the function that is cached. */
    public static final class Kind<Q, A> {
        private final Slot<Known<Q, A>> slot;
        private final ToLongBiFunction<Q, A> bytes;
        private final long most;

        /**
         * @param name for people
         * @param bytes estimated size of a question and its answer, from the question
         */
        public Kind(String name, ToLongFunction<Q> bytes) {
            this(name, (question, answer) -> bytes.applyAsLong(question), MOST_BYTES);
        }

        /**
         * @param bytes estimated size of a question and its answer
         * @param most limit in bytes for one pass, and as many for those before it
         */
        public Kind(String name, ToLongBiFunction<Q, A> bytes, long most) {
            this.slot = new Slot<>(name);
            this.bytes = bytes;
            this.most = most;
        }

        Slot<Known<Q, A>> slot() {
            return slot;
        }
    }

    private final Known<Q, A> before;
    private final Kind<Q, A> kind;
    private final Held<Q, A> asked;
    private int workedOut;

    /** @param before the answers of earlier passes */
    public Memo(Known<Q, A> before, Kind<Q, A> kind) {
        this.before = before;
        this.kind = kind;
        this.asked = new Held<>(kind.most);
    }

    /**
     * The answer, computed unless it is known. Costs the question's hash, and a comparison if it is known.
     *
     * @param how computes it; must read nothing that is not in the question
     */
    public A of(Q question, Supplier<A> how) {
        Key<Q> key = new Key<>(question);
        Sized<A> known = asked.answers.get(key);
        if (known == null) {
            known = before.answers.get(key);
        }
        if (known == null) {
            workedOut++;
            A answer = how.get();
            known = new Sized<>(answer, kind.bytes.applyAsLong(question, answer));
        }
        asked.hold(key, known);
        return known.answer;
    }

    /** Whether the answer is known. Same cost as {@link #of} for a known answer. */
    public boolean knows(Q question) {
        Key<Q> key = new Key<>(question);
        return asked.answers.containsKey(key) || before.answers.containsKey(key);
    }

    /** How many answers were computed. */
    public int workedOut() {
        return workedOut;
    }

    /** The answers for the next pass. Linear in their number. */
    public Known<Q, A> known() {
        if (asked.answers.isEmpty() && before.workedOut == workedOut) {
            return before;
        }
        Held<Q, A> all = new Held<>(asked.most);
        before.answers.forEach(all::hold);
        asked.answers.forEach(all::hold);
        return new Known<>(all.answers, workedOut);
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

    /** @param bytes estimated size of it and its question */
    private record Sized<A>(A answer, long bytes) {}

    /** Answers up to a sum of bytes, least recently used first. */
    private static final class Held<Q, A> {
        private final Map<Key<Q>, Sized<A>> answers = new LinkedHashMap<>();
        private final long most;
        private long bytes;

        private Held(long most) {
            this.most = most;
        }

        private void hold(Key<Q> key, Sized<A> answer) {
            if (answer.bytes > most) {
                return;
            }
            bytes += answers.remove(key) == null ? answer.bytes : 0;
            answers.put(key, answer);
            Iterator<Sized<A>> eldest = answers.values().iterator();
            while (bytes > most) {
                bytes -= eldest.next().bytes;
                eldest.remove();
            }
        }
    }

    /** Answers of earlier passes, least recently used first. Immutable. */
    public static final class Known<Q, A> {
        private final Map<Key<Q>, Sized<A>> answers;
        private final int workedOut;

        private Known(Map<Key<Q>, Sized<A>> answers, int workedOut) {
            this.answers = Collections.unmodifiableMap(answers);
            this.workedOut = workedOut;
        }

        public static <Q, A> Known<Q, A> nothing() {
            return new Known<>(new LinkedHashMap<>(), 0);
        }

        /** How many answers are known. */
        public int size() {
            return answers.size();
        }

        /** How many answers the last pass had to compute; no part of what is known. */
        public int workedOut() {
            return workedOut;
        }

        @Override
        public boolean equals(Object other) {
            // the answers follow
            return this == other
                    || other instanceof Known<?, ?> that && answers.keySet().equals(that.answers.keySet());
        }

        @Override
        public int hashCode() {
            return answers.keySet().hashCode();
        }

        @Override
        public String toString() {
            return answers.size() + " answers";
        }
    }
}
