package dev.lightpath.driver.contract.view;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Why a device is silent. Attempts to reach it may fail for one reason and then for another, again and again: those
 * are told together, and nothing is told anew as long as they recur.
 */
final class SilenceReasons {
    /** Attempts are seconds apart, and some wait a minute for an answer. */
    private static final Duration RECENT = Duration.ofMinutes(10);

    /** A device that has more of them lately may tell times or counts: the next is told once a {@link #PACE}. */
    private static final int MOST = 4;

    private static final Duration PACE = Duration.ofMinutes(1);

    private final Clock clock;
    /** When each was heard last. */
    private final Map<String, Instant> heard = new LinkedHashMap<>();

    private List<String> told = List.of();
    private Instant toldAt = Instant.EPOCH;

    SilenceReasons(Clock clock) {
        this.clock = clock;
    }

    /** What to tell after an attempt failed for this reason. */
    String after(String why) {
        Instant now = clock.instant();
        heard.values().removeIf(at -> at.isBefore(now.minus(RECENT)));
        boolean recurs = heard.containsKey(why);
        if (!recurs && heard.size() >= MOST && !now.isBefore(toldAt.plus(PACE))) {
            heard.remove(Collections.min(heard.entrySet(), Map.Entry.comparingByValue())
                    .getKey());
        }
        if (recurs || heard.size() < MOST) {
            heard.put(why, now);
        }
        List<String> next = new ArrayList<>(told);
        next.removeIf(each -> !heard.containsKey(each));
        if (next.isEmpty() || !recurs && heard.containsKey(why)) {
            next = List.of(why);
        } else if (recurs && !next.contains(why)) {
            next.add(why);
        }
        if (!next.equals(told)) {
            toldAt = now;
        }
        told = List.copyOf(next);
        return String.join("; at other times: ", told);
    }

    /** The device answered. */
    void answered() {
        heard.clear();
        told = List.of();
    }
}
