package dev.lightpath.driver.contract;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.contract.view.PortMap;
import dev.lightpath.driver.contract.view.PortUses;
import dev.lightpath.driver.contract.view.ScopeFilter;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What a request does to the circuits a device shows: its disconnects, those the conflict policy adds, its connects.
 * Pure. {@code planned} are the device's circuits when all items are in place.
 */
record ChangePlan(List<ItemResult> items, Set<CircuitPair> planned) {

    /** Owner of a present circuit, seen from the caller. */
    enum Ownership {
        /** Made by the caller's role. */
        OWN,
        /** The device's power-on position. */
        POWER_ON,
        /** Made by another role, or without the driver. */
        FOREIGN
    }

    /**
     * What a change may touch.
     *
     * @param policy which circuits in its way it may break
     * @param ownership whose a present circuit is
     * @param overrides which ports a person took out of service
     */
    record Terms(
            ScopeFilter scope,
            ConflictPolicy policy,
            PortMap ports,
            Function<CircuitPair, Ownership> ownership,
            Function<String, PortOverride> overrides) {
        private void requireInService(String port) {
            if (overrides.apply(port) != PortOverride.PORT_OVERRIDE_NONE) {
                throw ContractException.precondition(
                        ErrorReason.ERROR_REASON_PORT_OUT_OF_SERVICE,
                        "port '" + port + "' is out of service; lift it with SetPortOverride or use another",
                        Map.of("port", port));
            }
        }

        private void requireBreakable(CircuitPair blocking, CircuitPair wanted) {
            boolean allowed = switch (policy) {
                case CONFLICT_POLICY_UNSPECIFIED, CONFLICT_POLICY_SAFE, UNRECOGNIZED -> false;
                case CONFLICT_POLICY_UPDATE -> ownership.apply(blocking) != Ownership.FOREIGN;
                case CONFLICT_POLICY_OVERWRITE -> true;
            };
            if (!allowed || !scope.contains(blocking)) {
                String port = blocking.ingress().equals(wanted.ingress()) ? wanted.ingress() : wanted.egress();
                throw inUse(
                        blocking,
                        port,
                        scope.contains(blocking) ? "the conflict policy forbids breaking it" : "it leaves the scope");
            }
        }

        /** Whether a circuit whose egress is not named may be meant. */
        private boolean isCallers(CircuitPair pair) {
            return scope.contains(pair)
                    && (ownership.apply(pair) != Ownership.FOREIGN
                            || policy == ConflictPolicy.CONFLICT_POLICY_OVERWRITE);
        }
    }

    /**
     * Plans a change whose shape has been checked.
     *
     * @throws ContractException FAILED_PRECONDITION when the device's circuits or overrides forbid it
     */
    static ChangePlan of(
            SortedMap<CircuitPair, NativeCircuit> present,
            List<CircuitKey> disconnects,
            List<CircuitKey> connects,
            Terms terms) {
        Set<CircuitPair> now = new TreeSet<>(present.keySet());
        PortUses uses = terms.ports().uses(present.keySet());
        Map<CircuitPair, ItemResult> breaks = new LinkedHashMap<>();
        for (CircuitKey key : disconnects) {
            ItemResult item = disconnect(key, uses, terms);
            breaks.put(CircuitPair.of(item.getKey()), item);
            now.remove(CircuitPair.of(item.getKey()));
            uses.remove(CircuitPair.of(item.getKey()));
        }
        List<ItemResult> makes = new ArrayList<>();
        for (CircuitKey key : connects) {
            CircuitPair wanted = CircuitPair.of(key);
            if (now.contains(wanted)) {
                NativeCircuit there = present.get(wanted);
                makes.add(item(ItemAction.ITEM_ACTION_CONNECT, wanted)
                        .setState(there == null ? ItemState.ITEM_STATE_CONNECTED : standing(there))
                        .setReason(ItemReason.ITEM_REASON_ALREADY)
                        .build());
                continue;
            }
            terms.requireInService(wanted.ingress());
            terms.requireInService(wanted.egress());
            for (CircuitPair blocking : uses.inTheWay(wanted)) {
                terms.requireBreakable(blocking, wanted);
                breaks.put(
                        blocking,
                        item(ItemAction.ITEM_ACTION_DISCONNECT, blocking)
                                .setImplied(true)
                                .build());
                now.remove(blocking);
                uses.remove(blocking);
            }
            makes.add(item(ItemAction.ITEM_ACTION_CONNECT, wanted).build());
            now.add(wanted);
            uses.add(wanted);
        }
        List<ItemResult> items = new ArrayList<>(breaks.values());
        items.addAll(makes);
        return new ChangePlan(List.copyOf(items), now);
    }

    /** Of a circuit that is there already: it may still be on its way, or have failed. */
    static ItemState standing(NativeCircuit there) {
        return switch (there.state()) {
            case CIRCUIT_STATE_CONNECTED -> ItemState.ITEM_STATE_CONNECTED;
            case CIRCUIT_STATE_TUNING -> ItemState.ITEM_STATE_TUNING;
            case CIRCUIT_STATE_FAILED, CIRCUIT_STATE_UNSPECIFIED, UNRECOGNIZED -> ItemState.ITEM_STATE_FAILED;
        };
    }

    private static ItemResult disconnect(CircuitKey key, PortUses now, Terms terms) {
        Optional<CircuitPair> found = now.from(key.getIngress());
        if (found.isEmpty()) {
            return item(ItemAction.ITEM_ACTION_DISCONNECT, CircuitPair.of(key))
                    .setState(ItemState.ITEM_STATE_DARK)
                    .setReason(ItemReason.ITEM_REASON_ALREADY)
                    .build();
        }
        CircuitPair pair = found.orElseThrow();
        if (key.getEgress().isEmpty()) {
            if (!terms.isCallers(pair)) {
                throw inUse(pair, pair.ingress(), "it is not the caller's: name its egress, or use OVERWRITE");
            }
        } else if (!pair.egress().equals(key.getEgress())) {
            throw ContractException.precondition(
                    ErrorReason.ERROR_REASON_NO_SUCH_CIRCUIT,
                    "to disconnect " + CircuitPair.of(key) + ", but the device shows " + pair,
                    Map.of("ingress", pair.ingress(), "egress", pair.egress()));
        }
        return item(ItemAction.ITEM_ACTION_DISCONNECT, pair).build();
    }

    private static ContractException inUse(CircuitPair blocking, String port, String why) {
        return ContractException.precondition(
                ErrorReason.ERROR_REASON_PORT_IN_USE,
                "port '" + port + "' is used by " + blocking + ", and " + why,
                Map.of("port", port, "ingress", blocking.ingress(), "egress", blocking.egress()));
    }

    private static ItemResult.Builder item(ItemAction action, CircuitPair pair) {
        return ItemResult.newBuilder()
                .setAction(action)
                .setKey(pair.toKey())
                .setState(ItemState.ITEM_STATE_NOT_ATTEMPTED);
    }
}
