package dev.lightpath.app.publish.metrics;

import dev.lightpath.app.publish.status.Unguarded;
import dev.lightpath.reading.AdmissionPolicies;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at start and every minute whether the admission policies of {@code deploy/kubernetes/access} are in force. Without them RBAC
 * alone holds, which gives more than docs/security.md says: whoever may write the status of slices moves light.
 */
@Singleton
public class PolicyWatch implements Unguarded.AdmissionPolicies {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyWatch.class);
    private static final Duration EVERY = Duration.ofMinutes(1);

    private final KubernetesClient client;
    private final FabricMetrics metrics;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("policy-watch").daemon().factory());
    private volatile SortedMap<String, String> told = new TreeMap<>();
    private volatile Runnable listener = () -> {};

    @Inject
    PolicyWatch(KubernetesClient client, FabricMetrics metrics) {
        this.client = client;
        this.metrics = metrics;
    }

    void started(@Observes StartupEvent event) {
        thread.scheduleWithFixedDelay(this::look, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Tells what changed since the last look. */
    private void look() {
        try {
            SortedMap<String, String> missing = missing();
            metrics.policiesMissing(missing.size());
            if (!missing.isEmpty() && !missing.equals(told)) {
                LOG.warn(
                        "admission policies are not in force: {}; more is allowed than docs/security.md says: kubectl"
                                + " apply --server-side -k deploy/kubernetes/access",
                        missing);
            } else if (missing.isEmpty() && !told.isEmpty()) {
                LOG.info("all admission policies are in force");
            }
            boolean changed = !missing.equals(told);
            told = missing;
            if (changed) {
                listener.run();
            }
        } catch (RuntimeException | Error e) {
            // a task that throws is not run again
            LOG.atDebug().setCause(e).log("admission policies not read; they are read again in a minute");
        }
    }

    @Override
    public SortedMap<String, String> notInForce() {
        return Collections.unmodifiableSortedMap(told);
    }

    @Override
    public void listen(Runnable next) {
        listener = next;
    }

    /**
     * Asks for the policies that are not in force, each with why.
     *
     * @throws KubernetesClientException while the API server does not answer
     */
    SortedMap<String, String> missing() {
        SortedMap<String, String> missing = new TreeMap<>();
        AdmissionPolicies.NAMES.forEach(policy -> problem(policy).ifPresent(why -> missing.put(policy, why)));
        return missing;
    }

    private Optional<String> problem(String name) {
        try {
            var api = client.admissionRegistration().v1();
            return AdmissionPolicies.problem(
                    api.validatingAdmissionPolicies().withName(name).get(),
                    api.validatingAdmissionPolicyBindings().withName(name).get());
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return Optional.of("may not be read by the operator");
            }
            throw e;
        }
    }

    @PreDestroy
    void close() {
        thread.shutdownNow();
    }
}
