/**
 * {@code lightpath study live}: the fault trace and a stream of jobs played against a running environment, checked
 * against what its emulated hardware really does.
 */
@NullMarked
package dev.lightpath.soak;

import org.jspecify.annotations.NullMarked;
