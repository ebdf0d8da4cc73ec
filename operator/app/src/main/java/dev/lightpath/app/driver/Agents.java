package dev.lightpath.app.driver;

import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The agents of many nodes, shown as one driver: each tells of the device of its node's name, and nothing else that it
 * lists counts. While one is away, its device is {@link DeviceState.Presence#AWAY}, and the others are cared for.
 * Before each of them was called once they are not synced: what is decided on some of the nodes would look as if the
 * others were not there.
 */
final class Agents {
    /** After this time those that nothing was heard of are away. */
    static final Duration FIRST_CALLS = Duration.ofSeconds(30);

    private final ConcurrentSkipListMap<String, DriverLink> links = new ConcurrentSkipListMap<>();
    private volatile boolean overdue;

    // guarded by this
    private boolean called;
    private Map<String, DriverState> folded = Map.of();
    private @Nullable DriverState shown;
    /** Devices as they are shown while their agents are away: the same object each time. */
    private Map<String, Absent> absent = new HashMap<>();

    /** @param known as it was known last */
    private record Absent(@Nullable DeviceState known, DeviceState shown) {
        static Absent of(@Nullable DeviceState known) {
            return new Absent(known, known == null ? DeviceState.neverReached() : known.goneAway());
        }

        @SuppressWarnings("ReferenceEquality")
        boolean isOf(@Nullable DeviceState other) {
            return known == other;
        }
    }

    @Nullable
    DriverLink of(String node) {
        return links.get(node);
    }

    void put(String node, DriverLink link) {
        links.put(node, link);
    }

    void remove(String node) {
        links.remove(node);
    }

    boolean isEmpty() {
        return links.isEmpty();
    }

    /** They had the time that first calls may take. */
    void waitNoLonger() {
        overdue = true;
    }

    /** What is known now. A constant for each agent without news; linear in agents if one has news. */
    synchronized DriverState state() {
        Map<String, DriverState> now = HashMap.newHashMap(links.size());
        boolean same = shown != null && called;
        for (Map.Entry<String, DriverLink> agent : links.entrySet()) {
            DriverState state = agent.getValue().state();
            now.put(agent.getKey(), state);
            same = same && isSame(folded.get(agent.getKey()), state);
        }
        DriverState before = shown;
        if (before != null && same && now.size() == folded.size()) {
            return before;
        }
        called = called || overdue || links.values().stream().allMatch(DriverLink::called);
        folded = now;
        DriverState next = fold(now);
        shown = next;
        return next;
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(@Nullable DriverState one, DriverState other) {
        return one == other;
    }

    private DriverState fold(Map<String, DriverState> states) {
        AgentFold fold = new AgentFold();
        Map<String, Absent> absentNow = new HashMap<>();
        for (String node : links.keySet()) {
            DriverState state = states.get(node);
            if (state != null) {
                fold.add(node, state, () -> {
                    Absent shownAs = absent(node, state.devices().get(node));
                    absentNow.put(node, shownAs);
                    return shownAs.shown();
                });
            }
        }
        absent = absentNow;
        return fold.state(called);
    }

    private Absent absent(String node, @Nullable DeviceState device) {
        Absent before = absent.get(node);
        return before != null && before.isOf(device) ? before : Absent.of(device);
    }
}
