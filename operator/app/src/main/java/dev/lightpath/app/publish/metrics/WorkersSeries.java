package dev.lightpath.app.publish.metrics;

import dev.lightpath.app.workers.WorkersMeter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** Where searches run, as series. Thread-safe. */
@Singleton
public class WorkersSeries implements WorkersMeter {
    private final MeterRegistry registry;
    private final AtomicInteger workers = new AtomicInteger();

    @Inject
    public WorkersSeries(MeterRegistry registry) {
        this.registry = registry;
        Gauge.builder("lightpath.solver.workers", workers, AtomicInteger::get)
                .description(
                        "Workers for searches that the operator knows and asks; 0 before the first search, and without"
                                + " lightpath.search.workers.")
                .register(registry);
        // known before the first event, so that a rate over them is right
        for (Ending ending : Ending.values()) {
            tries(ending);
        }
        here();
    }

    @Override
    public void tried(Ending ending) {
        tries(ending).increment();
    }

    private Counter tries(Ending ending) {
        return Counter.builder("lightpath.solver.tries")
                .description("Searches that workers were asked for, by what came of it; wrong: the answer was refused.")
                .tag("result", ending.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    @Override
    public void ranHere() {
        here().increment();
    }

    private Counter here() {
        return Counter.builder("lightpath.solver.local")
                .description("Searches that ran in the operator because no worker took them.")
                .register(registry);
    }

    @Override
    public void workers(int number) {
        workers.set(number);
    }
}
