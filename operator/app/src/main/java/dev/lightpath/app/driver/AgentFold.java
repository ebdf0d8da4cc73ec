package dev.lightpath.app.driver;

import dev.lightpath.planner.light.AgentMemory;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.planner.words.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The states of many agents folded into that of one driver. What one alone says of other writers is not held against
 * the others: two have to say it. Serves one fold.
 */
final class AgentFold {
    /** As many agents as no single node can speak for. */
    private static final int WITNESSES = 2;

    private static final int MOST_NAMED = 3;
    private static final int MOST_VERSIONS = 3;

    private final SortedMap<String, DeviceState> devices = new TreeMap<>();
    private final SortedMap<String, AgentMemory> memories = new TreeMap<>();
    private final SortedSet<String> foreign = new TreeSet<>();
    private final SortedMap<String, Integer> versions = new TreeMap<>();
    private final SortedMap<String, Long> told = new TreeMap<>();
    private final List<String> away = new ArrayList<>();
    private Contact contact = Contact.UNREACHABLE;
    private int overtaken;
    private boolean plaintext;
    private long highest;
    private String name = "";
    private int answering;

    /**
     * The next agent, in the order of nodes.
     *
     * @param shownAway its device as it is shown while the agent is away
     */
    void add(String node, DriverState state, Supplier<DeviceState> shownAway) {
        plaintext |= state.plaintext();
        state.told().forEach((role, revision) -> told.merge(role, revision, Math::max));
        if (DriverState.raisable(state.highestEpoch())) {
            highest = Math.max(highest, state.highestEpoch());
        }
        remember(node, state);
        if (state.synced() || state.contact() == Contact.FOREIGN_ROLE) {
            answers(node, state);
        } else {
            away.add(node + " (" + state.problem().orElse("no contact") + ")");
            contact = answering == 0 && away.size() == 1 ? state.contact() : contact;
            devices.put(node, shownAway.get());
        }
    }

    private void remember(String node, DriverState state) {
        boolean isOvertaken = state.contact() == Contact.STALE_EPOCH && DriverState.raisable(state.highestEpoch());
        overtaken += isOvertaken ? 1 : 0;
        AgentMemory memory = new AgentMemory(state.strange(), state.revisions(), isOvertaken);
        boolean held = state.foreign().contains(node);
        if (!memory.isEmpty() || held) {
            memories.put(node, memory);
        }
        if (held) {
            foreign.add(node);
        }
    }

    private void answers(String node, DriverState state) {
        answering++;
        if (contact != Contact.SYNCED) {
            contact = state.contact();
        }
        name = name.isEmpty() ? state.name() : name;
        versions.merge(state.version(), 1, Integer::sum);
        DeviceState device = state.devices().get(node);
        if (device != null) {
            devices.put(node, device);
        }
    }

    /** @param called whether each agent was called, or had the time for it: before, they are not synced */
    DriverState state(boolean called) {
        return new DriverState(
                overtaken >= WITNESSES ? Contact.STALE_EPOCH : called ? contact : Contact.UNREACHABLE,
                problem(called),
                name,
                versions(),
                highest,
                devices,
                plaintext,
                strange(),
                revisions(),
                foreign,
                memories,
                told);
    }

    /**
     * By role, the highest that two tell of. One alone is no reason to go on above it: see {@link DriverState#agents}.
     */
    private SortedMap<String, EpochMark> strange() {
        SortedMap<String, List<EpochMark>> marks = new TreeMap<>();
        memories.values()
                .forEach(memory -> memory.strange()
                        .forEach((role, mark) -> marks.computeIfAbsent(role, none -> new ArrayList<>())
                                .add(mark)));
        return witnessed(marks, (one, other) -> Long.compareUnsigned(other.epoch(), one.epoch()));
    }

    /** By role, the highest that two remember: a fabric that is made anew begins there. */
    private SortedMap<String, Long> revisions() {
        SortedMap<String, List<Long>> revisions = new TreeMap<>();
        memories.values()
                .forEach(memory -> memory.revisions()
                        .forEach((role, revision) -> revisions
                                .computeIfAbsent(role, none -> new ArrayList<>())
                                .add(revision)));
        return witnessed(revisions, Comparator.reverseOrder());
    }

    private static <T> SortedMap<String, T> witnessed(
            SortedMap<String, List<T>> byRole, Comparator<? super T> highestFirst) {
        SortedMap<String, T> witnessed = new TreeMap<>();
        byRole.forEach((role, all) -> {
            all.sort(highestFirst);
            if (all.size() >= WITNESSES) {
                witnessed.put(role, all.get(WITNESSES - 1));
            }
        });
        return witnessed;
    }

    private Optional<String> problem(boolean called) {
        int all = answering + away.size();
        if (!called) {
            return Optional.of("calling the agents of " + all + " nodes; " + answering + " have answered");
        }
        List<String> problems = new ArrayList<>();
        if (!away.isEmpty()) {
            problems.add(answering + " of " + all + " agents answer; away: " + Words.first(MOST_NAMED, away));
        }
        if (!foreign.isEmpty()) {
            problems.add("another role holds the devices of " + Words.first(MOST_NAMED, foreign));
        }
        return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems));
    }

    /** During an upgrade there are two. */
    private String versions() {
        return versions.size() < 2
                ? String.join("", versions.keySet())
                : Words.first(
                        MOST_VERSIONS,
                        versions.entrySet().stream()
                                .map(version -> version.getKey() + " on " + version.getValue())
                                .toList());
    }
}
