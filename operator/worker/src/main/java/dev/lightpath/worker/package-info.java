/**
 * The program that takes searches for circuits of the operator, in pods of their own. It knows iterations and ports,
 * but no job, no cluster and no device.
 */
@NullMarked
package dev.lightpath.worker;

import org.jspecify.annotations.NullMarked;
