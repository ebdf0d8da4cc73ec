@NullMarked
package dev.lightpath.app.job;

import org.jspecify.annotations.NullMarked;
