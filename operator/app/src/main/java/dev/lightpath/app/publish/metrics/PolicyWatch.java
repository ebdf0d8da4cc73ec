package dev.lightpath.app.publish.metrics;

import dev.lightpath.app.publish.status.Unguarded.AdmissionPolicies;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
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
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at start and every minute whether the admission policies of {@code deploy/kubernetes/access} are in force. Without them RBAC
 * alone holds, which gives more than docs/security.md says: whoever may write the status of slices moves light.
 */
@Singleton
public class PolicyWatch implements AdmissionPolicies {
    /** Each has a binding of the same name. */
    static final List<String> POLICIES = List.of(
            "lightpath-acts",
            "lightpath-ledger",
            "lightpath-operator-jobsets",
            "lightpath-operator-nodes",
            "lightpath-operator-objects",
            "lightpath-operator-pods",
            "lightpath-pods",
            "lightpath-slices",
            "lightpath-use",
            "lightpath-workloads");

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
                        "admission policies are not in force: {}; more is allowed than docs/security.md says: kubectl apply"
                                + " --server-side -k deploy/kubernetes/access",
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
        POLICIES.forEach(policy -> problem(policy).ifPresent(why -> missing.put(policy, why)));
        return missing;
    }

    private Optional<String> problem(String name) {
        try {
            var api = client.admissionRegistration().v1();
            return problem(
                    api.validatingAdmissionPolicies().withName(name).get(),
                    api.validatingAdmissionPolicyBindings().withName(name).get());
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return Optional.of("may not be read by the operator");
            }
            throw e;
        }
    }

    private static Optional<String> problem(
            @Nullable ValidatingAdmissionPolicy policy, @Nullable ValidatingAdmissionPolicyBinding binding) {
        if (policy == null) {
            return Optional.of("is not there");
        }
        if (!"Fail".equals(policy.getSpec().getFailurePolicy())) {
            return Optional.of("has failurePolicy " + policy.getSpec().getFailurePolicy() + ", not Fail");
        }
        if (binding == null) {
            return Optional.of("has no binding of its name");
        }
        return binding.getSpec().getValidationActions().contains("Deny")
                ? Optional.empty()
                : Optional.of("has a binding that does not deny");
    }

    @PreDestroy
    void close() {
        thread.shutdownNow();
    }
}
