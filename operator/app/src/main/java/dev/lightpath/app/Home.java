package dev.lightpath.app;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;

/** The operator's own namespace. */
public final class Home {
    private static final String USUAL = "lightpath-system";

    private Home() {}

    /** Of this process: its pod's, else the client's. */
    public static String namespace(Map<String, String> environment, KubernetesClient client) {
        String context = client.getNamespace();
        return environment.getOrDefault("POD_NAMESPACE", context == null ? USUAL : context);
    }
}
