/** Studies of circuits between pods (the DELTA paper). */
@NullMarked
package dev.lightpath.cli.study.delta;

import org.jspecify.annotations.NullMarked;
