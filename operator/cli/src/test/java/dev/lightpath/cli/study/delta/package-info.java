@NullMarked
package dev.lightpath.cli.study.delta;

import org.jspecify.annotations.NullMarked;
