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
 * Looks at start and every minute whether the admission policies of {@code deploy/kubernetes/access} are in force.
 * Without them RBAC alone holds, which gives more than docs/security.md says: whoever may write the status of slices
 * moves light.
 */
@Singleton
public class PolicyWatch implements Unguarded.AdmissionPolicies {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyWatch.class);
    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);

    private final KubernetesClient client;
    private final FabricMetrics metrics;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("policy-watch").daemon().factory());
    private volatile Optional<SortedMap<String, String>> told = Optional.empty();
    private volatile Runnable listener = () -> {};

    @Inject
    PolicyWatch(KubernetesClient client, FabricMetrics metrics) {
        this.client = client;
        this.metrics = metrics;
    }

    void started(@Observes StartupEvent event) {
        thread.execute(this::look);
    }

    /** Tells what changed since the last look. */
    private void look() {
        Duration next = AFTER_FAILURE;
        try {
            SortedMap<String, String> missing = missing();
            metrics.policiesMissing(missing.size());
            Optional<SortedMap<String, String>> before = told;
            told = Optional.of(Collections.unmodifiableSortedMap(missing));
            if (!told.equals(before)) {
                tell(missing, before.isPresent());
                listener.run();
            }
            next = EVERY;
        } catch (RuntimeException | Error e) {
            // whatever it is: the next look is due all the same
            LOG.atDebug().setCause(e).log("admission policies not read; they are read again in {}", next);
        }
        if (!thread.isShutdown()) {
            thread.schedule(this::look, next.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** @param again whether it was told before */
    private static void tell(SortedMap<String, String> missing, boolean again) {
        if (!missing.isEmpty()) {
            LOG.warn(
                    "admission policies are not in force: {}; more is allowed than docs/security.md says: {}",
                    missing,
                    AdmissionPolicies.APPLY);
        } else if (again) {
            LOG.info("all admission policies are in force");
        }
    }

    @Override
    public Optional<SortedMap<String, String>> notInForce() {
        return told;
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
