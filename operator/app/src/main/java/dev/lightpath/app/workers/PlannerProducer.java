package dev.lightpath.app.workers;

import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.TopologyPlanner;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The application's planner of circuits: in this process, or at workers if the settings name them. */
@Singleton
final class PlannerProducer {
    /**
     * Long enough for a worker that just starts. Less than half of the ten seconds that a search has by default, so
     * that it is searched here in the rest, and less than the grace of whoever waits for a search that is to stop.
     */
    static final Duration PATIENCE = Duration.ofSeconds(4);

    /** More than a worker gives a process to stop, less than the pool gives us. */
    private static final Duration STOP_PATIENCE = Duration.ofMillis(4500);

    @Produces
    @Singleton
    TopologyPlanner planner(
            @ConfigProperty(name = "lightpath.search.workers") Optional<String> workers,
            @ConfigProperty(name = "lightpath.search.tls") Optional<String> tls,
            WorkersMeter meter) {
        TopologyPlanner here = new DeltaPlanner();
        if (workers.isEmpty()) {
            return here;
        }
        WorkersAddress address = WorkersAddress.of(workers.get(), tls.map(Path::of));
        return new WorkerPlanner(
                new Workers(address, InetAddress::getAllByName, meter, System::nanoTime),
                here,
                meter,
                PATIENCE,
                STOP_PATIENCE);
    }

    void close(@Disposes TopologyPlanner planner) {
        if (planner instanceof WorkerPlanner workers) {
            workers.close();
        }
    }
}
