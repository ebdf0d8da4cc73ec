@NullMarked
package dev.lightpath.soak.oracle;

import org.jspecify.annotations.NullMarked;
