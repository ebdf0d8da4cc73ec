package dev.lightpath.app.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.reading.TemplateSize;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class TemplatePaceTest {
    private static final int LARGE = 512 * 1024;
    private static final long START = -5_000_000_000L;

    private final TemplatePace pace = new TemplatePace();
    private final Predicate<ResourceID> all = job -> true;

    @Test
    void aFewLargeTemplatesAreServedAtOnceAndTheNextInTurn() {
        int atOnce = TemplatePace.AT_ONCE / LARGE;
        for (int number = 0; number < atOnce; number++) {
            assertThat(ask("many", number, START)).isZero();
        }
        Duration each = Duration.ofSeconds(LARGE / TemplatePace.BYTES_A_SECOND);
        assertThat(ask("many", 101, START)).isLessThan(Duration.ofMillis(1)).isPositive();
        assertThat(ask("many", 102, START)).isBetween(each, each.plusMillis(1));
        assertThat(ask("many", 103, START))
                .isBetween(each.multipliedBy(2), each.multipliedBy(2).plusMillis(1));
        assertThat(pace.ask(job("many", 104), TemplateSize.USUAL, START, all))
                .as("of the usual size")
                .isZero();
        assertThat(ask("few", 0, START)).as("of another namespace").isZero();

        long later = START + Duration.ofMillis(1).toNanos();
        assertThat(ask("many", 101, later)).isZero();
        assertThat(ask("many", 102, later)).isBetween(each.minusMillis(1), each.plusMillis(1));
    }

    @Test
    void jobsThatAreGoneHoldNoPlace() {
        for (int number = 0; number < 1000; number++) {
            ask("many", number, START);
        }
        Duration queue = pace.ask(job("many", 2000), LARGE, START, all);
        assertThat(queue).isEqualTo(TemplatePace.LONGEST);
        Duration alone = pace.ask(job("many", 2000), LARGE, START, gone -> false);
        assertThat(alone).isLessThan(Duration.ofMillis(1));
    }

    @Test
    void aJobThatNoLongerAsksKeepsNoOtherFromItsTurn() {
        ask("many", 0, START);
        ask("many", 1, START);
        assertThat(ask("many", 2, START)).as("asks no more").isPositive();
        assertThat(ask("many", 3, START)).isPositive();
        assertThat(ask("many", 3, START + Duration.ofSeconds(30).toNanos())).isZero();
    }

    private record Call(long at, ResourceID job, int size) {}

    /**
     * Whoever asks how often: in no time is more served than the pace allows, each is served, in the order of the first
     * question.
     */
    @Test
    void keepsThePaceHoweverOftenItIsAsked() {
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            TemplatePace asked = new TemplatePace();
            PriorityQueue<Call> calls = new PriorityQueue<>((a, b) -> Long.compare(a.at(), b.at()));
            for (int number = 0; number < 60; number++) {
                calls.add(new Call(
                        random.nextLong(20_000_000_000L), job("many", number), 20_000 + random.nextInt(1_000_000)));
            }
            List<ResourceID> first = new ArrayList<>();
            List<Call> served = new ArrayList<>();
            while (!calls.isEmpty()) {
                Call call = calls.poll();
                if (!first.contains(call.job())) {
                    first.add(call.job());
                }
                Duration wait = asked.ask(call.job(), call.size(), call.at(), all);
                if (wait.isZero()) {
                    served.add(call);
                } else {
                    boolean early = random.nextInt(3) == 0;
                    calls.add(new Call(
                            call.at() + (early ? random.nextLong(wait.toNanos()) + 1 : wait.toNanos()),
                            call.job(),
                            call.size()));
                }
            }
            assertThat(served.stream().map(Call::job)).as("seed %d", seed).containsExactlyElementsOf(first);
            for (int from = 0; from < served.size(); from++) {
                long bytes = 0;
                for (int to = from; to < served.size(); to++) {
                    double seconds = (served.get(to).at() - served.get(from).at()) / 1e9;
                    assertThat(bytes)
                            .as("seed %d, before request %d, from %d", seed, to, from)
                            .isLessThan((long) (TemplatePace.AT_ONCE + TemplatePace.BYTES_A_SECOND * seconds) + 1);
                    bytes += served.get(to).size();
                }
            }
        }
    }

    private Duration ask(String namespace, int number, long now) {
        return pace.ask(job(namespace, number), LARGE, now, all);
    }

    private static ResourceID job(String namespace, int number) {
        return new ResourceID("job-" + number, namespace);
    }
}
