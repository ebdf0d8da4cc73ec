package dev.lightpath.app.access;

import dev.lightpath.fuzz.Fuzz;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What anybody may send as Authorization. Nobody is known here: the API server is away. */
class HeaderFuzzTest {
    @Test
    void authorization() throws Exception {
        ConfigBuilder nowhere = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:1")
                .withRequestRetryBackoffLimit(0);
        try (KubernetesClient away =
                new KubernetesClientBuilder().withConfig(nowhere.build()).build()) {
            Access access = new Access(away);
            Fuzz.read(
                    "authorization",
                    Fuzz.texts("Bearer abc.def-ghi", "bearer    x  ", "Basic YTpi", "Bearer"),
                    Refused.class,
                    header -> access.caller(new String(header, StandardCharsets.ISO_8859_1)));
        }
    }
}
