/** What the operator shows of fabrics as a whole, as JSON. */
@NullMarked
package dev.lightpath.app.publish.view;

import org.jspecify.annotations.NullMarked;
