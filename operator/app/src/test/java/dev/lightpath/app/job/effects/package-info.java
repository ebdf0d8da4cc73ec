@NullMarked
package dev.lightpath.app.job.effects;

import org.jspecify.annotations.NullMarked;
