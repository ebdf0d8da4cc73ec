/** Certificates for the operator and its driver, made without a cluster. */
@NullMarked
package dev.lightpath.cli.certificates;

import org.jspecify.annotations.NullMarked;
