package dev.lightpath.driver.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FarEndTest {
    @Test
    void isWhatADeviceAndItsPortAreCalled() {
        assertThat(FarEnd.of(" n3/b0.path1\n")).hasValueSatisfying(end -> {
            assertThat(end.getDeviceId()).isEqualTo("n3");
            assertThat(end.getPort()).isEqualTo("b0.path1");
        });
        assertThat(FarEnd.of("rack-1/ocs-2/17").orElseThrow().getDeviceId()).isEqualTo("rack-1/ocs-2");
    }

    @Test
    void aTextWithoutEndIsNone() {
        assertTimeoutPreemptively(
                Duration.ofMinutes(1),
                () -> assertThat(FarEnd.of("a" + "/".repeat(2_000_000) + "a")).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "spare",
                "/",
                "n3/",
                "/b0.path1",
                "panel 4 / 12",
                "N/A",
                "n/a ",
                "-/-",
                "--/--",
                "n3/-",
                "n3/b0.path1\u0000",
                "n3\u0007/b0.path1",
                "{\"device\":\"netconf:10.0.0.1/830\",\"port\":\"5\"}",
            })
    void isNotWhatIsForPeopleOrForOthers(String text) {
        assertThat(FarEnd.of(text)).isEmpty();
    }
}
