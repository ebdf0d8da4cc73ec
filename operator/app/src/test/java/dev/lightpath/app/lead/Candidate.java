package dev.lightpath.app.lead;

import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.cluster.CurrentShare;
import dev.lightpath.app.driver.DriverFleet;
import dev.lightpath.app.driver.FencingEpoch;
import dev.lightpath.app.driver.FleetTimings;
import dev.lightpath.app.loop.PassMeter;
import dev.lightpath.app.loop.Publisher;
import dev.lightpath.app.loop.QuietMeter;
import dev.lightpath.app.solving.AbandonedSearches;
import dev.lightpath.app.solving.SearchMarks;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.world.World;
import dev.lightpath.reading.OcsIntentReader;
import dev.lightpath.reading.RingIntentReader;
import dev.lightpath.tracing.Tracing;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** All that a process needs to lead, without anything that tells of it. */
final class Candidate implements AutoCloseable {
    final FencingEpoch fencing = new FencingEpoch();
    final CurrentShare share = new CurrentShare();
    /** How often jobs were called. */
    final AtomicInteger terms = new AtomicInteger();

    final AtomicInteger begun = new AtomicInteger();
    /** What was planned last. */
    volatile Optional<World> seen = Optional.empty();
    /** Whether it would tell of what it plans. */
    volatile boolean tells;

    final Leadership leadership;
    final DriverFleet fleet = new DriverFleet(
            fencing::held,
            fencing::book,
            FleetTimings.standard(),
            InstantSource.system(),
            new Random(1),
            Tracing.silent());
    private final ClusterInformers informers;

    /** Stands for election at once. */
    Candidate(KubernetesClient client, String name, String namespace, boolean shared) {
        RingIntentReader reader = new RingIntentReader("cluster");
        this.informers = new ClusterInformers(client, reader, new OcsIntentReader("cluster"));
        PassMeter meter = new Deaf();
        this.leadership = new Leadership(
                new TermParts(
                        client,
                        fleet,
                        new Publisher() {
                            @Override
                            public void publish(World world, Deliberation deliberation) {
                                seen = Optional.of(world);
                            }

                            @Override
                            public void begun(BooleanSupplier leads) {
                                tells = true;
                                begun.incrementAndGet();
                            }

                            @Override
                            public void ended() {
                                tells = false;
                            }
                        },
                        meter,
                        new DeltaPlanner(),
                        new AbandonedSearches(meter),
                        SearchMarks.in(Optional.empty()),
                        Tracing.silent(),
                        true),
                () -> reader,
                () -> informers,
                new Identity(name, namespace, "http://10.0.0.1:8080/view"),
                fencing,
                share,
                shared,
                terms::incrementAndGet);
        leadership.start();
    }

    /** Whether it would change a fabric's light now. */
    boolean leads(String fabric) {
        long held = fencing.held();
        return held > 0 && share.get().leads(fabric) && fencing.held() == held;
    }

    @Override
    public void close() {
        leadership.close();
        fleet.close();
        informers.close();
    }

    private static final class Deaf implements QuietMeter {
        @Override
        public void differs() {
            throw new AssertionError("a pass concluded otherwise than from nothing");
        }
    }
}
