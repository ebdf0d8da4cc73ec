@NullMarked
package dev.lightpath.solver;

import org.jspecify.annotations.NullMarked;
