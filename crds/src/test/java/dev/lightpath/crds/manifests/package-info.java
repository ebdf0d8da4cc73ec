/** Manifests that the API server must take, and manifests that it must refuse, with the words it must use. */
@NullMarked
package dev.lightpath.crds.manifests;

import org.jspecify.annotations.NullMarked;
