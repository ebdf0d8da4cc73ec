package dev.lightpath.app.cluster;

import dev.lightpath.app.Patches;
import dev.lightpath.app.loop.PlannedDarkness;
import dev.lightpath.crds.FieldManager;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.Stage;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes {@code lightpath.dev/dark-until} on the nodes of a change before it starts, so that link monitors stay quiet,
 * and shortens it once the device has its outcome. A repair hardly waits for it: the light it moves is broken already,
 * and its nodes are told while it is being recorded. What is told ahead and afterwards goes out a few at a time, so
 * that the records of many repairs do not stand in line behind it; darkness that is over by then is not told at all. Its
 * end is told a moment later: the processors are the light's that is made beside. Nothing is told any more once another
 * process may lead, which tells of the same nodes.
 */
public final class DarknessAnnotations implements PlannedDarkness, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DarknessAnnotations.class);
    /** Longer than any device takes to switch: a robot that patches fibres has two minutes. */
    static final Duration DARKNESS = Duration.ofSeconds(150);

    private static final Duration REPAIR_WAITS = Duration.ofMillis(20);
    private static final Duration OTHERS_WAIT = Duration.ofSeconds(1);
    /** What was foretold and does not come within this time is taken back. */
    private static final Duration FORETOLD = Duration.ofSeconds(5);
    /** As long as the last device of a repair mostly needs after the first. */
    private static final Duration END_WAITS = Duration.ofMillis(250);

    /** Of a Node it costs the API server two thirds of a server-side apply. */
    private static final PatchContext MERGE = Patches.strategic(FieldManager.NODE);

    private final BiConsumer<String, Instant> nodes;
    private final BooleanSupplier held;
    private final InstantSource clock;
    private final Duration patience;
    /** Until when darkness was announced, by node; without those whose darkness is over. */
    private final ConcurrentMap<String, Instant> announced = new ConcurrentHashMap<>();
    /** Those of them of which no write has begun: where the darkness ends before, nobody is told of it. */
    private final ConcurrentMap<String, Instant> unwritten = new ConcurrentHashMap<>();
    /** Those of them that were foretold and have not come yet. */
    private final ConcurrentMap<String, Instant> foretold = new ConcurrentHashMap<>();
    /** Nodes that were told of darkness and not of its end. */
    private final Set<String> toldDark = ConcurrentHashMap.newKeySet();
    /** Those that were foretold last without a change that came: not foretold again before one does. */
    private final Set<String> vain = ConcurrentHashMap.newKeySet();
    /** Since when the darkness of a node is over, until that is told. */
    private final ConcurrentMap<String, Instant> over = new ConcurrentHashMap<>();
    /** The last write of each node: one comes after the other. */
    private final ConcurrentMap<String, CompletableFuture<Void>> writes = new ConcurrentHashMap<>();

    /** Of changes that wait for it. */
    private final ExecutorService writers = Executors.newFixedThreadPool(
            8, Thread.ofVirtual().name("notice-", 0).factory());
    /** Of what nobody waits for yet, or any more. */
    private final ExecutorService beside = Executors.newFixedThreadPool(
            2, Thread.ofVirtual().name("notice-beside-", 0).factory());

    /** @param held whether darkness still is this process's to tell */
    public DarknessAnnotations(KubernetesClient client, BooleanSupplier held, InstantSource clock) {
        this((node, until) -> annotate(client, node, until), held, clock, FORETOLD);
    }

    /**
     * @param nodes writes until when a node is dark
     * @param held whether darkness still is this process's to tell
     * @param patience with what was foretold
     */
    DarknessAnnotations(
            BiConsumer<String, Instant> nodes, BooleanSupplier held, InstantSource clock, Duration patience) {
        this.nodes = nodes;
        this.held = held;
        this.clock = clock;
        this.patience = patience;
    }

    private static void annotate(KubernetesClient client, String node, Instant until) {
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(node)
                        .endMetadata()
                        .build())
                .patch(
                        MERGE,
                        Serialization.asJson(Map.of(
                                "metadata",
                                Map.of("annotations", Map.of(LightpathAnnotations.DARK_UNTIL, until.toString())))));
    }

    @Override
    public void announce(Decision.Apply change, Runnable then) {
        if (change.darkens().isEmpty()) {
            then.run();
            return;
        }
        Instant until = end();
        vain.removeAll(change.darkens());
        CompletableFuture<?>[] told = change.darkens().stream()
                .map(node -> isForetold(node) ? written(node) : announce(node, until, writers))
                .toArray(CompletableFuture[]::new);
        Duration patience = change.stage().cause() == Stage.Cause.REPAIR ? REPAIR_WAITS : OTHERS_WAIT;
        var unused = CompletableFuture.allOf(told)
                .completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((done, failure) -> then.run());
    }

    private Instant end() {
        return clock.instant().plus(DARKNESS).truncatedTo(ChronoUnit.SECONDS);
    }

    private CompletableFuture<Void> announce(String node, Instant until, Executor by) {
        announced.put(node, until);
        unwritten.put(node, until);
        Runnable told = () -> {
            if (unwritten.remove(node, until)) {
                toldDark.add(node);
                tell(node, until);
            }
        };
        return write(node, told, by);
    }

    /** Whether what was foretold stands: another change of the same node may have ended since. */
    private boolean isForetold(String node) {
        Instant until = foretold.remove(node);
        return until != null && until.equals(announced.get(node));
    }

    private CompletableFuture<Void> written(String node) {
        return writes.getOrDefault(node, CompletableFuture.completedFuture(null));
    }

    @Override
    public void foretell(SortedSet<String> darkened) {
        Instant until = end();
        List<String> told = darkened.stream().filter(this::isForetellable).toList();
        for (String node : told) {
            foretold.put(node, until);
            var unused = announce(node, until, beside);
        }
        if (!told.isEmpty()) {
            CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS, beside)
                    .execute(() -> told.forEach(node -> takeBack(node, until)));
        }
    }

    /** Not while it is dark by a change under way, whose announcement is not to be taken back with this one. */
    private boolean isForetellable(String node) {
        Instant dark = announced.get(node);
        return !vain.contains(node) && (dark == null || dark.isBefore(clock.instant()));
    }

    private void takeBack(String node, Instant until) {
        if (foretold.remove(node, until)) {
            vain.add(node);
            if (announced.remove(node, until)) {
                Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
                var unused = write(node, () -> tellEnd(node, now), beside);
            }
        }
    }

    @Override
    public void over(DeviceId device) {
        String node = device.device();
        Instant until = announced.remove(node);
        if (until != null && unwritten.remove(node, until) && !toldDark.contains(node)) {
            return;
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        if (until != null && now.isBefore(until)) {
            over.put(node, now);
            CompletableFuture.delayedExecutor(END_WAITS.toMillis(), TimeUnit.MILLISECONDS, beside)
                    .execute(() -> tellOver(node));
        }
    }

    /** Once, and not where the next darkness was announced meanwhile: that is written after. */
    private void tellOver(String node) {
        Instant since = over.remove(node);
        if (since != null) {
            Runnable told = () -> {
                if (!announced.containsKey(node)) {
                    tellEnd(node, since);
                }
            };
            var unused = write(node, told, beside);
        }
    }

    private void tellEnd(String node, Instant since) {
        toldDark.remove(node);
        tell(node, since);
    }

    private CompletableFuture<Void> write(String node, Runnable told, Executor by) {
        CompletableFuture<Void> last = writes.compute(
                node,
                (same, before) -> (before == null ? CompletableFuture.<Void>completedFuture(null) : before)
                        .thenRunAsync(told, by));
        var unused = last.whenComplete((done, failure) -> writes.remove(node, last));
        return last;
    }

    private void tell(String node, Instant until) {
        if (!held.getAsBoolean()) {
            return;
        }
        try {
            nodes.accept(node, until);
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue("node", node)
                    .addKeyValue("failure", e.getMessage())
                    .log("planned darkness could not be announced");
        }
    }

    @Override
    public void close() {
        over.keySet().forEach(this::tellOver);
        var unused = CompletableFuture.allOf(writes.values().toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, OTHERS_WAIT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        writers.shutdown();
        beside.shutdown();
    }
}
