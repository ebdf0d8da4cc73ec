@NullMarked
package dev.lightpath.cli.delta;

import org.jspecify.annotations.NullMarked;
