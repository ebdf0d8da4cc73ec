package dev.lightpath.app.publish;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.app.access.Access;
import dev.lightpath.app.access.Caller;
import dev.lightpath.app.access.Door;
import dev.lightpath.app.access.Paced;
import dev.lightpath.app.access.Refused;
import dev.lightpath.app.access.Right;
import dev.lightpath.console.Look;
import dev.lightpath.console.Sight;
import dev.lightpath.crds.ApiGroup;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.reading.StrictJson;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * {@code GET /explain/NAMESPACE/JOB} and {@code POST /plan/NAMESPACE}: what {@code kubectl lightpath} says of a
 * tenant's jobs, for those who may not read nodes and the pods of all namespaces themselves. Slices of others are
 * counted, not named.
 */
@Singleton
public class PreviewRoute {
    /** What the API server takes of one object. */
    private static final int MOST_BYTES = 3 << 20;

    private static final int MOST_JOBS = 8;
    private static final String VERSION = ApiGroup.NAME + "/" + ApiGroup.VERSION;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final StrictJson STRICT = new StrictJson(MOST_BYTES, 128, 1 << 18, MOST_BYTES);

    private final ConsoleLooks looks;
    private final Previews previews;
    private final CallersJobs callersJobs;
    private final Access access;
    private final Door door;

    @Inject
    PreviewRoute(ConsoleLooks looks, Previews previews, CallersJobs callersJobs, Access access, Door door) {
        this.looks = looks;
        this.previews = previews;
        this.callersJobs = callersJobs;
        this.access = access;
        this.door = door;
    }

    void register(@Observes Router router) {
        router.get("/explain/:namespace/:job").handler(this::explain);
        router.post("/plan/:namespace").handler(this::plan);
    }

    private void explain(RoutingContext request) {
        String namespace = part(request, "namespace");
        String job = part(request, "job");
        door.admit(request, caller -> {
            access.require(caller, Right.slices(namespace));
            access.require(caller, Right.jobs(namespace));
            return answer(previews.explain(shown(caller, namespace), namespace, job));
        });
    }

    private void plan(RoutingContext request) {
        String namespace = part(request, "namespace");
        door.receive(
                request, MOST_BYTES, caller -> access.require(caller, Right.createJobs(namespace)), (caller, body) -> {
                    List<TrainingJob> jobs =
                            callersJobs.judged(Access.token(request), namespace, manifests(body, namespace));
                    return answer(previews.plan(shown(caller, namespace), jobs));
                });
    }

    private static String part(RoutingContext request, String name) {
        return Objects.requireNonNull(request.pathParam(name), name);
    }

    private Look shown(Caller caller, String namespace) {
        boolean all = access.may(caller, Right.ALL_SLICES);
        return looks.now().look().as(new Sight(false, other -> all || other.equals(namespace)));
    }

    /** @throws Refused when the body is no list of jobs of the namespace */
    static List<JsonNode> manifests(byte[] body, String namespace) {
        JsonNode list;
        try {
            list = STRICT.read(new ByteArrayInputStream(body), new TypeReference<JsonNode>() {});
        } catch (IllegalArgumentException e) {
            throw new Refused(400, "the body: " + e.getMessage());
        }
        JsonNode items = list.path("items");
        if (!items.isArray() || items.isEmpty() || items.size() > MOST_JOBS) {
            throw new Refused(400, "items: allowed is a list of 1 to " + MOST_JOBS + " TrainingJobs");
        }
        List<JsonNode> jobs = new ArrayList<>();
        for (JsonNode item : items) {
            String at = "items[" + jobs.size() + "].";
            require(item, at, "/kind", TrainingJob.KIND);
            require(item, at, "/apiVersion", VERSION);
            require(item, at, "/metadata/namespace", namespace);
            if (!item.at("/metadata/name").isTextual()) {
                throw new Refused(400, at + "metadata.name: missing, a name is wanted");
            }
            jobs.add(item);
        }
        return jobs;
    }

    private static void require(JsonNode item, String at, String pointer, String allowed) {
        if (!item.at(pointer).asText().equals(allowed)) {
            throw new Refused(400, at + pointer.substring(1).replace('/', '.') + ": allowed here is " + allowed);
        }
    }

    private static Paced answer(Object report) {
        try {
            return new Paced(List.of(JSON.writeValueAsBytes(report)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("records of text and numbers are always JSON", e);
        }
    }
}
