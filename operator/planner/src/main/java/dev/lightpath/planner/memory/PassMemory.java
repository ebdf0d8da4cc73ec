package dev.lightpath.planner.memory;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The memory of one pass about one fabric: what the pass before left, and what this one will leave. A slot keeps its
 * value until a pass puts another one there. Serves one thread.
 */
public final class PassMemory {
    private final PlannerCache before;
    private final Map<Slot<?>, Object> kept = new HashMap<>();
    private final Map<Memo.Kind<?, ?>, Memo<?, ?>> memos = new LinkedHashMap<>();

    public PassMemory(PlannerCache before) {
        this.before = before;
    }

    /** Whether no pass before left anything: what this one concludes, it finds by looking at everything. */
    public boolean begins() {
        return before.isEmpty();
    }

    /** What an earlier pass put into a slot; its reader judges whether it still holds. */
    public <T> Optional<T> before(Slot<T> slot) {
        return before.get(slot);
    }

    /** What this pass put into a slot, else what an earlier pass did. */
    public <T> Optional<T> latest(Slot<T> slot) {
        Object value = kept.get(slot);
        return value == null ? before(slot) : Optional.of(slot.cast(value));
    }

    /** Puts a value into a slot, for the next pass. */
    public <T> void keep(Slot<T> slot, T value) {
        kept.put(slot, value);
    }

    /**
     * A value that follows from these grounds alone: that of an earlier pass, if it followed from the same.
     *
     * @param same objects that have to be the very same; of a map, all that it names
     * @param equal values that have to be equal
     */
    public <T> T derived(Slot<Derived<T>> slot, List<?> same, List<?> equal, Supplier<T> anew) {
        T value = latest(slot)
                .filter(known -> known.isOf(same, equal))
                .map(Derived::value)
                .orElseGet(anew);
        // with the maps of this world, so that the next comparison with them is one of identity
        keep(slot, new Derived<>(same, equal, value));
        return value;
    }

    /** The answers to one kind of question. */
    @SuppressWarnings("unchecked")
    public <Q, A> Memo<Q, A> memo(Memo.Kind<Q, A> kind) {
        return (Memo<Q, A>)
                Objects.requireNonNull(memos.computeIfAbsent(kind, asked -> new Memo<>(before.known(kind), kind)));
    }

    /** What the next pass begins with. Linear in answers of kinds that this pass asked for. */
    public PlannerCache after() {
        Set<Memo.Kind<?, ?>> kinds = new HashSet<>(before.kinds());
        kinds.forEach(kind -> memo(kind));
        kinds.addAll(memos.keySet());
        Map<Slot<?>, Object> values = before.values();
        values.putAll(kept);
        memos.forEach((kind, memo) -> values.put(kind.slot(), memo.known()));
        return new PlannerCache(values, kinds);
    }
}
