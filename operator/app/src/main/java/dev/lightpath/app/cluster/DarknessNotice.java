package dev.lightpath.app.cluster;

import dev.lightpath.app.loop.Announcer;
import dev.lightpath.crds.FieldManager;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.planner.engine.Decision;
import dev.lightpath.planner.light.Stage;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes {@code lightpath.dev/dark-until} on the nodes of a change before it starts, so that link monitors stay quiet. A
 * repair hardly waits for it: the light it moves is broken already.
 */
public final class DarknessNotice implements Announcer, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DarknessNotice.class);
    /** Longer than any device takes to switch. */
    private static final Duration DARKNESS = Duration.ofSeconds(30);

    private static final Duration REPAIR_WAITS = Duration.ofMillis(20);
    private static final Duration OTHERS_WAIT = Duration.ofSeconds(1);
    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(FieldManager.NODE.word())
            .withForce(true)
            .build();

    private final KubernetesClient client;
    private final InstantSource clock;
    private final ExecutorService writers = Executors.newFixedThreadPool(
            8, Thread.ofVirtual().name("notice-", 0).factory());

    public DarknessNotice(KubernetesClient client, InstantSource clock) {
        this.client = client;
        this.clock = clock;
    }

    @Override
    public void announce(Decision.Apply change, Runnable then) {
        if (change.darkens().isEmpty()) {
            then.run();
            return;
        }
        Instant until = clock.instant().plus(DARKNESS).truncatedTo(ChronoUnit.SECONDS);
        CompletableFuture<?>[] told = change.darkens().stream()
                .map(node -> CompletableFuture.runAsync(() -> tell(node, until), writers))
                .toArray(CompletableFuture[]::new);
        Duration patience = change.stage().cause() == Stage.Cause.REPAIR ? REPAIR_WAITS : OTHERS_WAIT;
        var unused = CompletableFuture.allOf(told)
                .completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((done, failure) -> then.run());
    }

    private void tell(String node, Instant until) {
        try {
            client.resource(new NodeBuilder()
                            .withNewMetadata()
                            .withName(node)
                            .addToAnnotations(LightpathAnnotations.DARK_UNTIL, until.toString())
                            .endMetadata()
                            .build())
                    .patch(APPLY);
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue("node", node)
                    .addKeyValue("failure", e.getMessage())
                    .log("planned darkness could not be announced");
        }
    }

    @Override
    public void close() {
        writers.shutdown();
    }
}
