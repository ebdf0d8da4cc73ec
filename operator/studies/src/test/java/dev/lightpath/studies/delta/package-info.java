@NullMarked
package dev.lightpath.studies.delta;

import org.jspecify.annotations.NullMarked;
