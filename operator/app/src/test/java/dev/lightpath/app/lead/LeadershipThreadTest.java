package dev.lightpath.app.lead;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeadershipThreadTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    private final LeadershipThread thread = new LeadershipThread();

    @AfterEach
    void end() {
        thread.end();
    }

    @Test
    void repeatsATaskThatFailed() throws InterruptedException {
        AtomicInteger attempts = new AtomicInteger();
        CountDownLatch again = new CountDownLatch(1);
        thread.repeat(
                () -> {
                    switch (attempts.incrementAndGet()) {
                        case 1 -> throw new IllegalStateException("first");
                        case 2 -> throw new AssertionError("second");
                        default -> again.countDown();
                    }
                },
                Duration.ZERO,
                SHORT);
        assertTrue(again.await(10, TimeUnit.SECONDS), "it was not done again");
    }

    @Test
    void repeatsNothingOnceItHasEnded() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();
        thread.repeat(
                () -> {
                    attempts.incrementAndGet();
                    begun.countDown();
                },
                Duration.ZERO,
                Duration.ofMinutes(1));
        assertTrue(begun.await(10, TimeUnit.SECONDS), "it was not done");
        thread.end();
        thread.repeat(attempts::incrementAndGet, Duration.ZERO, SHORT);
        assertTrue(thread.executor().awaitTermination(10, TimeUnit.SECONDS), "it goes on");
        assertEquals(1, attempts.get());
    }
}
