package dev.lightpath.app.measuring;

import dev.lightpath.app.Home;
import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.cluster.CurrentShare;
import dev.lightpath.app.cluster.ShareOfCluster;
import dev.lightpath.app.driver.FencingEpoch;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the queries of fabrics when they are due, while this process leads. Each is asked on a thread of its own, so
 * that a Prometheus that does not answer holds up no other.
 */
@Singleton
public class QueryRounds {
    private static final Logger LOG = LoggerFactory.getLogger(QueryRounds.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final QueriedTimes times = new QueriedTimes(System::nanoTime);
    private final PrometheusCall call = new PrometheusCall(PATIENCE);
    private final AccessReader access;
    private final Instance<ClusterInformers> watches;
    private final CurrentShare share;
    private final FencingEpoch epoch;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("measurement-queries").daemon().factory());
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();

    @Inject
    QueryRounds(KubernetesClient client, Instance<ClusterInformers> watches, CurrentShare share, FencingEpoch epoch) {
        this.access = new AccessReader(client, Home.namespace(System.getenv(), client));
        this.watches = watches;
        this.share = share;
        this.epoch = epoch;
    }

    @Produces
    @Singleton
    QueriedTimes times() {
        return times;
    }

    void started(@Observes StartupEvent event) {
        clock.scheduleWithFixedDelay(this::look, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            if (epoch.held() > 0) {
                times.due(new ShareOfCluster(watches.get(), share.get()).fabrics())
                        .forEach(due -> calls.execute(() -> ask(due)));
            } else {
                times.forget();
            }
        } catch (RuntimeException | Error e) {
            // whatever it is: the next look is due all the same
            LOG.atWarn().setCause(e).log("queries of fabrics were not asked");
        }
    }

    private void ask(QueriedTimes.Due due) {
        long askedNanos = System.nanoTime();
        QueryAnswer answer = new QueryAnswer.Failed("it could not be asked; the log of the operator says why");
        try {
            answer = call.ask(due.query(), access.read(due.query().secretName()));
        } catch (AccessReader.Unusable e) {
            answer = new QueryAnswer.Failed(String.valueOf(e.getMessage()));
        } catch (KubernetesClientException e) {
            answer = new QueryAnswer.Failed("its Secret could not be read");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.atWarn().addKeyValue("fabric", due.fabric()).setCause(e).log("its query was not asked");
        } finally {
            times.answered(due, answer, askedNanos);
        }
    }

    @PreDestroy
    void close() {
        clock.shutdownNow();
        calls.shutdownNow();
    }
}
