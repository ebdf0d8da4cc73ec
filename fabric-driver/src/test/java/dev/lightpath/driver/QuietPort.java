package dev.lightpath.driver;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port of loopback on which nobody listens, and which no outgoing connection is given while a server is down: those
 * begin at 32768.
 */
final class QuietPort {
    private QuietPort() {}

    static int find() throws IOException {
        for (int tries = 0; tries < 1000; tries++) {
            int port = ThreadLocalRandom.current().nextInt(12_000, 32_000);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (BindException taken) {
                continue;
            }
        }
        throw new AssertionError("no port between 12000 and 32000 is free");
    }
}
