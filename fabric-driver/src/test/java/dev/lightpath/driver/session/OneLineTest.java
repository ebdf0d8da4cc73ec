package dev.lightpath.driver.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import org.junit.jupiter.api.Test;

final class OneLineTest {
    @Test
    void aNameThatNobodyKnowsIsToldWhateverTheLibrarySays() {
        assertThat(OneLine.ofFailed(new UnknownHostException("ocs-1.example")))
                .isEqualTo("the name of the host is unknown");
        assertThat(OneLine.ofFailed(new IOException("failed", new UnresolvedAddressException())))
                .isEqualTo("the name of the host is unknown");
    }

    @Test
    void otherReasonsAreTheJdks() {
        assertThat(OneLine.ofFailed(new IOException("failed", new ConnectException("Connection refused"))))
                .isEqualTo("Connection refused");
    }
}
