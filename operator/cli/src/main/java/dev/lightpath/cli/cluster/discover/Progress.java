package dev.lightpath.cli.cluster.discover;

import java.util.Optional;

/**
 * What a person who waits is told of one switch. Between two probes a search waits for a moment: that is told only if
 * it lasts. Not safe for use by many threads at once.
 */
final class Progress {
    private String toldCounts = "";
    private String toldWait = "";
    private String last = "";
    private boolean lasted;

    /** The line to print now; empty where nothing new is known. */
    synchronized Optional<String> heard(SwitchFibres now) {
        if (!now.progress().equals(last)) {
            last = now.progress();
            lasted = false;
        }
        if (now.counts().equals(toldCounts) || now.ends() == 0 && !now.over()) {
            return Optional.empty();
        }
        toldCounts = now.counts();
        return Optional.of(toldCounts);
    }

    /** The same at the end of some seconds, at each of which this is to be called. */
    synchronized Optional<String> passed(SwitchFibres now) {
        Optional<String> news = heard(now);
        boolean lasts = lasted && now.waitsFor() != null && !now.over();
        lasted = true;
        if (!lasts || last.equals(toldWait)) {
            return news;
        }
        toldWait = last;
        return Optional.of(last);
    }

    /** How far it was when somebody looked last. */
    synchronized String last() {
        return last;
    }
}
