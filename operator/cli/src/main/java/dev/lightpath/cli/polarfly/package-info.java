/** {@code lightpath polarfly}: ER_q built, laid out, grown, routed and wired. */
@NullMarked
package dev.lightpath.cli.polarfly;

import org.jspecify.annotations.NullMarked;
