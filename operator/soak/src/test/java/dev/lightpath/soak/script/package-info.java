@NullMarked
package dev.lightpath.soak.script;

import org.jspecify.annotations.NullMarked;
