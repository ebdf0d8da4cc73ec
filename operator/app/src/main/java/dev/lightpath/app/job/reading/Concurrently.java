package dev.lightpath.app.job.reading;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Many small calls to the API server, a few at a time. */
public final class Concurrently {
    public static final int AT_A_TIME = 16;

    private Concurrently() {}

    /** The answers by argument, in the order asked. The first failure is thrown once all calls have ended. */
    public static <A, B> Map<A, B> map(Collection<A> arguments, Function<A, B> call) {
        Map<A, Future<B>> futures = new LinkedHashMap<>();
        if (arguments.isEmpty()) {
            return Map.of();
        }
        try (var pool = Executors.newFixedThreadPool(
                Math.min(AT_A_TIME, arguments.size()), Thread.ofVirtual().factory())) {
            arguments.forEach(argument -> futures.put(argument, pool.submit(() -> call.apply(argument))));
        }
        Map<A, B> answers = new LinkedHashMap<>();
        futures.forEach((argument, future) -> answers.put(argument, answer(future)));
        return answers;
    }

    static <B> B answer(Future<B> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException("a call to the API server failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while calling the API server", e);
        }
    }
}
