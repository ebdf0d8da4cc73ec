/** What happens in a soak test, and when. */
@NullMarked
package dev.lightpath.soak.script;

import org.jspecify.annotations.NullMarked;
