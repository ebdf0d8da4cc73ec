/**
 * What fabrics, switches, slices and Nodes say of themselves: status, conditions and events, projected from an outcome
 * and written.
 */
@NullMarked
package dev.lightpath.app.publish.status;

import org.jspecify.annotations.NullMarked;
