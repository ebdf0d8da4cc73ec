package dev.lightpath.planner.engine.degrading;

import dev.lightpath.planner.engine.decision.DegradingPort;
import dev.lightpath.planner.engine.decision.DegradingPort.Course;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.health.Finding;
import dev.lightpath.planner.health.HealthPolicy;
import dev.lightpath.planner.health.Place;
import dev.lightpath.planner.world.FabricIntent;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Ports that are taken out before they fail. A trend must cost no capacity: a port is taken out only if what it carries
 * finds a place elsewhere, and stays out until it is well again. Ports that are out or have failed, and carry light
 * still, have their places first. What an earlier process took out stays out until a person clears it: the baseline
 * that it was judged by is gone. Many ports that get worse at once have one cause, which is for a person to find: only
 * a few of them are taken out at a time.
 */
public final class Degrading {
    /** So many ports are taken out within one window of the mass failure. */
    static final int MOST_AT_ONCE = 4;

    /** A fibre that is touched loses light for a moment. */
    private static final Duration HOLD = Duration.ofSeconds(5);

    /**
     * Remark of the fault of a port that measures by itself what enters it. It is seen to be well again, also while no
     * circuit ends there.
     */
    public static final String ENTERING = "the light that enters gets weaker";

    /** Remark of the fault of a port at which the switch itself says that too weak light enters, and which it measures. */
    static final String ALARMED = "the switch says so of the light that enters";

    /** Where what ports carry may go; each place is promised once. */
    public interface Places {
        /** Whether what a port carries finds a place elsewhere, beside all that was promised before. */
        boolean replace(Subject port);

        /** Promises a place to what a port that is out, or has failed, still carries, if there is one. */
        void keep(Subject port);
    }

    private Degrading() {}

    /**
     * O(ports that degrade * faults), and linear in recorded faults.
     *
     * @param clearances when a person last cleared what failed, by name of the node or switch
     * @param ports that degrade, with a remark
     * @param before what counted until now
     */
    public static List<Signal> signals(
            World world,
            FabricIntent intent,
            SortedMap<String, Instant> clearances,
            SortedMap<Subject, String> ports,
            FaultTracker before,
            Supplier<Places> places) {
        List<Signal> signals = new ArrayList<>();
        if (intent.policy().health().mode() == HealthPolicy.Mode.OBSERVE) {
            return signals;
        }
        Duration hold = intent.policy().hold().compareTo(HOLD) < 0
                ? HOLD
                : intent.policy().hold();
        if (!ports.isEmpty()) {
            takeOut(signals, ports, before, places.get(), MOST_AT_ONCE - takenOut(world, intent, before), hold);
        }
        if (!world.faults().containsKey(intent.name())) {
            intent.recordedFaults().faults().stream()
                    .filter(fault -> fault.reason().equals(Finding.REASON) && !fault.quarantined())
                    .filter(fault -> !isCleared(clearances, fault))
                    .map(Fault::subject)
                    .forEach(subject -> signals.add(new Signal(subject, Finding.REASON, Duration.ZERO).untilCleared()));
        }
        return signals;
    }

    /** @param most that are taken out beside those that are out */
    private static void takeOut(
            List<Signal> signals,
            SortedMap<Subject, String> ports,
            FaultTracker before,
            Places places,
            int most,
            Duration hold) {
        before.faults().stream().map(Fault::subject).forEach(places::keep);
        int more = 0;
        for (Map.Entry<Subject, String> each : ports.entrySet()) {
            boolean out = isOut(before, each.getKey());
            if (out || more < most && places.replace(each.getKey())) {
                signals.add(new Signal(each.getKey(), Finding.REASON, hold).remarked(each.getValue()));
                more += out ? 0 : 1;
            }
        }
    }

    /** How many ports were taken out within the window that ends now. */
    private static int takenOut(World world, FabricIntent intent, FaultTracker before) {
        return (int) windowEnds(before, intent.policy())
                .filter(world.now()::isBefore)
                .count();
    }

    /** When ports that were taken out no longer keep others from being taken out. O(faults). */
    public static Stream<Instant> windowEnds(FaultTracker tracker, FabricPolicy policy) {
        return tracker.faults().stream()
                .filter(fault -> fault.reason().equals(Finding.REASON) && !tracker.found(fault.subject()))
                .map(fault -> fault.since().plus(policy.massFailureWindow()));
    }

    /** On a ring the port that measures is the port that leads the light. */
    public static SortedMap<Place, Subject.OfPort> ofRing(FaultTracker tracker) {
        SortedMap<Place, Subject.OfPort> ports = new TreeMap<>();
        tracker.light().findings().keySet().forEach(place -> ports.put(place, itself(place)));
        return ports;
    }

    public static Subject.OfPort itself(Place place) {
        return new Subject.OfPort(place.device(), place.port());
    }

    /**
     * Ports whose light gets worse, and what becomes of them.
     *
     * @param tracker of now
     * @param ports whose circuits are concerned, by where that is measured; what is measured elsewhere is only told
     */
    public static List<DegradingPort> of(
            FaultTracker tracker, FabricIntent intent, SortedMap<Place, Subject.OfPort> ports) {
        return tracker.light().findings().values().stream()
                .map(finding -> {
                    Optional<Subject.OfPort> port = Optional.ofNullable(ports.get(finding.place()));
                    return new DegradingPort(
                            port.<Subject>map(of -> of)
                                    .orElseGet(() -> Subject.of(
                                            finding.place().device(),
                                            finding.place().port())),
                            finding,
                            port.filter(of -> finding.certain() || isOut(tracker, of))
                                    .map(of -> course(tracker, intent, of))
                                    .orElse(Course.TOLD));
                })
                .toList();
    }

    private static Course course(FaultTracker tracker, FabricIntent intent, Subject port) {
        if (isOut(tracker, port)) {
            return Course.TAKEN_OUT;
        }
        // another fault took it out, which is told among the faults
        if (tracker.faulty(port)) {
            return Course.TOLD;
        }
        return switch (intent.policy().health().mode()) {
            case OBSERVE -> Course.TOLD;
            case TAKE_OUT -> tracker.awaited(port) ? Course.LEAVING : Course.HELD;
        };
    }

    public static boolean isCleared(SortedMap<String, Instant> clearances, Fault fault) {
        Instant cleared = clearances.get(fault.subject().holder());
        return cleared != null && cleared.isAfter(fault.since());
    }

    public static boolean isOut(FaultTracker before, Subject port) {
        return before.faults().stream()
                .anyMatch(
                        fault -> fault.subject().equals(port) && fault.reason().equals(Finding.REASON));
    }
}
