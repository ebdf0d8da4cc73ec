package dev.lightpath.app.publish.node;

import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.TopologyLabels;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.world.FabricIntent;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the labels that {@link TopologyLevels} tells on Nodes, when they change and never otherwise. Of one thread.
 */
final class NodeLabeller {
    private static final Logger LOG = LoggerFactory.getLogger(NodeLabeller.class);
    /** After the API server has forbidden it: an installation that does not allow it is not asked once a node. */
    private static final Duration AFTER_REFUSAL = Duration.ofMinutes(1);

    /** @param labels empty where one goes */
    record Change(Node node, SortedMap<String, Optional<String>> labels) {
        boolean retracts() {
            return labels.values().stream().anyMatch(Optional::isEmpty);
        }
    }

    /**
     * All that the labels of a fabric follow from.
     *
     * @param intent read anew whenever the fabric or a node of it changes, and the same object until then
     */
    private record Grounds(FabricIntent intent, TopologyLabels asked, boolean synced, List<Fault> faults) {
        boolean areLike(@Nullable Grounds other) {
            return other != null
                    && intent == other.intent
                    && asked.equals(other.asked)
                    && synced == other.synced
                    && faults.equals(other.faults);
        }
    }

    /**
     * What a node has by our writes, whatever a watch that lags behind shows of it.
     *
     * @param version of the Node that the watch showed before it was written: until it shows another one, nothing is
     *     new
     * @param labels of all writes; empty where one went
     */
    private record Written(String uid, String version, SortedMap<String, Optional<String>> labels) {
        boolean isOf(Node node) {
            return uid.equals(node.getMetadata().getUid());
        }

        boolean isNews(Node node) {
            return !version.equals(node.getMetadata().getResourceVersion());
        }

        Map<String, String> over(Map<String, String> shown) {
            Map<String, String> all = new HashMap<>(shown);
            labels.forEach((key, value) -> value.ifPresentOrElse(some -> all.put(key, some), () -> all.remove(key)));
            return all;
        }

        Written and(Written later) {
            SortedMap<String, Optional<String>> all = new TreeMap<>(labels);
            all.putAll(later.labels);
            return new Written(later.uid, later.version, all);
        }
    }

    private final NodeStore store;
    private final InstantSource clock;
    private final Map<String, Written> written = new HashMap<>();
    /** What all nodes have been labelled by; empty while some have not. */
    private Optional<SortedMap<String, Grounds>> said = Optional.empty();

    /** Of {@link NodeStore}, before nodes were looked at last. */
    private long description;

    /** Devices that were not there then: nodes get their labels when they are. */
    private List<DeviceId> awaited = List.of();

    private Instant notBefore = Instant.MIN;

    NodeLabeller(NodeStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** What is to be written after an outcome. */
    final class Round {
        /** By name of the node; each goes when it was tried. */
        private final Map<String, Change> changes = new LinkedHashMap<>();

        private final Optional<SortedMap<String, Grounds>> grounds;
        private int failures;

        private Round(Optional<SortedMap<String, Grounds>> grounds) {
            this.grounds = grounds;
        }

        /** Whether the labels of another outcome are the same for certain. O(fabrics and faults). */
        boolean holdsFor(Outcome other) {
            SortedMap<String, TopologyLabels> asked = asked();
            if (asked.isEmpty() && changes.isEmpty()) {
                return true;
            }
            Optional<SortedMap<String, Grounds>> others = NodeLabeller.grounds(other, asked);
            return grounds.isPresent() && others.isPresent() && areLike(grounds.get(), others.get());
        }

        /** Takes back what does not hold any more of a node. Before anything else is said of it. */
        void retract(String node, BooleanSupplier outdated) {
            @Nullable Change change = changes.get(node);
            if (change != null && change.retracts()) {
                write(List.of(change), outdated);
            }
        }

        /** Takes back what does not hold any more, of all nodes. */
        void retract(BooleanSupplier outdated) {
            write(changes.values().stream().filter(Change::retracts).toList(), outdated);
        }

        /**
         * Says what holds. After everything else was said of the nodes. Returns how many nodes could not be labelled.
         */
        int add(BooleanSupplier outdated) {
            write(List.copyOf(changes.values()), outdated);
            if (failures == 0 && !outdated.getAsBoolean()) {
                said = grounds;
            }
            return failures;
        }

        private void write(List<Change> some, BooleanSupplier outdated) {
            for (Change change : some) {
                if (outdated.getAsBoolean() || clock.instant().isBefore(notBefore)) {
                    failures++;
                    return;
                }
                changes.remove(change.node().getMetadata().getName());
                failures += NodeLabeller.this.write(change) ? 0 : 1;
            }
        }
    }

    /** O(fabrics and awaited devices) where nothing changed, else linear in nodes. */
    Round round(Outcome outcome) {
        SortedMap<String, TopologyLabels> asked = asked();
        Optional<SortedMap<String, Grounds>> grounds = grounds(outcome, asked);
        long now = store.description();
        if (now == description
                && grounds.isPresent()
                && said.filter(last -> areLike(grounds.get(), last)).isPresent()
                && awaited.stream().noneMatch(device -> isThere(device, outcome))) {
            return new Round(grounds);
        }
        said = Optional.empty();
        description = now;
        TopologyLevels levels = TopologyLevels.of(outcome, asked);
        awaited = levels.awaited();
        Round round = new Round(grounds);
        for (Node node : store.nodes()) {
            SortedMap<String, Optional<String>> changes = changes(levels, node);
            if (!changes.isEmpty()) {
                round.changes.put(node.getMetadata().getName(), new Change(node, changes));
            }
        }
        return round;
    }

    /** By name of the fabric. */
    private SortedMap<String, TopologyLabels> asked() {
        SortedMap<String, TopologyLabels> asked = new TreeMap<>();
        for (OpticalFabric fabric : store.fabrics()) {
            @Nullable TopologyLabels labels = fabric.getSpec().topologyLabels();
            if (labels != null) {
                asked.put(fabric.getMetadata().getName(), labels);
            }
        }
        return asked;
    }

    private static boolean isThere(DeviceId device, Outcome outcome) {
        @Nullable
        DeviceState state = outcome.world().driver(device.driver()).devices().get(device.device());
        return state != null && state.present();
    }

    /** Empty while a fabric cannot be read. */
    private static Optional<SortedMap<String, Grounds>> grounds(
            Outcome outcome, SortedMap<String, TopologyLabels> asked) {
        if (!outcome.world().unreadable().fabrics().isEmpty()) {
            return Optional.empty();
        }
        SortedMap<String, Grounds> grounds = new TreeMap<>();
        asked.forEach((name, labels) -> {
            @Nullable FabricIntent ring = outcome.world().rings().get(name);
            @Nullable
            FabricIntent intent = ring == null ? outcome.world().ocsFabrics().get(name) : ring;
            var verdict = outcome.deliberation().fabrics().get(name);
            if (intent != null) {
                grounds.put(
                        name,
                        new Grounds(
                                intent,
                                labels,
                                verdict != null
                                        && intent.drivers().stream()
                                                .allMatch(driver -> outcome.world()
                                                        .driver(driver)
                                                        .synced()),
                                verdict == null ? List.of() : verdict.faults()));
            }
        });
        return Optional.of(grounds);
    }

    private static boolean areLike(SortedMap<String, Grounds> some, SortedMap<String, Grounds> others) {
        return some.keySet().equals(others.keySet())
                && some.entrySet().stream().allMatch(each -> each.getValue().areLike(others.get(each.getKey())));
    }

    /**
     * What contradicts our last write goes out whatever is shown: the watch may show what was before it. What
     * contradicts what is shown goes out unless our write is the reason, and not shown yet.
     */
    private SortedMap<String, Optional<String>> changes(TopologyLevels levels, Node node) {
        String name = node.getMetadata().getName();
        Map<String, String> shown = labels(node);
        @Nullable Written before = written.get(name);
        if (before == null || !before.isOf(node)) {
            return levels.changes(name, shown);
        }
        SortedMap<String, Optional<String>> changes = levels.changes(name, before.over(shown));
        if (before.isNews(node)) {
            changes.putAll(levels.changes(name, shown));
        }
        return changes;
    }

    private static Written of(Node node, SortedMap<String, Optional<String>> changes) {
        return new Written(node.getMetadata().getUid(), node.getMetadata().getResourceVersion(), changes);
    }

    private boolean write(Change change) {
        String name = change.node().getMetadata().getName();
        try {
            store.label(change.node(), change.labels());
        } catch (KubernetesClientException e) {
            LOG.atWarn()
                    .addKeyValue("node", name)
                    .log("its labels lightpath.dev/topology-* could not be written: " + e.getMessage());
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                notBefore = clock.instant().plus(AFTER_REFUSAL);
            }
            return false;
        }
        @Nullable Written before = written.get(name);
        Written now = of(change.node(), change.labels());
        written.put(name, before != null && before.isOf(change.node()) ? before.and(now) : now);
        return true;
    }

    /** Whether a watch shows other labels than we wrote, as those that a process writes late which led before. */
    boolean isOther(Node node) {
        @Nullable Written ours = written.get(node.getMetadata().getName());
        Map<String, String> shown = labels(node);
        return ours == null || !ours.isOf(node) || !ours.over(shown).equals(shown);
    }

    /** All nodes are looked at again. */
    void lookAgain() {
        said = Optional.empty();
    }

    /** What another process writes from now on is read again. */
    void forget() {
        written.clear();
        said = Optional.empty();
    }

    private static Map<String, String> labels(Node node) {
        return node.getMetadata().getLabels() == null
                ? Map.of()
                : node.getMetadata().getLabels();
    }
}
