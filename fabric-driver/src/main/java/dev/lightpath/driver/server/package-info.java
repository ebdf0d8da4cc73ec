/** The gRPC and HTTP interface of the driver: services, streams, access, metrics. */
@NullMarked
package dev.lightpath.driver.server;

import org.jspecify.annotations.NullMarked;
