package dev.lightpath.driver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.Certificates;
import dev.lightpath.driver.HeldTimers;
import dev.lightpath.driver.config.DriverConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CredentialsTest {
    /** The reloading of gRPC takes a minute where it is asked for less. */
    @Test
    void filesAreLookedAtEveryTenSeconds(@TempDir Path directory) throws Exception {
        Certificates certificates = new Certificates(directory);
        certificates.issue("driver", "dns:localhost");
        try (HeldTimers timers = new HeldTimers()) {
            Credentials.of(
                    new DriverConfig.Tls(
                            certificates.path("driver.crt"),
                            certificates.path("driver.key"),
                            certificates.path("ca.crt"),
                            List.of()),
                    timers);
            assertThat(timers.periods()).isNotEmpty().containsOnly(Duration.ofSeconds(10));
        }
    }
}
