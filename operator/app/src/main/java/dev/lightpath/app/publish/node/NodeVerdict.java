package dev.lightpath.app.publish.node;

import dev.lightpath.app.publish.status.Outcome;
import dev.lightpath.crds.NodeConditionType;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.World;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state that is written on a Node, for users who do not read Lightpath's resources.
 *
 * @param broken why the node takes no part in its optical fabric, empty when it does
 * @param degraded why some of its circuits are worse than they should be, empty when none is
 */
record NodeVerdict(Optional<Reason> broken, Optional<Reason> degraded) {
    private static final NodeVerdict WELL = new NodeVerdict(Optional.empty(), Optional.empty());

    /** A Node is sent to all who watch it, and the API server bounds nothing there. */
    private static final int LONGEST_MESSAGE = 1024;

    private static final int MOST_NAMED = 5;

    /** @param word CamelCase */
    record Reason(String word, String message) {
        Reason {
            message = Words.cut(message, LONGEST_MESSAGE);
        }
    }

    /** By name of the node; nothing is said of nodes whose driver is away, since nothing is known. Linear. */
    static Map<String, NodeVerdict> of(Outcome outcome) {
        Map<String, NodeVerdict> verdicts = new HashMap<>();
        World world = outcome.world();
        outcome.deliberation().fabrics().forEach((name, fabric) -> {
            RingIntent ring = world.rings().get(name);
            if (ring == null || !world.driver(ring.driver()).synced()) {
                return;
            }
            SortedMap<String, Reason> broken = new TreeMap<>();
            SortedMap<String, List<Reason>> ofPorts = new TreeMap<>();
            for (Fault fault : fabric.faults()) {
                String message = fault.subject().label() + ": " + fault.told()
                        + (fault.quarantined() ? ", too often; in quarantine until a person clears it" : "");
                Reason reason = new Reason(fault.reason(), message);
                switch (fault.subject()) {
                    case Subject.OfNode node -> broken.putIfAbsent(node.node(), reason);
                    case Subject.OfDevice device -> broken.putIfAbsent(device.device(), reason);
                    case Subject.OfPort port ->
                        ofPorts.computeIfAbsent(port.device(), of -> new ArrayList<>())
                                .add(reason);
                }
            }
            SortedMap<String, Reason> degraded = new TreeMap<>();
            ofPorts.forEach((node, reasons) -> degraded.put(node, several(reasons)));
            for (RingNode node : ring.nodes().values()) {
                DeviceState device = world.driver(ring.driver()).devices().get(node.name());
                boolean unknown = device != null && device.away();
                if (unknown && !broken.containsKey(node.name()) && !degraded.containsKey(node.name())) {
                    continue;
                }
                @Nullable Reason ofBroken = broken.get(node.name());
                @Nullable Reason ofDegraded = degraded.get(node.name());
                verdicts.put(
                        node.name(),
                        ofBroken == null && ofDegraded == null
                                ? WELL
                                : new NodeVerdict(Optional.ofNullable(ofBroken), Optional.ofNullable(ofDegraded)));
            }
            SortedMap<Integer, String> claims = ring.claims();
            ring.miswired().forEach((position, names) -> {
                Reason claimed = new Reason("PositionClaimedTwice", "fabric " + name + ": " + claims.get(position));
                names.forEach(node -> verdicts.put(node, outside(claimed, degraded.get(node))));
            });
            ring.astray()
                    .forEach((node, why) -> verdicts.putIfAbsent(
                            node,
                            outside(new Reason("NoSuchPosition", "fabric " + name + ": " + why), degraded.get(node))));
        });
        return verdicts;
    }

    private static Reason several(List<Reason> reasons) {
        List<String> messages =
                Words.some(MOST_NAMED, reasons.stream().map(Reason::message).toList());
        return new Reason(reasons.getFirst().word(), String.join("; ", messages));
    }

    private static NodeVerdict outside(Reason why, @Nullable Reason degraded) {
        return new NodeVerdict(Optional.of(why), Optional.ofNullable(degraded));
    }

    /** Whether a person would want to know it before others. */
    boolean bad() {
        return broken.isPresent() || degraded.isPresent();
    }

    /** Whether the conditions of a node say anything of its fabric. */
    static boolean isOfAny(Collection<NodeCondition> present) {
        return present.stream()
                .anyMatch(there -> Stream.of(NodeConditionType.values())
                        .anyMatch(type -> type.word().equals(there.getType())));
    }

    /** Whether the conditions of a node say this already. */
    boolean isSaidBy(Collection<NodeCondition> present) {
        return conditions(present, Instant.EPOCH).stream()
                .allMatch(ours -> present.stream()
                        .anyMatch(there -> ours.getType().equals(there.getType())
                                && ours.getStatus().equals(there.getStatus())
                                && ours.getReason().equals(there.getReason())
                                && ours.getMessage().equals(there.getMessage())));
    }

    /**
     * Whether the conditions of a node say something else. One that is missing, as another client took it away, says
     * nothing.
     */
    boolean isContradictedBy(Collection<NodeCondition> present) {
        return conditions(present, Instant.EPOCH).stream()
                .anyMatch(ours -> present.stream()
                        .anyMatch(there -> ours.getType().equals(there.getType())
                                && !(ours.getStatus().equals(there.getStatus())
                                        && ours.getReason().equals(there.getReason())
                                        && ours.getMessage().equals(there.getMessage()))));
    }

    /** As conditions; their time of transition moves with their status only. */
    List<NodeCondition> conditions(Collection<NodeCondition> present, Instant now) {
        List<NodeCondition> conditions = new ArrayList<>();
        conditions.add(condition(
                NodeConditionType.OPTICAL_FABRIC_READY,
                broken.isEmpty() ? "True" : "False",
                broken.orElse(new Reason("InFabric", "the node takes part in its optical fabric")),
                present,
                now));
        conditions.add(condition(
                NodeConditionType.OPTICAL_LINK_DEGRADED,
                degraded.isEmpty() ? "False" : "True",
                degraded.orElse(new Reason("LinksWell", "no port of its transceivers has failed")),
                present,
                now));
        return conditions;
    }

    private static NodeCondition condition(
            NodeConditionType type, String status, Reason reason, Collection<NodeCondition> present, Instant now) {
        String since = present.stream()
                .filter(there -> type.word().equals(there.getType()) && status.equals(there.getStatus()))
                .map(NodeCondition::getLastTransitionTime)
                .findFirst()
                .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
        return new NodeConditionBuilder()
                .withType(type.word())
                .withStatus(status)
                .withReason(reason.word())
                .withMessage(reason.message())
                .withLastHeartbeatTime(since)
                .withLastTransitionTime(since)
                .build();
    }
}
