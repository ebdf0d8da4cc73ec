package dev.lightpath.app.conditions;

import dev.lightpath.crds.FieldManager;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events: the same words about the same object are one that counts. What cannot be told is logged and not worth
 * a retry. From any thread.
 */
public final class EventWriter {
    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);
    /** Events of cluster-scoped objects live there. */
    private static final String CLUSTER_NAMESPACE = "default";

    private static final int LONGEST_MESSAGE = 1024;
    /** Most of an object's name that is part of the event's, which the API server takes up to 253 characters. */
    private static final int LONGEST_NAME = 200;

    private static final int MOST_REMEMBERED = 1024;
    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(FieldManager.STATUS.word())
            .withForce(true)
            .build();

    private record Told(int count, Instant first) {}

    private final KubernetesClient client;
    private final InstantSource clock;
    private final ConcurrentMap<String, Told> told = new ConcurrentHashMap<>();

    public EventWriter(KubernetesClient client, InstantSource clock) {
        this.client = client;
        this.clock = clock;
    }

    public void tell(CustomResource<?, ?> about, ObjectEvent happening) {
        ObjectMeta metadata = about.getMetadata();
        @Nullable String home = metadata.getNamespace();
        String namespace = home == null ? CLUSTER_NAMESPACE : home;
        String name = name(about, happening);
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        if (told.size() > MOST_REMEMBERED) {
            told.clear();
        }
        Told times = told.merge(
                namespace + "/" + name, new Told(1, now), (known, one) -> new Told(known.count() + 1, known.first()));
        try {
            client.resource(new EventBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .withNamespace(namespace)
                            .endMetadata()
                            .withNewInvolvedObject()
                            .withApiVersion(about.getApiVersion())
                            .withKind(about.getKind())
                            .withName(metadata.getName())
                            .withNamespace(home)
                            .withUid(metadata.getUid())
                            .endInvolvedObject()
                            .withType(happening.warning() ? "Warning" : "Normal")
                            .withReason(happening.reason().word())
                            .withMessage(shortened(happening.message()))
                            .withCount(times.count())
                            .withFirstTimestamp(times.first().toString())
                            .withLastTimestamp(now.toString())
                            .withReportingComponent("lightpath.dev/operator")
                            .withNewSource()
                            .withComponent("lightpath-operator")
                            .endSource()
                            .build())
                    .patch(APPLY);
        } catch (KubernetesClientException e) {
            LOG.atWarn()
                    .addKeyValue("about", about.getKind() + "/" + metadata.getName())
                    .addKeyValue("event", happening)
                    .log("an event could not be written: " + e.getMessage());
        }
    }

    private static String name(CustomResource<?, ?> about, ObjectEvent happening) {
        String name = about.getMetadata().getName();
        String words = about.getKind()
                + about.getMetadata().getUid()
                + happening.reason().word()
                + happening.message();
        return name.substring(0, Math.min(name.length(), LONGEST_NAME)) + "." + Integer.toHexString(words.hashCode());
    }

    private static String shortened(String message) {
        return message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE - 4) + " ...";
    }
}
