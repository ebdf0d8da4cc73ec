/** How objects are told of: conditions and events, the same for every kind of object. */
@NullMarked
package dev.lightpath.app.conditions;

import org.jspecify.annotations.NullMarked;
