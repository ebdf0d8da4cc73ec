package dev.lightpath.planner.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a pass leaves for the next one about a fabric, by slot. Immutable, compared by value. */
public final class PlannerCache {
    private static final PlannerCache NOTHING = new PlannerCache(Map.of(), Set.of());

    private final Map<Slot<?>, Object> values;
    private final Set<Memo.Kind<?, ?>> kinds;

    PlannerCache(Map<Slot<?>, Object> values, Set<Memo.Kind<?, ?>> kinds) {
        this.values = Map.copyOf(values);
        this.kinds = Set.copyOf(kinds);
    }

    public static PlannerCache nothing() {
        return NOTHING;
    }

    /** Whether it holds nothing. */
    public boolean isEmpty() {
        return values.isEmpty();
    }

    public <T> Optional<T> get(Slot<T> slot) {
        return Optional.ofNullable(values.get(slot)).map(slot::cast);
    }

    /** Answers to questions of one kind. */
    public <Q, A> Memo.Known<Q, A> known(Memo.Kind<Q, A> kind) {
        return get(kind.slot()).orElseGet(Memo.Known::nothing);
    }

    /** Whether the pass had to compute an answer that no pass before it knew. */
    public boolean workedOutAny() {
        return kinds.stream().anyMatch(kind -> known(kind).workedOut() > 0);
    }

    /** Kinds of questions of which answers are kept. */
    Set<Memo.Kind<?, ?>> kinds() {
        return kinds;
    }

    Map<Slot<?>, Object> values() {
        return new HashMap<>(values);
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof PlannerCache that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
