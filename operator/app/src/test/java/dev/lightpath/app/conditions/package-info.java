@NullMarked
package dev.lightpath.app.conditions;

import org.jspecify.annotations.NullMarked;
