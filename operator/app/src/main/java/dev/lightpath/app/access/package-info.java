/** Access by HTTP: identification of callers, their rights, and how many are answered at once. */
@NullMarked
package dev.lightpath.app.access;

import org.jspecify.annotations.NullMarked;
