/** The gRPC and HTTP face of the driver: services, streams, who may call, metrics. */
@NullMarked
package dev.lightpath.driver.server;

import org.jspecify.annotations.NullMarked;
