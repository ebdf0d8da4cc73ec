/** Studies of circuits between pods (the DELTA paper). */
@NullMarked
package dev.lightpath.studies.delta;

import org.jspecify.annotations.NullMarked;
