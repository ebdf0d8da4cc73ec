/** What somebody who helps wants to see of an installation, in one file, without secrets. */
@NullMarked
package dev.lightpath.cli.cluster.support;

import org.jspecify.annotations.NullMarked;
