/** Requests of the operator to servers that it does not trust: bounded in time and size. */
@NullMarked
package dev.lightpath.app.http;

import org.jspecify.annotations.NullMarked;
