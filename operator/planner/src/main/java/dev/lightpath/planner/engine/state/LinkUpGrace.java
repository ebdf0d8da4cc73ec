package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.engine.allocation.RingPositions;
import dev.lightpath.planner.engine.allocation.TransceiverPorts;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.PortLight;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Ports of transceivers that are to carry light and have not been seen to since: their darkness is believed later.
 * Receivers may take seconds to lock, and of hundreds of circuits that are made at once the news come late. A slice
 * that waits for this light goes on waiting: one that takes another port for it tears down what is about to be lit.
 */
public final class LinkUpGrace {
    /** How long the darkness of what was made is not believed. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** How long two ends that face each other may take to see light before its absence starts to count. */
    private static final Duration LOCK_TIME = Duration.ofSeconds(1);

    /** So long a peer that was heard before is not believed. */
    private static final Duration STALE_VOICES = Duration.ofSeconds(10);

    private LinkUpGrace() {}

    /** How long a port may receive no light before that starts to count. */
    static Duration patience(FaultTracker before, Subject port) {
        return before.unproved(port).isPresent() ? PATIENCE : LOCK_TIME;
    }

    /**
     * What is left to prove of a ring; at the first look all that is lit outward and dark. O(unproved ports), at the
     * first look O(circuits).
     */
    static Map<Subject, Instant> left(World world, String driver, RingPositions positions, FaultTracker before) {
        if (before.isFirstLook()) {
            return dark(positions);
        }
        Map<Subject, Instant> left = new HashMap<>();
        if (before.unproved().isEmpty()) {
            return left;
        }
        Set<DeviceId> locked = world.locked();
        before.unproved().forEach((part, provable) -> {
            if (!(part instanceof Subject.OfPort port)
                    || positions.positionOf(port.device()) == RingPositions.NOWHERE) {
                return;
            }
            DeviceState device = positions.device(port.device());
            if (device == null || !device.present()) {
                left.put(part, provable);
                return;
            }
            boolean lit = device.lightAt(port.port()).lock() == PortLight.Lock.UP;
            boolean made = device.circuits().circuits().stream()
                    .anyMatch(circuit -> circuit.egress().equals(port.port()));
            if (!made && !locked.contains(new DeviceId(driver, port.device()))) {
                return;
            }
            next(Optional.of(provable), true, lit, false, world.now()).ifPresent(at -> left.put(part, at));
        });
        return left;
    }

    /**
     * When a port that is to carry light can be proved; empty where it is proved. What is not made can be at once when
     * it is made, but where light is there already that would prove nothing for a while.
     *
     * @param provable the same before; empty where it was proved
     * @param made whether its circuit is made
     * @param lit whether its light is seen
     * @param stale whether light is seen there that may be another's
     */
    static Optional<Instant> next(Optional<Instant> provable, boolean made, boolean lit, boolean stale, Instant now) {
        if (!made) {
            return Optional.of(stale ? now.plus(STALE_VOICES) : Instant.EPOCH);
        }
        return provable.isPresent() && !lit ? Optional.of(Instant.EPOCH) : provable.filter(now::isBefore);
    }

    private static Map<Subject, Instant> dark(RingPositions positions) {
        Map<Subject, Instant> dark = new HashMap<>();
        positions.forEach(there -> {
            DeviceState device = there.device();
            if (device == null) {
                return;
            }
            for (Circuit circuit : device.circuits().circuits()) {
                if (TransceiverPorts.leadsOut(circuit.egress())
                        && device.lightAt(circuit.egress()).lock() != PortLight.Lock.UP) {
                    dark.put(new Subject.OfPort(there.node().name(), circuit.egress()), Instant.EPOCH);
                }
            }
        });
        return dark;
    }

    /** The same and what is about to be made. O(changes). */
    public static FaultTracker and(FaultTracker tracker, RingPositions positions, Instant now, List<Due> due) {
        if (tracker.isFirstLook()) {
            return tracker;
        }
        Map<Subject, Instant> unproved = new HashMap<>(tracker.unproved());
        for (Due each : due) {
            String node = each.change().device().device();
            for (Circuit circuit : each.change().connects()) {
                if (!TransceiverPorts.leadsOut(circuit.egress())) {
                    continue;
                }
                DeviceState device = positions.device(node);
                boolean stale =
                        device != null && device.lightAt(circuit.egress()).lock() == PortLight.Lock.UP;
                next(Optional.empty(), false, stale, stale, now)
                        .ifPresent(at -> unproved.put(new Subject.OfPort(node, circuit.egress()), at));
            }
        }
        return tracker.proving(unproved);
    }
}
