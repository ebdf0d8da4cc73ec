package dev.lightpath.app.publish.node;

import dev.lightpath.app.cluster.ResourceVersion;
import dev.lightpath.app.publish.status.Audience;
import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.client.KubernetesClientException;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes on each Node its state in its optical fabric, when that changes, or when a watch shows that somebody wrote
 * something else over it: a process that led before may do so late. A condition that another client removed is not
 * restored. Labels for schedulers are written by {@link NodeLabeller}, as fabrics ask for them. A node that left its
 * fabric gets no condition any more. It has a thread of its own, because after a start there are as many writes as
 * nodes; bad states are written first.
 */
@Singleton
public class NodePublisher implements Audience {
    private static final Logger LOG = LoggerFactory.getLogger(NodePublisher.class);
    private static final int RETRY_SECONDS = 5;
    /** What others write is looked at this often at most, so that nobody is answered faster who does not stop. */
    private static final int MEND_SECONDS = 5;
    /** Between two good states while passes go on: the API server has more urgent writes then. */
    static final Duration BESIDE_PASSES = Duration.ofMillis(50);
    /** So many times as long between two first words about nodes that are well: they contradict nothing. */
    static final int FIRST_BESIDE_PASSES = 10;
    /** So many of these, two minutes of them, until all nodes are told: then the others of a new ring do not wait longer. */
    private static final int MOST_FIRST_BESIDE_PASSES = 240;
    /** So long after an outcome passes are taken to go on: while repairs are made one is told every two seconds. */
    private static final Duration GOING_ON = Duration.ofSeconds(4);

    /** Waits. */
    interface Rest {
        void sleep(Duration time) throws InterruptedException;
    }

    /** @param version of the node with it, at least */
    private record Told(String uid, NodeVerdict verdict, long version) {
        boolean isContradictedBy(Node node) {
            return uid.equals(node.getMetadata().getUid())
                    && number(node) > version
                    && verdict.isContradictedBy(conditions(node));
        }
    }

    /** @param description of {@link NodeStore}, before nodes were looked at */
    private record Said(NodeGrounds grounds, long description) {}

    /** @param verdict empty for a node that is in no fabric any more: what was said of it is taken back */
    private record News(Node node, Optional<NodeVerdict> verdict) {
        boolean bad() {
            return verdict.filter(NodeVerdict::bad).isPresent();
        }
    }

    private final NodeStore store;
    private final NodeLabeller labels;
    private final InstantSource clock;
    private final AtomicReference<@Nullable Outcome> newest = new AtomicReference<>();
    /** What is to be said: what is under way of another one stops. */
    private final AtomicReference<@Nullable Outcome> last = new AtomicReference<>();

    private final ShownWords shown = new ShownWords();
    private final AtomicBoolean listens = new AtomicBoolean();
    private final AtomicBoolean mendPending = new AtomicBoolean();
    private volatile BooleanSupplier held = () -> true;
    private volatile long publishedNanos = System.nanoTime() - GOING_ON.toNanos();

    private final ScheduledExecutorService thread;
    private final Rest rest;
    private final int mostFirstBesidePasses;

    // of the thread
    private int firstBesidePasses;
    private final Map<String, Told> told = new HashMap<>();
    /** What all nodes have been told of; empty while some have not. */
    private Optional<Said> said = Optional.empty();
    /** Devices that were away then, so that nothing could be said of their nodes. */
    private List<DeviceId> awaited = List.of();

    @Inject
    NodePublisher(ClusterNodeStore store) {
        this(store, InstantSource.system());
    }

    NodePublisher(NodeStore store, InstantSource clock) {
        this(
                store,
                clock,
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("node-publisher").factory()),
                Thread::sleep,
                MOST_FIRST_BESIDE_PASSES);
    }

    /**
     * @param thread of one thread, and of nobody else
     * @param mostFirstBesidePasses how many first words let passes go first for longer, until all nodes are told
     */
    NodePublisher(
            NodeStore store,
            InstantSource clock,
            ScheduledExecutorService thread,
            Rest rest,
            int mostFirstBesidePasses) {
        this.store = store;
        this.rest = rest;
        this.mostFirstBesidePasses = mostFirstBesidePasses;
        this.thread = thread;
        this.labels = new NodeLabeller(store, clock);
        this.clock = clock;
    }

    @Override
    public void publish(Outcome outcome) {
        if (listens.compareAndSet(false, true)) {
            store.listen(this::shown);
        }
        last.set(outcome);
        publishedNanos = System.nanoTime();
        if (newest.getAndSet(outcome) == null) {
            try {
                thread.execute(this::round);
            } catch (RejectedExecutionException e) {
                LOG.atDebug().log("stopping; nodes are not told any more");
            }
        }
    }

    private void round() {
        Outcome outcome = newest.getAndSet(null);
        if (outcome == null) {
            return;
        }
        try {
            if (write(outcome) > 0) {
                thread.schedule(() -> again(outcome), RETRY_SECONDS, TimeUnit.SECONDS);
            }
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("stopping; nodes are not told again");
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("nodes could not be told");
        }
    }

    /** Unless something newer was said since, or nothing is to be said any more. */
    private void again(Outcome outcome) {
        if (last.get() == outcome && newest.compareAndSet(null, outcome)) {
            round();
        }
    }

    /** A watch shows a node as it was and is. From any thread. */
    void shown(Node before, Node now) {
        if (shown.add(before, now) && mendPending.compareAndSet(false, true)) {
            try {
                thread.schedule(this::mend, MEND_SECONDS, TimeUnit.SECONDS);
            } catch (RejectedExecutionException e) {
                LOG.atDebug().log("stopping; nodes are not told any more");
            }
        }
    }

    private void mend() {
        mendPending.set(false);
        Outcome outcome = last.get();
        if (isOther() && outcome != null && newest.compareAndSet(null, outcome)) {
            round();
        }
    }

    /** Whether nodes were written by others since. They are looked at anew then. On the thread. */
    boolean isOther() {
        boolean conditions = false;
        boolean relabelled = false;
        for (ShownWords.Shown each : shown.take()) {
            if (!store.isOurs(each.node())) {
                continue;
            }
            String name = each.node().getMetadata().getName();
            @Nullable Told before = told.get(name);
            if (before == null ? NodeVerdict.isOfAny(conditions(each.node())) : before.isContradictedBy(each.node())) {
                told.remove(name);
                conditions = true;
            }
            relabelled |= each.relabelled() && labels.isOther(each.node());
        }
        if (conditions) {
            said = Optional.empty();
        }
        if (relabelled) {
            labels.lookAgain();
        }
        return conditions || relabelled;
    }

    @Override
    public void begun(BooleanSupplier leads) {
        held = leads;
    }

    @Override
    public void ended() {
        last.set(null);
        newest.set(null);
        // what another process tells from now on is read again before it is contradicted
        try {
            thread.execute(() -> {
                told.clear();
                labels.forget();
                said = Optional.empty();
                firstBesidePasses = 0;
            });
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("stopping; nothing is remembered");
        }
    }

    /** What was published is told so, on the thread. Returns how many writes failed. */
    int tell(Outcome outcome) {
        last.set(outcome);
        return write(outcome);
    }

    /**
     * Labels that do not hold any more go before a node's conditions are written, labels that hold come after that. Bad
     * conditions wait for nothing but the labels of their node, so that each round writes some of them. Stops where a
     * newer outcome says something else, where nothing more is to be said, and when the process stops. Returns how many
     * writes failed.
     */
    private int write(Outcome outcome) {
        NodeLabeller.Round round = labels.round(outcome);
        NodeGrounds grounds = NodeGrounds.of(outcome);
        Newest newest = new Newest(outcome, grounds, round);
        BooleanSupplier outdated = newest::saysElse;
        long description = store.description();
        List<News> news = said.filter(last -> last.description() == description && grounds.areLike(last.grounds()))
                                .isPresent()
                        && awaited.stream().allMatch(device -> isAway(device, outcome))
                ? List.of()
                : news(outcome, grounds);
        int failures = 0;
        for (News each : news) {
            if (each.bad()) {
                round.retract(each.node().getMetadata().getName(), outdated);
                failures += outdated.getAsBoolean() || tell(each) ? 0 : 1;
            }
        }
        round.retract(outdated);
        for (News each : news) {
            if (outdated.getAsBoolean()) {
                break;
            }
            if (!each.bad()) {
                letPassesGoFirst(isFirst(each), outdated);
                failures += outdated.getAsBoolean() || tell(each) ? 0 : 1;
            }
        }
        if (failures == 0 && !outdated.getAsBoolean()) {
            said = Optional.of(new Said(grounds, description));
            firstBesidePasses = 0;
        }
        return failures + round.add(outdated);
    }

    /** What was published last, beside the outcome that a round writes. */
    private final class Newest {
        private final NodeGrounds grounds;
        private final NodeLabeller.Round labels;
        /** The last one that says the same. */
        private Outcome same;

        Newest(Outcome outcome, NodeGrounds grounds, NodeLabeller.Round labels) {
            this.same = outcome;
            this.grounds = grounds;
            this.labels = labels;
        }

        /** O(fabrics and faults) for each outcome. */
        boolean saysElse() {
            Outcome now = last.get();
            if (now == null || thread.isShutdown() || !held.getAsBoolean()) {
                return true;
            }
            if (now != same) {
                if (!NodeGrounds.of(now).areLike(grounds) || !labels.holdsFor(now)) {
                    return true;
                }
                same = now;
            }
            return false;
        }
    }

    /** Ends early when something else is to be said. */
    private void letPassesGoFirst(boolean first, BooleanSupplier outdated) {
        if (System.nanoTime() - publishedNanos > GOING_ON.toNanos()) {
            return;
        }
        boolean longer = first && firstBesidePasses < mostFirstBesidePasses;
        firstBesidePasses += longer ? 1 : 0;
        try {
            for (int left = longer ? FIRST_BESIDE_PASSES : 1; left > 0 && !outdated.getAsBoolean(); left--) {
                rest.sleep(BESIDE_PASSES);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** First words last. O(n log n) in nodes. */
    private List<News> news(Outcome outcome, NodeGrounds grounds) {
        said = Optional.empty();
        Map<String, NodeVerdict> verdicts = NodeVerdict.of(outcome);
        awaited = awaited(outcome, verdicts.keySet());
        List<News> news = new ArrayList<>();
        List<Node> others = new ArrayList<>();
        for (Node node : store.nodes()) {
            String name = node.getMetadata().getName();
            NodeVerdict verdict = verdicts.get(name);
            if (verdict == null) {
                others.add(node);
            } else if (isNews(node, verdict)) {
                news.add(new News(node, Optional.of(verdict)));
            }
        }
        // members have a verdict, but for those of which nothing is known
        if (grounds.complete() && !others.isEmpty()) {
            Set<String> members = grounds.members();
            for (Node node : others) {
                if (!members.contains(node.getMetadata().getName()) && NodeVerdict.isOfAny(conditions(node))) {
                    news.add(new News(node, Optional.empty()));
                }
            }
        }
        told.keySet().retainAll(verdicts.keySet());
        news.sort(Comparator.comparing(this::isFirst));
        return news;
    }

    /** Linear in nodes. */
    private static List<DeviceId> awaited(Outcome outcome, Set<String> told) {
        return outcome.world().rings().values().stream()
                .flatMap(ring -> ring.nodes().values().stream()
                        .filter(node -> !told.contains(node.name()))
                        .map(node -> new DeviceId(ring.driver(), node.name())))
                .filter(device -> isAway(device, outcome))
                .toList();
    }

    private boolean isFirst(News news) {
        return !told.containsKey(news.node().getMetadata().getName()) && !NodeVerdict.isOfAny(conditions(news.node()));
    }

    private static boolean isAway(DeviceId device, Outcome outcome) {
        return outcome.world().device(device).filter(DeviceState::away).isPresent();
    }

    private boolean isNews(Node node, NodeVerdict verdict) {
        String name = node.getMetadata().getName();
        String uid = node.getMetadata().getUid();
        Told before = told.get(name);
        if (before == null || !before.uid().equals(uid)) {
            if (!verdict.isSaidBy(conditions(node))) {
                return true;
            }
            told.put(name, new Told(uid, verdict, number(node)));
            return false;
        }
        return !before.verdict().equals(verdict);
    }

    private boolean tell(News news) {
        String name = news.node().getMetadata().getName();
        long version;
        try {
            version = store.write(
                    news.node(),
                    news.verdict()
                            .map(verdict -> verdict.conditions(conditions(news.node()), clock.instant()))
                            .orElse(List.of()));
        } catch (KubernetesClientException e) {
            // one that is gone or made anew is still shown: once the watch says so, it is no news or other news
            LOG.atWarn().addKeyValue("node", name).log("its conditions could not be written: " + e.getMessage());
            return false;
        }
        news.verdict()
                .ifPresent(verdict ->
                        told.put(name, new Told(news.node().getMetadata().getUid(), verdict, version)));
        return true;
    }

    private static long number(Node node) {
        return ResourceVersion.number(node.getMetadata().getResourceVersion());
    }

    static List<NodeCondition> conditions(Node node) {
        return node.getStatus() == null || node.getStatus().getConditions() == null
                ? List.of()
                : node.getStatus().getConditions();
    }

    @PreDestroy
    public void close() {
        thread.shutdownNow();
    }
}
