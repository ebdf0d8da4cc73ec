@NullMarked
package dev.lightpath.app.statictopology;

import org.jspecify.annotations.NullMarked;
