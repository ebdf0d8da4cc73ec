package dev.lightpath.crds.apiserver;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Tells when an API server judges by the admission policies that it stores. It takes them over together, about once a
 * second: a deleted policy still refuses until then. A policy written after that deletion refuses only once the
 * deletion counts.
 */
final class PolicyProbe {
    private static final long PATIENCE_SECONDS = 60;

    private final KubernetesClient client;
    /** One of its own for each probe, as the policy of an earlier one may still refuse. */
    private final String name = "policy-probe-" + UUID.randomUUID();

    PolicyProbe(KubernetesClient client) {
        this.client = client;
    }

    /** Returns once all policies written or deleted before count. Leaves nothing behind. */
    void awaitPoliciesAsWritten() {
        HasMetadata policy = written("""
                ---
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicy
                metadata: {name: %1$s}
                spec:
                  matchConstraints:
                    resourceRules:
                    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
                  validations:
                  - {expression: "object.metadata.name != '%1$s'", message: %1$s}
                """.formatted(name));
        HasMetadata binding = written("""
                ---
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicyBinding
                metadata: {name: %1$s}
                spec: {policyName: %1$s, validationActions: [Deny]}
                """.formatted(name));
        try {
            awaitRefusal();
        } finally {
            client.resource(binding).delete();
            client.resource(policy).delete();
        }
    }

    private HasMetadata written(String yaml) {
        return client.resource(yaml).create();
    }

    private void awaitRefusal() {
        long begun = System.nanoTime();
        while (!isRefused()) {
            if (System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new IllegalStateException("the API server took no policy over in " + PATIENCE_SECONDS + " s");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private boolean isRefused() {
        try {
            client.configMaps()
                    .inNamespace("default")
                    .resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .endMetadata()
                            .build())
                    .dryRun()
                    .create();
            return false;
        } catch (KubernetesClientException e) {
            // else a deleted policy, of anything, still refuses it
            return String.valueOf(e.getMessage()).contains("ValidatingAdmissionPolicy '" + name);
        }
    }
}
