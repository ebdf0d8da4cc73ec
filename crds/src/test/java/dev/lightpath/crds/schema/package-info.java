/** From records to CustomResourceDefinitions and their reference page, committed and compared. */
@NullMarked
package dev.lightpath.crds.schema;

import org.jspecify.annotations.NullMarked;
