/** Writes that several rooms share: finalizers, parts of records, and conditional patches of Kubernetes objects. */
@NullMarked
package dev.lightpath.app.objects;

import org.jspecify.annotations.NullMarked;
