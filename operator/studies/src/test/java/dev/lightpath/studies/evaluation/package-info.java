@NullMarked
package dev.lightpath.studies.evaluation;

import org.jspecify.annotations.NullMarked;
