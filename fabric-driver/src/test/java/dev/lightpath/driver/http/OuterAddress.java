package dev.lightpath.driver.http;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Optional;

/** By which this host is a caller from elsewhere. */
final class OuterAddress {
    private OuterAddress() {}

    /** An address of this host that is not its loopback; the test is skipped where there is none. */
    static InetAddress ofThisHost() throws SocketException {
        Optional<InetAddress> outer = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(each -> each instanceof Inet4Address && !each.isLoopbackAddress())
                .findFirst();
        assumeTrue(outer.isPresent(), "this host has no other address than its loopback");
        return outer.orElseThrow();
    }
}
