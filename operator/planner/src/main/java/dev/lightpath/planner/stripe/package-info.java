/**
 * A logical topology on striped optical switches: which circuit goes on which switch and port, with as little light
 * moved as can be, and in which order of stages. Start reading at {@link dev.lightpath.planner.stripe.Striper}.
 */
@NullMarked
package dev.lightpath.planner.stripe;

import org.jspecify.annotations.NullMarked;
