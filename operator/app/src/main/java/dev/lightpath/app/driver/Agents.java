package dev.lightpath.app.driver;

import dev.lightpath.planner.light.AgentMemory;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.planner.words.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The agents of many nodes, shown as one driver: each tells of the device of its node's name, and nothing else that it
 * lists counts. While one is away, its device is {@link DeviceState.Presence#AWAY}, and the others are cared for. Before
 * each of them was called once they are not synced: what is decided on some of the nodes would look as if the others
 * were not there. What one alone says of other writers is not held against the others: two have to say it.
 */
final class Agents {
    /** After this time those that nothing was heard of are away. */
    static final Duration FIRST_CALLS = Duration.ofSeconds(30);

    /** As many agents as no single node can speak for. */
    private static final int WITNESSES = 2;

    private static final int MOST_NAMED = 3;
    private static final int MOST_VERSIONS = 3;

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
        SortedMap<String, DeviceState> devices = new TreeMap<>();
        SortedMap<String, AgentMemory> memories = new TreeMap<>();
        SortedSet<String> foreign = new TreeSet<>();
        SortedMap<String, Integer> versions = new TreeMap<>();
        SortedMap<String, Long> told = new TreeMap<>();
        List<String> away = new ArrayList<>();
        Map<String, Absent> absentNow = new HashMap<>();
        Contact contact = Contact.UNREACHABLE;
        int stale = 0;
        boolean plaintext = false;
        long highest = 0;
        String name = "";
        int answering = 0;
        for (String node : links.keySet()) {
            DriverState state = states.get(node);
            if (state == null) {
                continue;
            }
            DeviceState device = state.devices().get(node);
            plaintext |= state.plaintext();
            state.told().forEach((role, revision) -> told.merge(role, revision, Math::max));
            if (DriverState.raisable(state.highestEpoch())) {
                highest = Math.max(highest, state.highestEpoch());
            }
            boolean overtaken = state.contact() == Contact.STALE_EPOCH && DriverState.raisable(state.highestEpoch());
            AgentMemory memory = new AgentMemory(state.strange(), state.revisions(), overtaken);
            boolean held = state.foreign().contains(node);
            if (!memory.isEmpty() || held) {
                memories.put(node, memory);
            }
            if (held) {
                foreign.add(node);
            }
            stale += overtaken ? 1 : 0;
            if (state.synced() || state.contact() == Contact.FOREIGN_ROLE) {
                answering++;
                if (contact != Contact.SYNCED) {
                    contact = state.contact();
                }
                name = name.isEmpty() ? state.name() : name;
                versions.merge(state.version(), 1, Integer::sum);
                if (device != null) {
                    devices.put(node, device);
                }
            } else {
                away.add(node + " (" + state.problem().orElse("no contact") + ")");
                contact = answering == 0 && away.size() == 1 ? state.contact() : contact;
                Absent before = absent.get(node);
                Absent shownAs = before != null && before.isOf(device) ? before : Absent.of(device);
                absentNow.put(node, shownAs);
                devices.put(node, shownAs.shown());
            }
        }
        absent = absentNow;
        return new DriverState(
                stale >= WITNESSES ? Contact.STALE_EPOCH : called ? contact : Contact.UNREACHABLE,
                problem(answering, away, foreign),
                name,
                versions(versions),
                highest,
                devices,
                plaintext,
                strange(memories.values()),
                revisions(memories.values()),
                foreign,
                memories,
                told);
    }

    /** By role, the highest that two tell of. One alone is no reason to go on above it: see {@link DriverState#agents}. */
    private static SortedMap<String, EpochMark> strange(Collection<AgentMemory> memories) {
        SortedMap<String, List<EpochMark>> told = new TreeMap<>();
        memories.forEach(memory -> memory.strange()
                .forEach((role, mark) ->
                        told.computeIfAbsent(role, none -> new ArrayList<>()).add(mark)));
        SortedMap<String, EpochMark> strange = new TreeMap<>();
        told.forEach((role, marks) -> {
            marks.sort((one, other) -> Long.compareUnsigned(other.epoch(), one.epoch()));
            if (marks.size() >= WITNESSES) {
                strange.put(role, marks.get(WITNESSES - 1));
            }
        });
        return strange;
    }

    /** By role, the highest that two remember: a fabric that is made anew begins there. */
    private static SortedMap<String, Long> revisions(Collection<AgentMemory> memories) {
        SortedMap<String, List<Long>> told = new TreeMap<>();
        memories.forEach(memory -> memory.revisions()
                .forEach((role, revision) ->
                        told.computeIfAbsent(role, none -> new ArrayList<>()).add(revision)));
        SortedMap<String, Long> revisions = new TreeMap<>();
        told.forEach((role, all) -> {
            all.sort(Comparator.reverseOrder());
            if (all.size() >= WITNESSES) {
                revisions.put(role, all.get(WITNESSES - 1));
            }
        });
        return revisions;
    }

    private Optional<String> problem(int answering, List<String> away, SortedSet<String> foreign) {
        int all = answering + away.size();
        if (!called) {
            return Optional.of("calling the agents of " + all + " nodes; " + answering + " have answered");
        }
        List<String> problems = new ArrayList<>();
        if (!away.isEmpty()) {
            problems.add(answering + " of " + all + " agents answer; away: " + Words.first(MOST_NAMED, away));
        }
        if (!foreign.isEmpty()) {
            problems.add("another role holds the devices of " + Words.first(MOST_NAMED, List.copyOf(foreign)));
        }
        return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems));
    }

    /** During an upgrade there are two. */
    private static String versions(SortedMap<String, Integer> versions) {
        return versions.size() < 2
                ? String.join("", versions.keySet())
                : Words.first(
                        MOST_VERSIONS,
                        versions.entrySet().stream()
                                .map(version -> version.getKey() + " on " + version.getValue())
                                .toList());
    }

    Collection<DriverLink> all() {
        return links.values();
    }
}
