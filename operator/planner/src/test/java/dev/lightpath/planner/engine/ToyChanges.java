package dev.lightpath.planner.engine;

import dev.lightpath.planner.light.Backoff;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** What the switches of a {@link ToyOcs} make of changes, at once or in the end. */
final class ToyChanges {
    private final ToyOcs toy;
    private final SortedMap<DeviceId, Backoff> setbacks = new TreeMap<>();
    private final SortedMap<DeviceId, Integer> refusals = new TreeMap<>();
    private final List<Stage> flying = new ArrayList<>();
    /** Changes that an earlier process asked for: the device tells that an operation is open, and nothing else. */
    private final List<Stage> landing = new ArrayList<>();

    ToyChanges(ToyOcs toy) {
        this.toy = toy;
    }

    List<Stage> underWay() {
        return flying;
    }

    SortedMap<DeviceId, Backoff> setbacks() {
        return setbacks;
    }

    /** Of an earlier process, still open on a switch. */
    Optional<String> operation(OcsSwitch of) {
        return landing.stream()
                .filter(stage -> stage.devices().contains(of.device()))
                .map(stage -> stage.id().toString())
                .findFirst();
    }

    /** Another process goes on, and what is under way ends later. */
    void leaveUnderWay() {
        landing.addAll(flying);
        flying.clear();
    }

    /** One of the changes that are under way ends; false where there is none. */
    boolean endNext() {
        List<Stage> next = flying.isEmpty() ? landing : flying;
        if (next.isEmpty()) {
            return false;
        }
        light(next.removeFirst());
        return true;
    }

    /** All changes of this process end, and nobody remembers what devices failed to do. */
    void endAll() {
        flying.forEach(this::light);
        flying.clear();
        setbacks.clear();
        refusals.clear();
    }

    void apply(Stage stage) {
        if (landing.stream().anyMatch(other -> !Collections.disjoint(other.devices(), stage.devices()))) {
            stage.devices()
                    .forEach(device -> setbacks.put(
                            device,
                            new Backoff(
                                    Reason.REJECTED, "another operation is open", toy.now.plus(ToyOcs.SETBACK), 1)));
            return;
        }
        for (DeviceChange change : stage.changes()) {
            String name = nameOf(change);
            if (toy.refusing.contains(name)) {
                refuse(change, "configuration is locked");
                continue;
            }
            change.disconnects().forEach(circuit -> {
                if (!toy.lit.get(name).contains(circuit)) {
                    throw new AssertionError(name + " has no circuit " + circuit + " to take down");
                }
                if (moves(name, circuit.ingress()) & moves(name, circuit.egress())) {
                    toy.lit.get(name).remove(circuit);
                    toy.watch.run();
                }
            });
            if (toy.breaking.contains(name) && !change.connects().isEmpty()) {
                refuse(change, "no circuit could be made");
            } else {
                answer(change, toy.lit.get(name));
            }
        }
        if (toy.slow) {
            flying.add(stage);
        } else {
            light(stage);
        }
    }

    private boolean moves(String name, String port) {
        if (toy.stuck.contains(name + "/" + port)) {
            toy.failedPorts.computeIfAbsent(name, of -> new TreeMap<>()).put(port, DeviceState.STUCK);
            return false;
        }
        return !toy.deaf.contains(name + "/" + port);
    }

    /** As the loop does: the first refusal is planned again at once, later ones wait. */
    private void answer(DeviceChange change, SortedSet<Circuit> left) {
        if (Collections.disjoint(change.disconnects(), left)) {
            setbacks.remove(change.device());
            refusals.remove(change.device());
        } else {
            refuse(change, "element does not move");
        }
    }

    private void refuse(DeviceChange change, String why) {
        int count = refusals.merge(change.device(), 1, Integer::sum);
        setbacks.put(
                change.device(),
                new Backoff(Reason.REJECTED, why, toy.now.plus(count == 1 ? Duration.ZERO : ToyOcs.SETBACK), count));
    }

    private void light(Stage stage) {
        for (DeviceChange change : stage.changes()) {
            String name = nameOf(change);
            if (toy.refusing.contains(name) || toy.breaking.contains(name)) {
                continue;
            }
            SortedSet<Circuit> circuits = toy.lit.get(name);
            List<Circuit> inTheWay =
                    change.disconnects().stream().filter(circuits::contains).toList();
            for (Circuit circuit : change.connects()) {
                if (inTheWay.stream()
                        .anyMatch(other -> shares(toy.switches.get(name).kind(), circuit, other))) {
                    continue;
                }
                for (Circuit other : circuits) {
                    if (shares(toy.switches.get(name).kind(), circuit, other)) {
                        throw new AssertionError(name + ": " + circuit + " uses a port of " + other);
                    }
                }
                circuits.add(circuit);
                toy.watch.run();
            }
        }
    }

    private String nameOf(DeviceChange change) {
        return toy.switches.values().stream()
                .filter(of -> of.device().equals(change.device()))
                .map(OcsSwitch::name)
                .findFirst()
                .orElseThrow();
    }

    private static boolean shares(DeviceKind kind, Circuit a, Circuit b) {
        boolean straight = a.ingress().equals(b.ingress()) || a.egress().equals(b.egress());
        return straight
                || (kind == DeviceKind.ANY_TO_ANY
                        && (a.ingress().equals(b.egress()) || a.egress().equals(b.ingress())));
    }
}
