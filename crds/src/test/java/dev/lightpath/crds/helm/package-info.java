/** The Helm chart: what it renders, and what an API server and helm itself make of it. */
@NullMarked
package dev.lightpath.crds.helm;

import org.jspecify.annotations.NullMarked;
