/** Certificates in files, for servers and for connections from them: read again when they change. */
@NullMarked
package dev.lightpath.serving.tls;

import org.jspecify.annotations.NullMarked;
