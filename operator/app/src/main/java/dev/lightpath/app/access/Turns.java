package dev.lightpath.app.access;

import java.util.HashMap;
import java.util.Map;

/** Limits how many answers are under way at once. A slow client delays no others and fills no heap. */
final class Turns {
    /** Answers under way at once. */
    static final int MOST = 4;
    /** Of them for one caller. */
    static final int MOST_FOR_ONE = 2;

    private final Map<String, Integer> taken = new HashMap<>();
    private int all;

    /** Takes a turn, to be given back once. */
    synchronized void take(String caller) {
        int own = taken.getOrDefault(caller, 0);
        if (own >= MOST_FOR_ONE) {
            throw new Refused(
                    429, MOST_FOR_ONE + " answers to " + caller + " are under way: ask again when one is read");
        }
        if (all >= MOST) {
            throw new Refused(429, MOST + " answers are under way: ask again in a second");
        }
        all++;
        taken.put(caller, own + 1);
    }

    synchronized void giveBack(String caller) {
        all--;
        taken.computeIfPresent(caller, (name, own) -> own == 1 ? null : own - 1);
    }
}
