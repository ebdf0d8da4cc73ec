package dev.lightpath.app.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.job.TrafficFormat;
import dev.lightpath.crds.job.TrafficSource;
import dev.lightpath.planner.delta.Parallelism;
import dev.lightpath.reading.traffic.TrafficSourceReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TrafficReadingsTest {
    private final TrafficReadings readings = new TrafficReadings();
    private final List<String> read = new ArrayList<>();

    @Test
    void aVersionIsReadOnce() {
        assertThat(of("1")).isEqualTo(of("1")).isEqualTo("version 1 is wrong");
        assertThat(of("2")).isEqualTo("version 2 is wrong");
        assertThat(read).containsExactly("1", "2");
    }

    @Test
    void theLongestUnaskedIsForgottenFirst() {
        of("kept");
        for (int version = 0; version < 200; version++) {
            of("kept");
            of(String.valueOf(version));
        }
        of("0");
        assertThat(read).startsWith("kept", "0", "1").endsWith("199", "0").hasSize(202);
    }

    private String of(String version) {
        return readings.of(
                        new TrafficReadings.Version(
                                "uid",
                                version,
                                new TrafficSource("trace", TrafficFormat.CHAKRA),
                                new TrafficSourceReader(Parallelism.ofDegrees(1, 2, 1, 1, 1), 1, 8, 400)),
                        () -> {
                            read.add(version);
                            return new TrafficFacts(Optional.empty(), Optional.of("version " + version + " is wrong"));
                        })
                .problem()
                .orElseThrow();
    }
}
