package dev.lightpath.cli.cluster.driver;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.DriverUse;
import dev.lightpath.console.text.BadInput;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * The drivers of one fabric, some asked at a time. Of thousands of agents some are always away: one that does not
 * answer is left out and remembered. Any other driver that does not answer ends the command.
 */
final class DriverLines {
    private static final int AT_ONCE = 32;

    private final Cluster cluster;
    private final DriverAdmin admin;
    private final SortedMap<String, String> away = new ConcurrentSkipListMap<>();

    DriverLines(Cluster cluster, DriverAdmin admin) {
        this.cluster = cluster;
        this.admin = admin;
    }

    /** Agents that did not answer a question, and why, by endpoint. */
    SortedMap<String, String> away() {
        return away;
    }

    /**
     * Asks all of them the same.
     *
     * @return in the order of the drivers, without agents that did not answer
     * @throws BadInput when a driver that is no agent does not answer, or none of the agents does
     */
    <T> Map<DriverUse, T> ask(Collection<DriverUse> drivers, Function<DriverLine, T> question) {
        ExecutorService threads =
                Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory());
        try {
            Map<DriverUse, Future<T>> asked = new LinkedHashMap<>();
            drivers.forEach(driver -> asked.put(driver, threads.submit(() -> ask(driver, question))));
            Map<DriverUse, T> answers = new LinkedHashMap<>();
            List<BadInput> failures = new ArrayList<>();
            asked.forEach((driver, future) -> {
                try {
                    answers.put(driver, future.get());
                } catch (ExecutionException e) {
                    failures.add(failure(driver, e));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new BadInput("interrupted", e);
                }
            });
            Optional<BadInput> first = failures.stream().findFirst();
            if (first.isPresent() && answers.isEmpty()) {
                throw first.get();
            }
            return answers;
        } finally {
            threads.shutdownNow();
        }
    }

    private <T> T ask(DriverUse driver, Function<DriverLine, T> question) {
        try (DriverLine line = DriverLine.open(cluster, driver, admin.credentials(cluster, driver))) {
            return question.apply(line);
        }
    }

    /** @throws RuntimeException the failure if it is not an agent's, as when the API server forbids to read a Secret */
    private BadInput failure(DriverUse driver, ExecutionException e) {
        return switch (e.getCause()) {
            case BadInput failure
            when driver.agent() -> {
                away.put(driver.endpoint(), String.valueOf(failure.getMessage()));
                yield failure;
            }
            case RuntimeException failure -> throw failure;
            case null, default ->
                throw new IllegalStateException("asking " + driver.endpoint() + " failed", e.getCause());
        };
    }
}
