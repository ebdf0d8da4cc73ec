package dev.lightpath.driver.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.session.LostException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A device says by its hello which versions it speaks. */
final class HelloTest {
    private static Connection greeted(String hello) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket device = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
                Connection connection = new Connection(server.accept())) {
            device.getOutputStream().write(HexFormat.of().parseHex(hello.replace(" ", "")));
            connection.begin(Duration.ofSeconds(30));
            return connection;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "04 00 0008 00000001, 4",
        "05 00 0008 00000001, 5",
        "06 00 0008 00000001, 5",
        "06 00 0010 00000001 0001 0008 00000050, 4",
        "06 00 0010 00000001 0001 0008 00000030, 5"
    })
    void theHighestVersionThatBothSpeakIsUsed(String hello, int version) throws Exception {
        assertThat(greeted(hello).version()).isEqualTo(version);
    }

    @ParameterizedTest
    @CsvSource({
        "01 00 0008 00000001, OpenFlow 1.0",
        "04 00 0010 00000001 0001 0008 00000002, OpenFlow 1.0",
        "06 00 0010 00000001 0001 0008 00000040, OpenFlow 1.5",
        "07 00 0010 00000001 0001 0008 00000080, version 7 of OpenFlow's wire",
        "00 00 0008 00000001, version 0 of OpenFlow's wire"
    })
    void aVersionThatNobodyKnowsIsOneLine(String hello, String version) {
        assertThatThrownBy(() -> greeted(hello))
                .isInstanceOf(LostException.class)
                .hasMessage("it speaks " + version + ", which the driver does not, so the device is neither read nor"
                        + " changed; allowed are OpenFlow 1.3 and 1.4");
    }
}
