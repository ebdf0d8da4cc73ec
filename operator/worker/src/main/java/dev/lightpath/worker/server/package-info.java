/** Takes searches by gRPC, as many at once as there are places. */
@NullMarked
package dev.lightpath.worker.server;

import org.jspecify.annotations.NullMarked;
