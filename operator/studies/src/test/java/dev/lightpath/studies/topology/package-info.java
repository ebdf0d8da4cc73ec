@NullMarked
package dev.lightpath.studies.topology;

import org.jspecify.annotations.NullMarked;
