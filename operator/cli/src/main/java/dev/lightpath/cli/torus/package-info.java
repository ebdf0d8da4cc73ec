/** {@code lightpath torus}: twisted tori evaluated, chosen and turned into circuits. */
@NullMarked
package dev.lightpath.cli.torus;

import org.jspecify.annotations.NullMarked;
