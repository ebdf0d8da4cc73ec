package dev.lightpath.app.driver.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.driver.TestIdentity;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TlsContextsTest {
    private static TlsMaterial material(TestIdentity of) {
        return new TlsMaterial("Secret lightpath-system/tls", of.certificate(), of.certificate(), of.privateKey());
    }

    @Test
    void connectionsShareWhatTheyHaveOfTheSameMaterial(@TempDir Path folder) throws Exception {
        TestIdentity first = TestIdentity.make(folder, "operator");
        TlsContexts contexts = new TlsContexts();
        SslContext used = contexts.of(material(first));
        assertThat(contexts.of(material(first))).isSameAs(used);
        assertThat(contexts.of(material(first).named(Optional.of("agent"))))
                .as("to a driver of another name")
                .isSameAs(used);
        SslContext renewed = contexts.of(material(TestIdentity.make(folder, "renewed")));
        assertThat(renewed).as("once the certificate is renewed").isNotSameAs(used);
        assertThat(contexts.of(material(first))).as("of others meanwhile").isSameAs(used);
    }
}
