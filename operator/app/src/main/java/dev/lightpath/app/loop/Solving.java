package dev.lightpath.app.loop;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.ask.TopologyAnswer;
import java.util.SortedMap;

/** Where the loop asks for circuits. Nothing here waits; the loop is woken when an answer is there. */
public interface Solving {
    /** What was answered so far, by digest of the question. */
    SortedMap<String, TopologyAnswer> answers();

    /** What the last pass wants to know. Questions that are no longer among them are dropped, new ones begun. */
    void ask(SortedMap<String, Asked> questions);
}
