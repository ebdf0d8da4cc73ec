package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.circuits.RingDarkness;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Decision.Adopt.Entry;
import dev.lightpath.planner.light.Backoff;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which of the records that a pass decided are written next.
 *
 * <ul>
 *   <li>Records that only strike off what is read back dark bring no light. Few are written at a time, fewer beside
 *       repairs, so that a fault which comes meanwhile waits for few. What another record takes is struck off before it.
 *   <li>While records are being written, those of other slices begin beside them: as long as the pass decides about the
 *       slices of the former what is being written, because then all of it follows from one picture; and none that has
 *       a node in common with those or with one that waits for them: where a node passes from one slice to another
 *       both records begin together, in order.
 *   <li>Circuits on switches show no nodes. Where a record has some, all are written in order, and nothing beside them.
 *   <li>A record that the API server refused is left out until its time has come, and so is what has a node, a port or
 *       the job in common with it. All others go on. On switches it is tried after all others.
 * </ul>
 */
final class NextRecords {
    /** So many are struck off at a time. */
    static final int STRUCK_AT_A_TIME = 8;

    /** And so many beside repairs. */
    static final int STRUCK_BESIDE_REPAIRS = 2;

    private final World world;
    private final List<Entry> decided;

    private NextRecords(World world, List<Entry> decided) {
        this.world = world;
        this.decided = decided;
    }

    /**
     * In the same order. O(nodes of the records).
     *
     * @param decided in the order in which they are to be written
     */
    static List<Entry> of(World world, List<Entry> decided) {
        NextRecords next = new NextRecords(world, decided);
        if (next.usesSwitches()) {
            return world.recording().isEmpty() ? next.refusedLast() : List.of();
        }
        return next.stands() ? next.pick() : List.of();
    }

    /** To write these; empty where there are none. Of one that was refused it is not known whether its light moves. */
    static Optional<Decision.Adopt> adopt(World world, List<Entry> decided) {
        List<Entry> next = of(world, decided);
        List<Entry> likely = next.stream()
                .filter(entry -> !world.refused().containsKey(entry.slice()))
                .toList();
        return next.isEmpty()
                ? Optional.empty()
                : Optional.of(new Decision.Adopt(next, RingDarkness.foreseen(world, likely)));
    }

    private boolean usesSwitches() {
        return Stream.of(
                        decided.stream().map(Entry::allocation),
                        decided.stream().flatMap(entry -> world.allocation(entry.slice()).stream()),
                        world.recording().values().stream(),
                        world.recording().keySet().stream().flatMap(slice -> world.allocation(slice).stream()))
                .flatMap(each -> each)
                .anyMatch(Allocation::usesSwitches);
    }

    /** When the first of those that are left out may be tried again. */
    static Optional<Instant> waitsUntil(World world, List<Entry> decided) {
        return decided.stream()
                .filter(entry -> world.waits(entry.slice()))
                .flatMap(entry -> Optional.ofNullable(world.refused().get(entry.slice())).stream())
                .map(Backoff::notBefore)
                .min(Comparator.naturalOrder());
    }

    /** Whether the pass decides once more what is being written, where it is not written already. */
    private boolean stands() {
        Map<SliceId, Allocation> again = new HashMap<>();
        decided.forEach(entry -> again.put(entry.slice(), entry.allocation()));
        return world.recording().entrySet().stream()
                .allMatch(each -> Optional.ofNullable(again.get(each.getKey()))
                        .or(() -> world.allocation(each.getKey()))
                        .filter(allocation -> isSameLight(allocation, each.getValue()))
                        .isPresent());
    }

    private static boolean isSameLight(Allocation one, Allocation other) {
        return one.revision() == other.revision()
                && one.groups().equals(other.groups())
                && one.releasing().equals(other.releasing())
                && one.announcement().equals(other.announcement());
    }

    private List<Entry> pick() {
        List<Entry> free = free();
        Set<String> taken = new HashSet<>();
        decided.stream().filter(entry -> !strikesOff(entry)).forEach(entry -> taken.addAll(nodes(entry)));
        List<Entry> waiting = free.stream()
                .filter(entry -> strikesOff(entry) && nodes(entry).stream().noneMatch(taken::contains))
                .toList();
        Set<SliceId> later = new HashSet<>();
        waiting.forEach(entry -> later.add(entry.slice()));
        later.removeAll(struck(waiting));
        free.removeIf(entry -> later.contains(entry.slice()));
        return free;
    }

    /**
     * What has nothing in common with what is being written or was refused, nor with what waits for that. O(nodes and
     * ports) a round.
     */
    private List<Entry> free() {
        Set<Object> waited = new HashSet<>();
        world.recording().forEach((slice, allocation) -> waited.addAll(nodes(slice, allocation)));
        decided.stream().filter(entry -> world.waits(entry.slice())).forEach(entry -> waited.addAll(shared(entry)));
        List<Entry> free = new ArrayList<>(decided);
        free.removeIf(entry -> world.recording().containsKey(entry.slice()) || world.waits(entry.slice()));
        if (waited.isEmpty()) {
            return free;
        }
        // where a node passes from one slice to another both are written, or neither
        leaveOut(free, waited);
        return free;
    }

    private void leaveOut(List<Entry> free, Set<Object> waited) {
        boolean more = true;
        while (more) {
            more = free.removeIf(entry -> waits(entry, waited));
        }
    }

    /**
     * One that fails ends the writing of those after it. So what was refused is tried last, together with what has
     * anything in common with it. O(nodes and ports) a round.
     */
    private List<Entry> refusedLast() {
        List<Entry> free = free();
        Set<SliceId> refused = world.refused().keySet();
        List<Entry> ordered = new ArrayList<>(free);
        ordered.removeIf(entry -> refused.contains(entry.slice()));
        if (ordered.size() < free.size()) {
            Set<Object> late = new HashSet<>();
            free.stream().filter(entry -> refused.contains(entry.slice())).forEach(entry -> late.addAll(shared(entry)));
            leaveOut(ordered, late);
            Set<SliceId> first = ordered.stream().map(Entry::slice).collect(Collectors.toSet());
            free.stream().filter(entry -> !first.contains(entry.slice())).forEach(ordered::add);
        }
        return ordered;
    }

    private boolean waits(Entry entry, Set<Object> waited) {
        Set<Object> shared = shared(entry);
        boolean waits = shared.stream().anyMatch(waited::contains);
        if (waits) {
            waited.addAll(shared);
        }
        return waits;
    }

    /** What other records may name too: nodes, ports of switches, and the job, whose slices go together. */
    private Set<Object> shared(Entry entry) {
        Set<Object> shared = new HashSet<>(nodes(entry));
        Stream.concat(Stream.of(entry.allocation()), world.allocation(entry.slice()).stream())
                .flatMap(allocation -> Stream.of(allocation.circuits(), allocation.darkening()))
                .forEach(light -> light.forEach(
                        (name, circuit) -> shared.addAll(PortUse.of(name, DeviceKind.ANY_TO_ANY, circuit))));
        Optional.ofNullable(world.slices().get(entry.slice())).ifPresent(slice -> shared.add(slice.job()));
        return shared;
    }

    private Set<SliceId> struck(List<Entry> waiting) {
        boolean repairs = decided.stream().anyMatch(entry -> repairs(entry.slice(), entry.allocation()))
                || world.recording().entrySet().stream().anyMatch(each -> repairs(each.getKey(), each.getValue()));
        long writing = decided.stream()
                .filter(entry -> world.recording().containsKey(entry.slice()) && strikesOff(entry))
                .count();
        long most = (repairs ? STRUCK_BESIDE_REPAIRS : STRUCK_AT_A_TIME) - writing;
        return waiting.stream().limit(Math.max(0, most)).map(Entry::slice).collect(Collectors.toSet());
    }

    /** Whether a record differs from the one before by what is read back dark, and in nothing else. */
    private boolean strikesOff(Entry entry) {
        return Optional.ofNullable(world.ledger().get(entry.slice()))
                .filter(before -> !before.lost())
                .flatMap(LedgerEntry::allocation)
                .filter(before -> before.revision() == entry.allocation().revision()
                        && before.groups().equals(entry.allocation().groups())
                        && before.announcement().equals(entry.allocation().announcement()))
                .isPresent();
    }

    /** Whether a slice that has a place gets another. */
    private boolean repairs(SliceId slice, Allocation next) {
        return next.placed()
                && world.allocation(slice)
                        .filter(before -> before.placed() && before.revision() < next.revision())
                        .isPresent();
    }

    private Set<String> nodes(Entry entry) {
        return nodes(entry.slice(), entry.allocation());
    }

    private Set<String> nodes(SliceId slice, Allocation next) {
        return next.heldSince(world.allocation(slice));
    }
}
