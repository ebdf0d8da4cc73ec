/** The scripts of {@code deploy/local}, run as a newcomer runs them. */
@NullMarked
package dev.lightpath.crds.local;

import org.jspecify.annotations.NullMarked;
