/** Certificates in files, for the server and for connections to device programs. */
@NullMarked
package dev.lightpath.driver.tls;

import org.jspecify.annotations.NullMarked;
