package dev.lightpath.app.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.app.access.Refused;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PreviewsTest {
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
