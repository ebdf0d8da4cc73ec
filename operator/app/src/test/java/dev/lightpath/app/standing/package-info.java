@NullMarked
package dev.lightpath.app.standing;

import org.jspecify.annotations.NullMarked;
