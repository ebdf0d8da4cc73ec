package dev.lightpath.app.access;

import java.util.HashMap;
import java.util.Map;

/** Limits how many answers are under way at once. A slow client delays no others and fills no heap. */
final class Turns {
    private final int most;
    private final int mostForOne;
    private final Map<String, Integer> taken = new HashMap<>();
    private int all;

    /**
     * @param most answers under way at once
     * @param mostForOne of them for one caller
     */
    Turns(int most, int mostForOne) {
        this.most = most;
        this.mostForOne = mostForOne;
    }

    /** Takes a turn, to be given back once. */
    synchronized void take(String caller) {
        int own = taken.getOrDefault(caller, 0);
        if (own >= mostForOne) {
            throw new Refused(429, mostForOne + " answers to " + caller + " are under way: ask again when one is read");
        }
        if (all >= most) {
            throw new Refused(429, most + " answers are under way: ask again in a second");
        }
        all++;
        taken.put(caller, own + 1);
    }

    synchronized void giveBack(String caller) {
        all--;
        taken.computeIfPresent(caller, (name, own) -> own == 1 ? null : own - 1);
    }
}
