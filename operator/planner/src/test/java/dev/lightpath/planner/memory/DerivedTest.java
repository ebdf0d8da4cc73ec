package dev.lightpath.planner.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a pass derives is taken over by the next one as long as its grounds are the same. */
class DerivedTest {
    private static final Slot<Derived<Integer>> SLOT = new Slot<>("counted");

    private final Object one = new Object();
    private PlannerCache left = PlannerCache.nothing();
    private int workedOut;

    /** The value that a pass derives, and leaves to the next one. */
    private int pass(List<?> same, List<?> equal) {
        PassMemory memory = new PassMemory(left);
        Supplier<Integer> anew = () -> ++workedOut;
        int value = memory.derived(SLOT, same, equal, anew);
        left = memory.after();
        return value;
    }

    private static SortedMap<String, Object> map(Object value) {
        return new TreeMap<>(Map.of("key", value));
    }

    @Test
    void holdsWhileItsGroundsAreTheSame() {
        assertThat(pass(List.of(one), List.of("a", 1))).isEqualTo(1);
        assertThat(pass(List.of(one), List.of("a", 1))).isEqualTo(1);
        assertThat(pass(List.of(one), List.of("b", 1))).as("another value").isEqualTo(2);
        assertThat(pass(List.of(new Object()), List.of("b", 1)))
                .as("another object")
                .isEqualTo(3);
    }

    @Test
    void isGivenUpForAnEqualObjectThatIsAnother() {
        assertThat(pass(List.of(new ArrayList<>(List.of(1))), List.of())).isEqualTo(1);
        assertThat(pass(List.of(new ArrayList<>(List.of(1))), List.of())).isEqualTo(2);
    }

    @Test
    void takesMapsByWhatTheyName() {
        assertThat(pass(List.of(map(one)), List.of())).isEqualTo(1);
        assertThat(pass(List.of(map(one)), List.of()))
                .as("another map of the same object")
                .isEqualTo(1);
        assertThat(pass(List.of(map(new Object())), List.of())).isEqualTo(2);
        assertThat(pass(List.of(new TreeMap<>()), List.of())).isEqualTo(3);
    }

    @Test
    void isFoundByTheSamePassAgain() {
        PassMemory memory = new PassMemory(left);
        assertThat(memory.derived(SLOT, List.of(one), List.of(), () -> 7)).isEqualTo(7);
        assertThat(memory.derived(SLOT, List.of(one), List.of(), () -> 8)).isEqualTo(7);
    }
}
