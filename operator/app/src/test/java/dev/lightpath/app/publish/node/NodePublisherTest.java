package dev.lightpath.app.publish.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.app.publish.status.Scenes;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.World;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodePublisherTest {
    private static final int MOST_FIRST = 2;

    /** Three nodes of the ring and one of none; takes writes as the API server does. */
    private static final class Nodes implements NodeStore {
        final List<Node> nodes = new ArrayList<>();
        final List<String> writes = new ArrayList<>();
        int refusals;
        int code = 500;
        int looks;
        long description;
        long version;
        /** Of fabrics that another process leads. */
        final Set<String> others = new HashSet<>();

        BiConsumer<Node, Node> listener = (before, now) -> {};
        Runnable afterWrite = () -> {};

        Nodes() {
            for (String name : List.of("n0", "n1", "n2", "stranger")) {
                nodes.add(node(name, "uid-" + name, List.of()));
            }
        }

        static Node node(String name, String uid, List<NodeCondition> conditions) {
            return new NodeBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .withUid(uid)
                    .endMetadata()
                    .withNewStatus()
                    .withConditions(conditions)
                    .endStatus()
                    .build();
        }

        @Override
        public List<Node> nodes() {
            looks++;
            return List.copyOf(nodes);
        }

        @Override
        public void listen(BiConsumer<Node, Node> changed) {
            listener = changed;
        }

        @Override
        public long write(Node node, List<NodeCondition> conditions) {
            if (refusals > 0) {
                refusals--;
                throw new KubernetesClientException("refused", code, null);
            }
            String name = node.getMetadata().getName();
            writes.add(name);
            afterWrite.run();
            return put(name, conditions);
        }

        /** Whoever writes it. */
        long put(String name, List<NodeCondition> conditions) {
            version++;
            nodes.replaceAll(each -> {
                if (!each.getMetadata().getName().equals(name)) {
                    return each;
                }
                Node now = new NodeBuilder(node(name, each.getMetadata().getUid(), conditions))
                        .editMetadata()
                        .withResourceVersion(Long.toString(version))
                        .endMetadata()
                        .build();
                listener.accept(each, now);
                return now;
            });
            return version;
        }

        @Override
        public boolean isOurs(Node node) {
            return !others.contains(node.getMetadata().getName());
        }

        @Override
        public List<OpticalFabric> fabrics() {
            return List.of();
        }

        @Override
        public long description() {
            return description;
        }

        @Override
        public void label(Node node, Map<String, Optional<String>> labels) {
            throw new AssertionError("no fabric asks for labels, and no node has them");
        }

        NodeCondition condition(String name, String type) {
            return nodes.stream()
                    .filter(node -> node.getMetadata().getName().equals(name))
                    .flatMap(node -> node.getStatus().getConditions().stream())
                    .filter(condition -> condition.getType().equals(type))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private final Nodes store = new Nodes();
    private Instant now = Scenes.NOW;
    private final List<Duration> rests = new ArrayList<>();
    private final InstantSource clock = () -> now;
    /** Runs nothing: rounds are those of {@link NodePublisher#tell}. */
    private final NodePublisher publisher = new NodePublisher(
            store,
            clock,
            new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().factory()) {
                @Override
                public void execute(Runnable round) {}
            },
            rests::add,
            MOST_FIRST);

    private static Outcome outcome(Contact contact, Fault... faults) {
        World world = Scenes.world(Scenes.driver(contact, ""));
        FabricVerdict verdict =
                Scenes.verdict(new FabricVerdict.Circuits(16, 16, 0, 0), List.of(faults), List.of(), "", false, false);
        return new Outcome(
                world,
                Scenes.deliberation(
                        new Decision.Rest(Optional.empty()),
                        new TreeMap<>(),
                        new TreeMap<>(Map.of("ring-a", verdict)),
                        Optional.empty()));
    }

    private static Fault fault(Subject subject, String reason) {
        return new Fault(subject, reason, Scenes.NOW, false, "");
    }

    private static RingIntent ring(
            RingIntent like,
            SortedMap<Integer, RingNode> nodes,
            SortedMap<Integer, List<String>> miswired,
            SortedMap<String, String> astray) {
        return new RingIntent(
                like.name(),
                like.ring(),
                like.driver(),
                like.role(),
                nodes,
                miswired,
                astray,
                like.policy(),
                like.paused(),
                like.resumedAt(),
                like.retiring(),
                like.torMismatch(),
                like.quarantinedPorts(),
                like.recordedFaults());
    }

    /** The same of another ring, beside fabrics that cannot be read. */
    private static Outcome of(Outcome like, RingIntent ring, SortedMap<String, String> unreadable) {
        return new Outcome(
                Scenes.of(like.world(), new TreeMap<>(Map.of(ring.name(), ring)), unreadable), like.deliberation());
    }

    @Test
    void tellsEveryNodeOfAFabricOnceAndThenNothing() {
        assertThat(publisher.tell(outcome(Contact.SYNCED))).isZero();
        assertThat(store.writes).containsExactlyInAnyOrder("n0", "n1", "n2");
        assertThat(store.condition("n1", "OpticalFabricReady").getStatus()).isEqualTo("True");
        assertThat(store.condition("n1", "OpticalLinkDegraded").getStatus()).isEqualTo("False");
        publisher.tell(outcome(Contact.SYNCED));
        assertThat(store.writes).hasSize(3);
    }

    /** A Node goes to all who watch it, and the API server bounds no message there. */
    @Test
    void ofManyPortsThatFailedTheFirstAreNamed() {
        Fault[] faults = IntStream.range(0, 10_000)
                .mapToObj(port -> fault(new Subject.OfPort("n1", "p" + port), "PortFailed"))
                .toArray(Fault[]::new);
        publisher.tell(outcome(Contact.SYNCED, faults));
        assertThat(store.condition("n1", "OpticalLinkDegraded").getMessage())
                .startsWith("port/n1/p0: PortFailed; port/n1/p1: PortFailed; ")
                .endsWith("; and 9995 more");
        publisher.tell(outcome(Contact.SYNCED, fault(new Subject.OfPort("n2", "p".repeat(100_000)), "PortFailed")));
        assertThat(store.condition("n2", "OpticalLinkDegraded").getMessage()).hasSize(1024);
    }

    /** Nothing is known of its node until then. */
    @Test
    void aNodeWhoseAgentAnswersLaterIsToldThen() {
        Outcome present = outcome(Contact.SYNCED);
        DriverState driver = present.world().driver(Scenes.DRIVER);
        DriverState waiting = driver.with("n2", DeviceState.neverReached());
        World without = present.world().with(new TreeMap<>(Map.of(Scenes.DRIVER, waiting)));
        publisher.tell(new Outcome(without, present.deliberation()));
        publisher.tell(new Outcome(without, present.deliberation()));
        assertThat(store.writes).containsExactlyInAnyOrder("n0", "n1");
        assertThat(store.looks).as("once more for labels").isEqualTo(2);
        publisher.tell(present);
        assertThat(store.writes).hasSize(3).endsWith("n2");
    }

    @Test
    void nodesAreGoneThroughAgainOnlyForNews() {
        Outcome first = outcome(Contact.SYNCED);
        store.refusals = 1;
        assertThat(publisher.tell(first)).isOne();
        assertThat(publisher.tell(first)).isZero();
        assertThat(store.writes).containsExactlyInAnyOrder("n0", "n1", "n2");
        assertThat(publisher.tell(first)).isZero();
        assertThat(store.looks).as("once more for labels").isEqualTo(3);
        Fault broken = fault(new Subject.OfNode("n2"), "NodeNotReady");
        publisher.tell(
                new Outcome(first.world(), outcome(Contact.SYNCED, broken).deliberation()));
        assertThat(store.looks).isEqualTo(4);
        assertThat(store.writes).hasSize(4).endsWith("n2");
    }

    @Test
    void anOutcomeThatSaysTheSameDoesNotStopARound() {
        Outcome first = outcome(Contact.SYNCED);
        store.afterWrite = () -> publisher.publish(
                new Outcome(first.world(), outcome(Contact.SYNCED).deliberation()));
        assertThat(publisher.tell(first)).isZero();
        assertThat(store.writes).containsExactlyInAnyOrder("n0", "n1", "n2");
        assertThat(store.looks).as("for conditions and for labels").isEqualTo(2);
        assertThat(rests).as("passes go first").hasSize(2 * NodePublisher.FIRST_BESIDE_PASSES);
    }

    @Test
    void aNodeThatIsWellAgainIsToldSoBeforeTheFirstWordsOfOthers() {
        publisher.publish(outcome(Contact.SYNCED));
        publisher.tell(outcome(Contact.SYNCED, fault(new Subject.OfNode("n2"), "NodeNotReady")));
        NodePublisher other = new NodePublisher(store, clock, new Inline(), rests::add, MOST_FIRST);
        store.nodes.replaceAll(node -> node.getMetadata().getName().equals("n2")
                ? node
                : Nodes.node(node.getMetadata().getName(), node.getMetadata().getUid(), List.of()));
        store.writes.clear();
        rests.clear();
        other.publish(outcome(Contact.SYNCED));
        assertThat(store.writes).hasSize(3).startsWith("n2");
        assertThat(rests).hasSize(1 + 2 * NodePublisher.FIRST_BESIDE_PASSES);
    }

    @Test
    void theFirstWordsOfALargeRingDoNotAllWaitLonger() {
        NodePublisher patient = new NodePublisher(store, clock, new Inline(), rests::add, MOST_FIRST);
        patient.publish(outcome(Contact.SYNCED));
        assertThat(rests).hasSize(2 * NodePublisher.FIRST_BESIDE_PASSES + 1);
    }

    @Test
    void anOutcomeThatSaysSomethingElseStopsARound() {
        Outcome first = outcome(Contact.SYNCED);
        Fault broken = fault(new Subject.OfNode("n2"), "NodeNotReady");
        store.afterWrite = () -> publisher.publish(
                new Outcome(first.world(), outcome(Contact.SYNCED, broken).deliberation()));
        assertThat(publisher.tell(first)).isZero();
        assertThat(store.writes).containsExactly("n0");
        assertThat(rests)
                .as("nothing is waited for while something else is to be said")
                .isEmpty();
    }

    @Test
    void aFaultDoesNotWaitForTheFirstWordsOfNodesThatAreWell() {
        Outcome first = outcome(Contact.SYNCED);
        Fault broken = fault(new Subject.OfNode("n2"), "NodeNotReady");
        List<NodePublisher> told = new ArrayList<>();
        NodePublisher patient = new NodePublisher(
                store,
                clock,
                new Inline(),
                time -> {
                    rests.add(time);
                    if (rests.size() == 1) {
                        told.getFirst()
                                .publish(new Outcome(
                                        first.world(),
                                        outcome(Contact.SYNCED, broken).deliberation()));
                    }
                },
                MOST_FIRST + 1);
        told.add(patient);
        patient.publish(first);
        assertThat(rests).as("the first round stops where it waits").hasSize(1 + 2 * NodePublisher.FIRST_BESIDE_PASSES);
        assertThat(store.writes).startsWith("n2");
    }

    @Test
    void whoClaimsThePositionOfAnotherOrHasNoneIsToldSo() {
        Outcome sound = outcome(Contact.SYNCED);
        RingIntent ring = sound.world().rings().get("ring-a");
        SortedMap<Integer, RingNode> alone = new TreeMap<>(ring.nodes());
        alone.values().removeIf(node -> node.name().equals("n1") || node.name().equals("n2"));
        RingIntent claimed = ring(
                ring,
                alone,
                new TreeMap<>(Map.of(1, List.of("n1", "n2"))),
                new TreeMap<>(Map.of("stranger", "node stranger: label lost")));
        publisher.tell(of(sound, claimed, new TreeMap<>()));
        for (String node : List.of("n1", "n2")) {
            assertThat(store.condition(node, "OpticalFabricReady").getReason()).isEqualTo("PositionClaimedTwice");
            assertThat(store.condition(node, "OpticalFabricReady").getMessage()).contains("n1 and n2 claim position 1");
        }
        assertThat(store.condition("stranger", "OpticalFabricReady").getReason())
                .isEqualTo("NoSuchPosition");
        assertThat(store.condition("stranger", "OpticalFabricReady").getMessage())
                .contains("node stranger: label lost");
        assertThat(store.condition("n0", "OpticalFabricReady").getStatus()).isEqualTo("True");
    }

    @Test
    void tellsOfFaultsBeforeTheRest() {
        publisher.tell(outcome(
                Contact.SYNCED,
                fault(new Subject.OfNode("n2"), "NodeNotReady"),
                fault(new Subject.OfPort("n1", "b0.path1"), "LossOfLight")));
        assertThat(store.writes.getLast()).isEqualTo("n0");
        assertThat(store.condition("n2", "OpticalFabricReady").getStatus()).isEqualTo("False");
        assertThat(store.condition("n2", "OpticalFabricReady").getReason()).isEqualTo("NodeNotReady");
        assertThat(store.condition("n1", "OpticalFabricReady").getStatus()).isEqualTo("True");
        assertThat(store.condition("n1", "OpticalLinkDegraded").getStatus()).isEqualTo("True");
        assertThat(store.condition("n1", "OpticalLinkDegraded").getMessage()).contains("port/n1/b0.path1");
    }

    /** Runs at once what it is to do, and what it is to do later when the test says so. */
    private static final class Inline extends ScheduledThreadPoolExecutor {
        final List<Runnable> later = new ArrayList<>();

        Inline() {
            super(1, Thread.ofPlatform().daemon().factory());
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            later.add(task);
            return super.schedule(() -> {}, 0, unit);
        }
    }

    /** As a request does that a process began which led before, and which arrives after all that the next one wrote. */
    @Test
    void whatIsWrittenOverItsWordsIsPutRight() {
        Inline thread = new Inline();
        NodePublisher told = new NodePublisher(store, clock, thread, rests::add, MOST_FIRST);
        told.publish(outcome(Contact.SYNCED));
        assertThat(store.writes).containsExactlyInAnyOrder("n0", "n1", "n2");
        assertThat(thread.later).as("its own words came by the watch").hasSize(1);
        thread.later.removeFirst().run();
        assertThat(store.writes).hasSize(3);

        List<NodeCondition> bad = new NodeVerdict(
                        Optional.of(new NodeVerdict.Reason("NodeNotReady", "n1 is broken")), Optional.empty())
                .conditions(List.of(), now);
        store.put("n1", bad);
        assertThat(thread.later).hasSize(1);
        thread.later.removeFirst().run();
        assertThat(store.writes).hasSize(4).endsWith("n1");
        assertThat(store.condition("n1", "OpticalFabricReady").getStatus()).isEqualTo("True");
        thread.later.removeFirst().run();
        assertThat(thread.later).isEmpty();
        assertThat(store.writes).hasSize(4);

        store.put("stranger", bad);
        thread.later.removeFirst().run();
        assertThat(store.writes).as("it is in no fabric").hasSize(5).endsWith("stranger");
        assertThat(store.nodes.getLast().getStatus().getConditions()).isEmpty();

        store.others.add("stranger");
        store.put("stranger", bad);
        thread.later.removeLast().run();
        assertThat(store.writes).as("another process tells of it").hasSize(5);

        told.ended();
        store.put("n1", bad);
        thread.later.forEach(Runnable::run);
        assertThat(store.writes).as("others lead").hasSize(5);
    }

    /** A watch shows two writes one after the other. */
    @Test
    void anOlderWordOfItsOwnIsNotTakenForThatOfAnother() {
        Inline thread = new Inline();
        NodePublisher told = new NodePublisher(store, clock, thread, rests::add, MOST_FIRST);
        BiConsumer<Node, Node> watch = told::shown;
        told.publish(outcome(Contact.SYNCED, fault(new Subject.OfNode("n2"), "NodeNotReady")));
        Node first = store.nodes.get(2);
        told.publish(outcome(Contact.SYNCED));
        store.writes.clear();
        thread.later.clear();
        told.isOther();
        watch.accept(Nodes.node("n2", "uid-n2", List.of()), first);
        assertThat(told.isOther()).isFalse();
        assertThat(store.writes).isEmpty();
    }

    @Test
    void doesNotPutBackWhatSomebodyTookAway() {
        publisher.tell(outcome(Contact.SYNCED));
        store.writes.clear();
        store.nodes.replaceAll(node ->
                Nodes.node(node.getMetadata().getName(), node.getMetadata().getUid(), List.of()));
        Node taken = store.nodes.get(1);
        publisher.shown(
                Nodes.node(
                        "n1",
                        "uid-n1",
                        List.of(new NodeConditionBuilder()
                                .withType("OpticalFabricReady")
                                .build())),
                new NodeBuilder(taken)
                        .editMetadata()
                        .withResourceVersion("99")
                        .endMetadata()
                        .build());
        assertThat(publisher.isOther()).isFalse();
        publisher.tell(outcome(Contact.SYNCED));
        assertThat(store.writes).isEmpty();
        publisher.tell(outcome(Contact.SYNCED, fault(new Subject.OfNode("n2"), "NodeNotReady")));
        assertThat(store.writes).containsExactly("n2");
    }

    @Test
    void ofANodeThatLeftItsFabricNothingIsSaidAnyMore() {
        publisher.tell(outcome(Contact.SYNCED));
        store.writes.clear();
        Outcome before = outcome(Contact.SYNCED);
        RingIntent ring = before.world().rings().get("ring-a");
        SortedMap<Integer, RingNode> left = new TreeMap<>(ring.nodes());
        left.values().removeIf(node -> node.name().equals("n2"));
        Outcome after = of(before, ring(ring, left, new TreeMap<>(), new TreeMap<>()), new TreeMap<>());
        publisher.tell(of(
                before,
                ring(ring, left, new TreeMap<>(), new TreeMap<>()),
                new TreeMap<>(Map.of("ring-b", "spec.ring: missing"))));
        assertThat(store.writes).as("it may be in the other one").isEmpty();
        publisher.tell(after);
        publisher.tell(after);
        assertThat(store.writes).containsExactly("n2");
        assertThat(store.nodes)
                .filteredOn(node -> node.getMetadata().getName().equals("n2"))
                .allSatisfy(node -> assertThat(node.getStatus().getConditions()).isEmpty());
        publisher.tell(before);
        assertThat(store.condition("n2", "OpticalFabricReady").getStatus()).isEqualTo("True");
    }

    /** Whoever led its fabric leads nothing of it now, and for whoever leads what is of none no fabric has changed. */
    @Test
    void aNodeThatLeftAFabricOfOthersIsToldNothingAnyMore() {
        Outcome outcome = outcome(Contact.SYNCED);
        publisher.tell(outcome);
        store.writes.clear();
        List<NodeCondition> told = store.nodes.getFirst().getStatus().getConditions();
        store.nodes.add(Nodes.node("left", "uid-left", told));
        publisher.tell(outcome);
        assertThat(store.writes).as("nobody said that a node came").isEmpty();
        store.description++;
        publisher.tell(outcome);
        assertThat(store.writes).containsExactly("left");
        publisher.tell(outcome);
        assertThat(store.writes).hasSize(1);
    }

    @Test
    void timeOfTransitionMovesWithTheStatusOnly() {
        publisher.tell(outcome(Contact.SYNCED, fault(new Subject.OfNode("n2"), "NodeNotReady")));
        now = now.plusSeconds(60);
        publisher.tell(outcome(Contact.SYNCED, fault(new Subject.OfNode("n2"), "NodeUnreachable")));
        assertThat(store.condition("n2", "OpticalFabricReady").getReason()).isEqualTo("NodeUnreachable");
        assertThat(store.condition("n2", "OpticalFabricReady").getLastTransitionTime())
                .isEqualTo(Scenes.NOW.toString());
        publisher.tell(outcome(Contact.SYNCED));
        assertThat(store.condition("n2", "OpticalFabricReady").getLastTransitionTime())
                .isEqualTo(now.toString());
    }

    @Test
    void aNewProcessFindsWhatAnEarlierOneSaid() {
        publisher.tell(outcome(Contact.SYNCED));
        store.writes.clear();
        new NodePublisher(store, clock).tell(outcome(Contact.SYNCED));
        assertThat(store.writes).isEmpty();
    }

    @Test
    void aNodeMadeAnewIsToldAgain() {
        publisher.tell(outcome(Contact.SYNCED));
        store.writes.clear();
        store.nodes.replaceAll(
                node -> node.getMetadata().getName().equals("n1") ? Nodes.node("n1", "another", List.of()) : node);
        publisher.tell(outcome(Contact.SYNCED));
        assertThat(store.writes).containsExactly("n1");
    }

    @Test
    void saysNothingWhileTheDriverIsAway() {
        publisher.tell(outcome(Contact.UNREACHABLE, fault(new Subject.OfNode("n2"), "NodeNotReady")));
        assertThat(store.writes).isEmpty();
    }

    @Test
    void oneRefusalKeepsNothingFromTheOthersAndIsTriedAgain() {
        store.refusals = 1;
        assertThat(publisher.tell(outcome(Contact.SYNCED))).isEqualTo(1);
        assertThat(publisher.tell(outcome(Contact.SYNCED))).isZero();
        assertThat(store.writes).containsExactlyInAnyOrder("n0", "n1", "n2");
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 409})
    void whatWasNotWrittenIsNotTakenAsTold(int code) {
        store.refusals = 1;
        store.code = code;
        assertThat(publisher.tell(outcome(Contact.SYNCED))).isEqualTo(1);
        assertThat(publisher.tell(outcome(Contact.SYNCED))).isZero();
        assertThat(store.writes).containsExactlyInAnyOrder("n0", "n1", "n2");
    }

    @Test
    void aNodeThatIsGoneIsNotWaitedFor() {
        store.refusals = 1;
        store.code = 404;
        assertThat(publisher.tell(outcome(Contact.SYNCED, fault(new Subject.OfNode("n2"), "NodeNotReady"))))
                .isEqualTo(1);
        store.nodes.removeIf(node -> node.getMetadata().getName().equals("n2"));
        assertThat(publisher.tell(outcome(Contact.SYNCED, fault(new Subject.OfNode("n2"), "NodeNotReady"))))
                .isZero();
        assertThat(store.writes).containsExactlyInAnyOrder("n0", "n1");
    }
}
