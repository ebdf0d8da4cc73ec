@NullMarked
package dev.lightpath.studies.scale;

import org.jspecify.annotations.NullMarked;
