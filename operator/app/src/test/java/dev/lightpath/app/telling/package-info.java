@NullMarked
package dev.lightpath.app.telling;

import org.jspecify.annotations.NullMarked;
