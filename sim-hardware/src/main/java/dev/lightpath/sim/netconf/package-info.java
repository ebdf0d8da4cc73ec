/** Emulated switches managed over NETCONF (RFC 6241, 6242), with the names of the YANG module optical-switch. */
@NullMarked
package dev.lightpath.sim.netconf;

import org.jspecify.annotations.NullMarked;
