package dev.lightpath.app.publish.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.publish.status.Scenes;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JobSeriesTest {
    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final FabricMetrics metrics = new FabricMetrics(registry);

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    private double dark() {
        return registry.get("lightpath.job.dark.seconds")
                .tags("namespace", "team", "job", "llm", "fabric", "ring-a")
                .functionCounter()
                .count();
    }

    /** A pass that found so many of four circuits lit. */
    private void pass(int lit) {
        SliceVerdict verdict = new SliceVerdict(
                new SliceVerdict.Placement.Placed(),
                Optional.empty(),
                new SliceVerdict.Light(4, lit, 4 - lit, 2, 2, Optional.empty()));
        Deliberation deliberation = Scenes.deliberation(
                new Decision.Rest(Optional.empty()),
                new TreeMap<>(Map.of(Scenes.SLICE, verdict)),
                new TreeMap<>(),
                Optional.empty());
        metrics.concluded(Scenes.world(Scenes.synced()), deliberation);
    }

    @Test
    void tellsOfEachJobHowItStands() {
        metrics.each(OperatorScrape.jobs());
        assertThat(gauge(
                        "lightpath.job.state",
                        "namespace",
                        "team",
                        "job",
                        "a",
                        "fabric",
                        "ring-a",
                        "state",
                        "degraded"))
                .isEqualTo(1);
        assertThat(registry.get("lightpath.job.state").gauges()).hasSize(7);
        assertThat(gauge("lightpath.job.waiting.since.seconds", "job", "c", "reason", "InsufficientCapacity"))
                .isEqualTo(Scenes.NOW.getEpochSecond());
        assertThat(registry.find("lightpath.job.waiting.since.seconds")
                        .tag("job", "llm")
                        .gauge())
                .isNull();
        assertThat(gauge("lightpath.job.iteration.seconds", "job", "llm", "which", "predicted"))
                .isEqualTo(2);
        assertThat(gauge("lightpath.job.iteration.seconds", "job", "llm", "which", "measured"))
                .as("what its status took")
                .isEqualTo(2.5);
        assertThat(registry.find("lightpath.job.iteration.seconds")
                        .tags("job", "a", "which", "measured")
                        .gauge())
                .as("its status took nothing")
                .isNull();
        assertThat(gauge("lightpath.job.iteration.seconds", "job", "llm", "which", "bound"))
                .isEqualTo(1);
        assertThat(gauge("lightpath.job.revision", "job", "llm")).isEqualTo(2);
        metrics.each(List.of());
        assertThat(registry.find("lightpath.job.state").gauges()).isEmpty();
    }

    /** The definition refuses one; if it is there all the same, the series of other jobs go on. */
    @Test
    void aJobWithoutASpecHasNone() {
        TrainingJob bare = OperatorScrape.job("bare", "u");
        bare.setSpec(null);
        metrics.each(List.of(bare, OperatorScrape.jobs().getFirst()));
        assertThat(registry.get("lightpath.job.state").gauges()).hasSize(1);
    }

    @Test
    void countsTheTimeWithoutLightThatWasThere() {
        metrics.each(OperatorScrape.jobs());
        pass(1);
        clock.add(Duration.ofSeconds(10));
        pass(4);
        assertThat(dark())
                .as("light that is made for the first time is not missing")
                .isZero();
        clock.add(Duration.ofSeconds(10));
        pass(3);
        clock.add(Duration.ofMillis(1500));
        assertThat(dark()).as("while it lasts").isEqualTo(1.5);
        assertThat(gauge("lightpath.job.circuits", "job", "llm", "state", "lit"))
                .isEqualTo(3);
        pass(4);
        clock.add(Duration.ofSeconds(10));
        assertThat(dark()).isEqualTo(1.5);
        pass(2);
        clock.add(Duration.ofSeconds(1));
        pass(4);
        assertThat(dark()).isEqualTo(2.5);
        metrics.ended();
        assertThat(registry.find("lightpath.job.dark.seconds").functionCounter())
                .isNull();
        assertThat(registry.find("lightpath.job.circuits").gauges()).isEmpty();
    }

    @Test
    void namesAtMostFiveHundredAndThoseInTroubleFirst() {
        List<TrainingJob> jobs = new ArrayList<>();
        for (int number = 0; number < JobSeries.MOST + 20; number++) {
            jobs.add(OperatorScrape.job("waits-" + number, "u" + number));
        }
        jobs.add(OperatorScrape.jobs().get(1));
        metrics.each(jobs);
        assertThat(registry.get("lightpath.job.state").gauges()).hasSize(JobSeries.MOST);
        assertThat(gauge("lightpath.job.state", "job", "a", "state", "degraded"))
                .isEqualTo(1);
        assertThat(gauge("lightpath.job.series.left.out")).isEqualTo(21);
    }
}
