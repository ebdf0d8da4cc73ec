/**
 * Switches with the YANG modules optical-switch and polatis-switch (HUBER+SUHNER Polatis), over NETCONF (RFC 6241) and
 * SSH (RFC 6242).
 */
@NullMarked
package dev.lightpath.driver.netconf;

import org.jspecify.annotations.NullMarked;
