package dev.lightpath.app.conditions;

import dev.lightpath.crds.fabric.DegradingPort;
import dev.lightpath.crds.fabric.OpticalHealthStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * When it is told how light fares that is not lost. What was not told lately is told at once: a port that gets worse,
 * is well again, or what becomes of it. What comes and goes is told ten seconds after the last time, and then later
 * each time, up to ten minutes: a port that flickers is no reason for a write each second. Serves one thread.
 */
public final class LightPace {
    static final Duration FIRST_WAIT = Duration.ofSeconds(10);
    static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    /** So long what was told is no news. Longer than the longest wait, or a flicker would be news after each. */
    private static final Duration LATELY = LONGEST_WAIT.multipliedBy(3);

    /** A number of ports is told anew when it has changed by a tenth, and by more than this. */
    private static final int FEW_PORTS = 2;

    private static final int TENTH = 10;

    /**
     * What was told of one fabric.
     *
     * @param words by what was told, when
     * @param last when anything was told
     * @param pause until what was told lately is told again
     */
    private record Told(Map<String, Instant> words, Instant last, Duration pause) {}

    private final Map<String, Told> told = new HashMap<>();

    /** Whether there is anything to tell; a port that is measured or not is nothing. */
    public static boolean isNews(@Nullable OpticalHealthStatus before, @Nullable OpticalHealthStatus after) {
        if (before == null || after == null) {
            return before != after;
        }
        int watched = before.watchedPorts();
        int more = Math.abs(after.watchedPorts() - watched);
        return more > FEW_PORTS && more * TENTH >= watched
                || before.degradingPorts() != after.degradingPorts()
                || before.takenOutPorts() != after.takenOutPorts()
                || !before.ports().equals(after.ports());
    }

    /**
     * How long news has to wait; empty when it is to be told now. A clock that jumps back causes no wait.
     *
     * @param fabric its name
     */
    public Optional<Duration> wait(
            String fabric, @Nullable OpticalHealthStatus before, @Nullable OpticalHealthStatus after, Instant now) {
        Told known = told.get(fabric);
        if (known == null
                || now.isBefore(known.last())
                || !now.isBefore(known.last().plus(known.pause()))
                || words(before, after).stream().anyMatch(word -> !isToldLately(known, word, now))) {
            return Optional.empty();
        }
        return Optional.of(Duration.between(now, known.last().plus(known.pause())));
    }

    /** It was told now. */
    public void told(
            String fabric, @Nullable OpticalHealthStatus before, @Nullable OpticalHealthStatus after, Instant now) {
        boolean first = !told.containsKey(fabric);
        Told known = told.getOrDefault(fabric, new Told(Map.of(), now, FIRST_WAIT));
        Map<String, Instant> words = new HashMap<>(known.words());
        words.values().removeIf(at -> isLongAgo(at, now));
        boolean anew = first || isLongAgo(known.last(), now);
        boolean again = words(before, after).stream().allMatch(words::containsKey);
        words(before, after).forEach(word -> words.put(word, now));
        Duration longer = known.pause().multipliedBy(2);
        Duration pause =
                anew ? FIRST_WAIT : !again ? known.pause() : longer.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : longer;
        told.put(fabric, new Told(words, now, pause));
    }

    /** Forgets fabrics that are not there any more. */
    public void keep(Predicate<String> there) {
        told.keySet().removeIf(fabric -> !there.test(fabric));
    }

    private static boolean isToldLately(Told known, String word, Instant now) {
        Instant at = known.words().get(word);
        return at != null && !isLongAgo(at, now);
    }

    private static boolean isLongAgo(Instant at, Instant now) {
        return now.isBefore(at) || !now.isBefore(at.plus(LATELY));
    }

    /** What a person would act on: which ports get worse, what becomes of them, and which are well again. */
    private static SortedSet<String> words(@Nullable OpticalHealthStatus before, @Nullable OpticalHealthStatus after) {
        SortedSet<String> left = new TreeSet<>();
        ports(before).forEach(port -> left.add(port.port()));
        SortedSet<String> words = new TreeSet<>();
        ports(after).forEach(port -> {
            left.remove(port.port());
            if (ports(before).stream()
                    .noneMatch(each -> each.port().equals(port.port()) && each.course() == port.course())) {
                words.add(port.port() + " " + port.course());
            }
        });
        left.forEach(port -> words.add(port + " is well"));
        return words;
    }

    private static List<DegradingPort> ports(@Nullable OpticalHealthStatus status) {
        return status == null ? List.of() : status.ports();
    }
}
