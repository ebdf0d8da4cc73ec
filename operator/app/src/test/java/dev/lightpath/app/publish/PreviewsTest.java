package dev.lightpath.app.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.app.access.Refused;
import dev.lightpath.console.Look;
import dev.lightpath.console.Sight;
import dev.lightpath.crds.fabric.OpticalFabric;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PreviewsTest {
    /** Of a fabric that another replica leads its status is all there is. */
    @Test
    void saysWhereItDoesNotKnowWhichNodesAreClosed() {
        OpticalFabric fabric = Serialization.unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: ring-b}
                status:
                  circuits: {planned: 16, lit: 16, foreign: 3, missing: 0, foreignCircuits: [n1/b0.common->b0.path1]}
                """, OpticalFabric.class);
        Look look = new Look(
                Instant.EPOCH,
                Optional.empty(),
                List.of(fabric),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Map.of(),
                Sight.ALL);
        assertThat(Previews.unknown(look))
                .singleElement()
                .asString()
                .startsWith("fabric ring-b is led by another replica and has 2 more circuits that nobody planned");
        assertThat(Previews.unknown(look.as(new Sight(false, namespace -> true))))
                .isEmpty();
    }

    @Test
    void aSecondQuestionIsRefusedUntilTheFirstIsAnswered() throws InterruptedException {
        Previews previews = new Previews(null, null);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(() -> previews.alone("first", () -> {
            begun.countDown();
            return goOn.await(1, TimeUnit.MINUTES);
        }));
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        assertThatThrownBy(() -> previews.alone("second", () -> true))
                .isInstanceOf(Refused.class)
                .hasMessage("another question is being answered: ask again in a second");
        goOn.countDown();
        assertThat(first.join()).isTrue();
        assertThat(previews.alone("third", () -> true)).isTrue();
    }
}
