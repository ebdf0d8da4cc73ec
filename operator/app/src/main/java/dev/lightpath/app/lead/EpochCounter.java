package dev.lightpath.app.lead;

import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.LightpathNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Map;

/**
 * The fencing epoch in ConfigMap {@code lightpath-epoch}: raised by compare-and-set, so no two terms ever get the same
 * one. A Lease's transitions would not do: they stay when the same identity returns and restart with a new Lease.
 */
public final class EpochCounter {
    private static final int ATTEMPTS = 20;

    private final KubernetesClient client;
    private final String namespace;
    private final String view;

    /**
     * @param namespace the operator's own
     * @param view URL at which this process shows its last World: whoever wins says where to look
     */
    public EpochCounter(KubernetesClient client, String namespace, String view) {
        this.client = client;
        this.namespace = namespace;
        this.view = view;
    }

    /**
     * Raises the counter and returns its new value, above what it was and above the floor.
     *
     * @throws IllegalStateException when what is stored is no number, or others keep raising it
     */
    public long raiseAbove(long floor) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            ConfigMap stored = client.configMaps()
                    .inNamespace(namespace)
                    .withName(LightpathNames.EPOCH_CONFIG_MAP)
                    .get();
            long next = Math.max(floor, stored == null ? 0 : value(stored)) + 1;
            try {
                store(stored, next);
                return next;
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw e;
                }
            }
        }
        throw new IllegalStateException("ConfigMap " + namespace + "/" + LightpathNames.EPOCH_CONFIG_MAP
                + " is being raised by others all the time");
    }

    private void store(@org.jspecify.annotations.Nullable ConfigMap stored, long next) {
        Map<String, String> data = Map.of(LightpathNames.EPOCH_KEY, Long.toString(next), LightpathNames.VIEW_KEY, view);
        if (stored == null) {
            client.resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withNamespace(namespace)
                            .withName(LightpathNames.EPOCH_CONFIG_MAP)
                            .addToLabels(LightpathLabels.MANAGED_BY, LightpathLabels.LIGHTPATH)
                            .endMetadata()
                            .withData(data)
                            .build())
                    .create();
            return;
        }
        ConfigMap raised = new ConfigMapBuilder(stored).addToData(data).build();
        client.resource(raised)
                .lockResourceVersion(stored.getMetadata().getResourceVersion())
                .update();
    }

    private long value(ConfigMap stored) {
        String text = stored.getData() == null ? null : stored.getData().get(LightpathNames.EPOCH_KEY);
        if (text == null) {
            return 0;
        }
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalStateException(
                    "ConfigMap " + namespace + "/" + LightpathNames.EPOCH_CONFIG_MAP + ": epoch '" + text
                            + "' is no whole number; write one above the epochs that drivers report",
                    e);
        }
    }
}
