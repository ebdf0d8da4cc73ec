package dev.lightpath.app.lead;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.UUID;

/**
 * Who this process is in elections.
 *
 * @param name of its pod and something random: a restarted container is somebody else
 * @param namespace the operator's own
 */
record Identity(String name, String namespace) {
    private static final String HOME = "lightpath-system";

    static Identity of(Map<String, String> environment, KubernetesClient client) {
        String pod = environment.getOrDefault("POD_NAME", environment.getOrDefault("HOSTNAME", "lightpath-operator"));
        String context = client.getNamespace();
        String namespace = environment.getOrDefault("POD_NAMESPACE", context == null ? HOME : context);
        return new Identity(pod + "-" + UUID.randomUUID().toString().substring(0, 8), namespace);
    }
}
