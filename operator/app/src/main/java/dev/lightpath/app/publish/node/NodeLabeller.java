package dev.lightpath.app.publish.node;

import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.TopologyLabels;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.world.FabricIntent;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
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

    /** @param version of the Node that the watch showed before it was written: until it shows another one, nothing is new */
    private record Written(String uid, String version, SortedMap<String, Optional<String>> labels) {}

    private final NodeStore store;
    private final InstantSource clock;
    private final Map<String, Written> written = new HashMap<>();
    /** What all nodes have been labelled by; empty while some have not. */
    private Optional<SortedMap<String, Grounds>> said = Optional.empty();

    private Instant notBefore = Instant.MIN;

    NodeLabeller(NodeStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** What is to be written after an outcome. */
    final class Round {
        private final List<Change> changes = new ArrayList<>();
        private final Optional<SortedMap<String, Grounds>> grounds;
        private int failures;

        private Round(Optional<SortedMap<String, Grounds>> grounds) {
            this.grounds = grounds;
        }

        /** Takes back what does not hold any more. Before anything else is said of a node. */
        void retract(BooleanSupplier outdated) {
            write(true, outdated);
        }

        /** Says what holds. After everything else was said of the nodes. Returns how many nodes could not be labelled. */
        int add(BooleanSupplier outdated) {
            write(false, outdated);
            if (failures == 0 && !outdated.getAsBoolean()) {
                said = grounds;
            }
            return failures;
        }

        private void write(boolean retractions, BooleanSupplier outdated) {
            for (Change change : changes) {
                if (outdated.getAsBoolean() || clock.instant().isBefore(notBefore)) {
                    failures++;
                    return;
                }
                if (change.retracts() == retractions) {
                    failures += NodeLabeller.this.write(change) ? 0 : 1;
                }
            }
        }
    }

    /** O(fabrics) where nothing changed, else linear in nodes. */
    Round round(Outcome outcome) {
        SortedMap<String, TopologyLabels> asked = new TreeMap<>();
        for (OpticalFabric fabric : store.fabrics()) {
            @Nullable TopologyLabels labels = fabric.getSpec().topologyLabels();
            if (labels != null) {
                asked.put(fabric.getMetadata().getName(), labels);
            }
        }
        Optional<SortedMap<String, Grounds>> grounds = grounds(outcome, asked);
        if (grounds.isPresent()
                && said.filter(last -> areLike(grounds.get(), last)).isPresent()) {
            return new Round(grounds);
        }
        said = Optional.empty();
        TopologyLevels levels = TopologyLevels.of(outcome, asked);
        Round round = new Round(levels.settled() ? grounds : Optional.empty());
        for (Node node : store.nodes()) {
            SortedMap<String, Optional<String>> changes =
                    levels.changes(node.getMetadata().getName(), labels(node));
            if (!changes.isEmpty() && !isWritten(node, changes)) {
                round.changes.add(new Change(node, changes));
            }
        }
        return round;
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

    private boolean isWritten(Node node, SortedMap<String, Optional<String>> changes) {
        @Nullable Written before = written.get(node.getMetadata().getName());
        return before != null && before.equals(of(node, changes));
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
        written.put(name, of(change.node(), change.labels()));
        return true;
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
