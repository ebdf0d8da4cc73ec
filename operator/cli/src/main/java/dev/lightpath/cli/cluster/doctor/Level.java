package dev.lightpath.cli.cluster.doctor;

/** How a check ended, the worse the later. */
enum Level {
    ok,
    /** Jobs run, but something is missing that a cluster should have, or it could not be looked at. */
    warning,
    /** Jobs will not get light, or not safely. */
    wrong
}
