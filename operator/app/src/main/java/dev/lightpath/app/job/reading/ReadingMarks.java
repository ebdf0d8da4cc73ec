package dev.lightpath.app.job.reading;

import dev.lightpath.app.Home;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.LightpathNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is being read of users' contents, written down in ConfigMap {@code lightpath-readings} before the reading
 * begins. A reading that ends its process leaves its mark there; whichever process leads next does not read that
 * content. A process that stops in order takes its marks with it. Thread-safe.
 */
public final class ReadingMarks {
    private static final Logger LOG = LoggerFactory.getLogger(ReadingMarks.class);

    private final KubernetesClient client;
    private final String namespace;
    /** In the marks of this process, whose end they outlive only if it is killed. */
    private final String process = UUID.randomUUID().toString();

    private final Set<String> open = new HashSet<>();
    private boolean stopped;
    /** Of readings that have ended, whose marks could not be taken away yet. */
    private final Set<String> stale = new HashSet<>();

    /** @param namespace the operator's own */
    ReadingMarks(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    public static ReadingMarks of(KubernetesClient client) {
        return new ReadingMarks(client, Home.namespace(System.getenv(), client));
    }

    /**
     * Marks a content before it is read.
     *
     * @param digest of the content, at most 64 hexadecimal digits
     * @param job whose traffic it is, as namespace/name
     * @return why it is not to be read, in one line; empty when it is marked
     * @throws KubernetesClientException when it cannot be marked: then it is not to be read now
     * @throws IllegalStateException after {@link #stop}
     */
    public synchronized Optional<String> begin(String digest, String job) {
        if (stopped) {
            throw new IllegalStateException("the operator stops, and reads nothing more");
        }
        @Nullable ConfigMap stored = marks().get();
        @Nullable
        String mark = stored == null || stored.getData() == null
                ? null
                : stored.getData().get(digest);
        if (mark != null && !mark.startsWith(process)) {
            LOG.atWarn()
                    .addKeyValue("job", job)
                    .addKeyValue("mark", mark)
                    .log("traffic is not read: an operator ended while it was read");
            return Optional.of("an operator ended while it read this content ("
                    + mark.substring(mark.indexOf(' ') + 1)
                    + "), so it is not read again; change the content, or have an administrator delete key " + digest
                    + " of ConfigMap " + namespace + "/" + LightpathNames.READINGS_CONFIG_MAP);
        }
        open.add(digest);
        stale.remove(digest);
        write(
                stored,
                digest,
                process + " for TrainingJob " + job + " at " + Instant.now().truncatedTo(ChronoUnit.SECONDS));
        return Optional.empty();
    }

    /** The content was read, or refused, and the process goes on. */
    public synchronized void end(String digest) {
        open.remove(digest);
        stale.add(digest);
        takeStale();
    }

    /** This process stops in order: what it still reads is not to blame for it. */
    public synchronized void stop() {
        stopped = true;
        stale.addAll(open);
        open.clear();
        takeStale();
    }

    private void takeStale() {
        if (stale.isEmpty()) {
            return;
        }
        Map<String, @Nullable String> none = new HashMap<>();
        stale.forEach(digest -> none.put(digest, null));
        try {
            patch(none);
            stale.clear();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                stale.clear();
            } else {
                LOG.atWarn().log("marks of readings that ended stay until the next one ends: " + e.getMessage());
            }
        }
    }

    private void write(@Nullable ConfigMap stored, String digest, String mark) {
        if (stored == null) {
            try {
                client.resource(new ConfigMapBuilder()
                                .withNewMetadata()
                                .withNamespace(namespace)
                                .withName(LightpathNames.READINGS_CONFIG_MAP)
                                .addToLabels(LightpathLabels.MANAGED_BY, LightpathLabels.LIGHTPATH)
                                .endMetadata()
                                .addToData(digest, mark)
                                .build())
                        .create();
                return;
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw e;
                }
            }
        }
        patch(Map.of(digest, mark));
    }

    private void patch(Map<String, ? extends @Nullable String> data) {
        marks().patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(Map.of("data", data)));
    }

    private Resource<ConfigMap> marks() {
        return client.configMaps().inNamespace(namespace).withName(LightpathNames.READINGS_CONFIG_MAP);
    }
}
