@NullMarked
package dev.lightpath.cli.study.topology;

import org.jspecify.annotations.NullMarked;
