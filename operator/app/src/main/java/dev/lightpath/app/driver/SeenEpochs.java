package dev.lightpath.app.driver;

import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.EpochMark;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The epochs that one driver told of, of any of its devices, by role. Epochs are of 64 bits without a sign, as in the
 * contract.
 */
final class SeenEpochs {
    private static final Comparator<EpochMark> ORDER = Comparator.<EpochMark>comparingLong(
                    mark -> mark.epoch() ^ Long.MIN_VALUE)
            .thenComparing(EpochMark::holder);

    /**
     * More than a role has seen leaders since its devices were last written to; beyond that the lowest are forgotten.
     */
    private static final int MOST = 1024;

    private final Map<String, NavigableSet<EpochMark>> marks = new HashMap<>();

    /** True when that is news. */
    boolean add(String role, EpochMark mark) {
        NavigableSet<EpochMark> known = marks.computeIfAbsent(role, key -> new TreeSet<>(ORDER));
        boolean added = mark.epoch() != 0 && known.add(mark);
        if (known.size() > MOST) {
            known.pollFirst();
        }
        return added;
    }

    /** 0 when there is none. */
    long highest(String role) {
        NavigableSet<EpochMark> known = marks.get(role);
        return known == null || known.isEmpty() ? 0 : known.last().epoch();
    }

    /** The highest that a book calls strange. */
    Optional<EpochMark> strange(String role, EpochBook book) {
        NavigableSet<EpochMark> known = marks.get(role);
        return known == null
                ? Optional.empty()
                : known.descendingSet().stream()
                        .filter(mark ->
                                DriverState.raisable(mark.epoch()) && book.judge(mark) == EpochBook.Judgement.STRANGE)
                        .findFirst();
    }

    /** Whether one that is not strange is above this one. */
    boolean passes(String role, long epoch, EpochBook book) {
        NavigableSet<EpochMark> known = marks.get(role);
        return known != null
                && known.descendingSet().stream()
                        .takeWhile(mark -> Long.compareUnsigned(mark.epoch(), epoch) > 0)
                        .anyMatch(mark ->
                                !DriverState.raisable(mark.epoch()) || book.judge(mark) != EpochBook.Judgement.STRANGE);
    }

    void clear() {
        marks.clear();
    }
}
