package dev.lightpath.solver;

/** The native solvers that are reliable enough to use. */
enum Backend {
    /** Any mixed-integer program. */
    SCIP,
    /** Programs of bounded integer variables and whole factors only. */
    CP_SAT
}
