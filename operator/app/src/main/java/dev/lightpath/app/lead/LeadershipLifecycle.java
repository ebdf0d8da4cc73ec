package dev.lightpath.app.lead;

import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.cluster.CurrentShare;
import dev.lightpath.app.driver.DriverFleet;
import dev.lightpath.app.driver.FencingEpoch;
import dev.lightpath.app.job.TrainingJobReconciler;
import dev.lightpath.app.loop.PassMeter;
import dev.lightpath.app.loop.Publisher;
import dev.lightpath.app.solving.AbandonedSearches;
import dev.lightpath.app.solving.SearchMarks;
import dev.lightpath.planner.delta.TopologyPlanner;
import dev.lightpath.reading.RingIntentReader;
import dev.lightpath.tracing.Tracing;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ties leadership to the life of the process: reconcilers start with its first term, and rest by themselves while it
 * does not lead.
 */
@ApplicationScoped
@Readiness
public class LeadershipLifecycle implements HealthCheck {

    private final Leadership leadership;
    private final TrainingJobReconciler jobs;
    private final Operator operator;

    LeadershipLifecycle(
            KubernetesClient client,
            Instance<RingIntentReader> readers,
            Instance<ClusterInformers> watches,
            DriverFleet fleet,
            FencingEpoch fencing,
            CurrentShare share,
            Publisher publisher,
            PassMeter meter,
            TopologyPlanner planner,
            Tracing tracing,
            @ConfigProperty(name = "lightpath.search.marks") Optional<String> marks,
            @ConfigProperty(name = "lightpath.verify-planning", defaultValue = "false") boolean verify,
            @ConfigProperty(name = "lightpath.share-fabrics", defaultValue = "false") boolean shared,
            TrainingJobReconciler jobs,
            Operator operator) {
        this.operator = operator;
        this.jobs = jobs;
        this.leadership = new Leadership(
                new TermParts(
                        client,
                        fleet,
                        publisher,
                        meter,
                        planner,
                        new AbandonedSearches(meter),
                        SearchMarks.in(marks.map(Path::of)),
                        tracing,
                        verify),
                readers::get,
                watches::get,
                Identity.of(System.getenv(), client),
                fencing,
                share,
                shared,
                this::lead);
    }

    void started(@Observes StartupEvent event) {
        leadership.start();
    }

    void stopping(@Observes ShutdownEvent event) {
        leadership.close();
        if (operator.getRuntimeInfo().isStarted()) {
            operator.stop();
        }
    }

    private void lead() {
        if (operator.getRegisteredControllersNumber() > 0
                && !operator.getRuntimeInfo().isStarted()) {
            operator.start();
        }
        jobs.begun();
    }

    /** How long ago the last planning pass ended; empty while this process does not lead. */
    Optional<Duration> sinceLastPass() {
        return leadership.sinceLastPass();
    }

    /**
     * Ready once the cluster was read, unless planning fails; a process that waits for the Lease is ready too. Every
     * caller may ask, so the reason of a failure is only in the log.
     */
    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("cluster read")
                .status(leadership.standing() && leadership.failure().isEmpty())
                .build();
    }
}
