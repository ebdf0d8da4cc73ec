package dev.lightpath.app.driver;

import dev.lightpath.tracing.Tracing;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Random;

/** The application's fleet and the epoch it writes under. */
@Singleton
final class DriverFleetProducer {
    @Produces
    @Singleton
    FencingEpoch epoch() {
        return new FencingEpoch();
    }

    /** Seeded by the moment: replicas must not come back to a restarted driver in step. */
    @Produces
    @Singleton
    DriverFleet fleet(FencingEpoch epoch, Tracing tracing) {
        return new DriverFleet(
                epoch::held,
                epoch::book,
                FleetTimings.standard(),
                InstantSource.system(),
                new Random(System.nanoTime()),
                tracing);
    }

    void close(@Disposes DriverFleet fleet) {
        fleet.close();
    }
}
