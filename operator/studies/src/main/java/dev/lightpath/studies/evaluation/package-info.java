/**
 * How OCSTrx rings compare with other high-bandwidth domains: wasted GPUs under faults, cost, and training efficiency
 * (InfinitePOD sections 2 and 6, appendices A to F).
 */
@NullMarked
package dev.lightpath.studies.evaluation;

import org.jspecify.annotations.NullMarked;
