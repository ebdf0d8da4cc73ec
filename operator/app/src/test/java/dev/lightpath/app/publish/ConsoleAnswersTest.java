package dev.lightpath.app.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.app.access.Refused;
import dev.lightpath.console.Look;
import dev.lightpath.console.Sight;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class ConsoleAnswersTest {
    private static final String WAITING = """
            apiVersion: lightpath.dev/v1alpha1
            kind: TrainingJob
            metadata: {name: llm, namespace: team, uid: u}
            spec: {model: {preset: gpt-7b}, parallelism: {tensor: 8}, scaleUp: {fabric: ring-a}}
            """;

    private static final String SLICE = """
            apiVersion: lightpath.dev/v1alpha1
            kind: FabricSlice
            metadata: {name: llm-ring-a-1, namespace: slices}
            spec:
              fabric: ring-a
              job: {name: other, uid: v, attempt: 1}
              demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}
            """;

    private static Look look(Predicate<String> namespaces) {
        return new Look(
                Instant.EPOCH,
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(Serialization.unmarshal(WAITING, TrainingJob.class)),
                List.of(Serialization.unmarshal(SLICE, FabricSlice.class)),
                List.of(),
                List.of(),
                Map.of(),
                new Sight(true, namespaces));
    }

    /** The answer looks for slices that are shown: that of the first question waits until it may go on. */
    private record Slow(CountDownLatch begun, CountDownLatch goOn) implements Predicate<String> {
        @Override
        public boolean test(String namespace) {
            if (!namespace.equals("slices")) {
                return true;
            }
            begun.countDown();
            try {
                return goOn.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void aSecondQuestionIsRefusedUntilTheFirstIsAnswered() throws InterruptedException {
        ConsoleAnswers answers = new ConsoleAnswers(null);
        Slow slow = new Slow(new CountDownLatch(1), new CountDownLatch(1));
        CompletableFuture<ConsoleAnswers.Lines> first =
                CompletableFuture.supplyAsync(() -> answers.explain(look(slow), "team", "llm"));
        assertThat(slow.begun().await(1, TimeUnit.MINUTES)).isTrue();
        Look other = look(namespace -> true);
        assertThatThrownBy(() -> answers.explain(other, "team", "llm"))
                .isInstanceOf(Refused.class)
                .hasMessage("another question is being answered: ask again in a second");
        slow.goOn().countDown();
        assertThat(first.join().lines()).isNotEmpty();
        assertThat(answers.explain(other, "team", "llm").lines()).isNotEmpty();
    }
}
