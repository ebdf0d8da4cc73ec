/** The custom resources of {@code lightpath.dev/v1alpha1} as records. */
@NullMarked
package dev.lightpath.crds;

import org.jspecify.annotations.NullMarked;
