@NullMarked
package dev.lightpath.worker;

import org.jspecify.annotations.NullMarked;
