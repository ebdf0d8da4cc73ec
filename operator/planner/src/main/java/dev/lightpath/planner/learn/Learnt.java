package dev.lightpath.planner.learn;

import dev.lightpath.planner.ask.Speeds;

/** What the measurements of a job say about its speeds. */
public sealed interface Learnt {
    /**
     * Nothing yet.
     *
     * @param why for people: what is missing
     */
    record Nothing(String why) implements Learnt {}

    /**
     * How fast its GPUs are if its links are as fast as the fabric says. Circuits are not chosen by it: whether it is
     * the GPUs or the links shows only with other circuits.
     *
     * @param compute share of the TFLOP/s of its model
     * @param why for people: what is missing to know both
     */
    record GpusIfLinksHold(double compute, String why) implements Learnt {}

    /** Both. Circuits are chosen by them. */
    record Both(Speeds speeds) implements Learnt {}

    /** The speeds to choose circuits by. */
    default Speeds speeds() {
        return this instanceof Both both ? both.speeds() : Speeds.BELIEVED;
    }
}
