package dev.lightpath.planner.fault;

import dev.lightpath.planner.health.OpticalHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Debounces signals: which of them count as faults, and for how long after they are gone. Immutable; {@link #advance}
 * gives the tracker of the next pass.
 *
 * <p>A fault begins once its signal has held for the signal's own hold time. It clears after {@code clear} of health. A
 * subject with more than {@code flapLimit} faults within {@code flapWindow} is quarantined until a person clears it
 * (spec: faults, 1). A signal that comes more than {@code flapLimit} times within {@code clear}, each time too short to
 * count, is a fault as well (ADR 21).
 */
public final class FaultTracker {
    /** Reason of a signal that comes and goes before it counts. */
    public static final String FLAPPING = "Flapping";

    /**
     * @param clear health that ends a fault
     * @param flapLimit faults within the window that are still tolerated
     * @param flapWindow the window
     */
    public record Policy(Duration clear, int flapLimit, Duration flapWindow) {
        public static Policy standard(Duration clear) {
            return new Policy(clear, 5, Duration.ofMinutes(10));
        }
    }

    private final SortedMap<Subject, FaultHistory> entries;
    private final NewNodes newNodes;
    private final Optional<Map<Subject, Instant>> unproved;
    /** Faults that an earlier process recorded, of sources that were not reachable yet. */
    private final Map<Subject, Fault> told;
    /**
     * Set if a mass failure stood then and the record had no room for all its faults: those left out are at least as
     * old as this.
     */
    private final Optional<Instant> older;
    /** Whether a mass failure stood then. */
    private final boolean massFailure;
    /** Signal sources that were reachable at least once. */
    private final Set<String> heard;
    /** What the last stages made. */
    private final StageProof stage;
    /** How the light of ports fares. */
    private final OpticalHealth light;

    private FaultTracker(
            SortedMap<Subject, FaultHistory> entries,
            NewNodes newNodes,
            Optional<Map<Subject, Instant>> unproved,
            Map<Subject, Fault> told,
            Optional<Instant> older,
            boolean massFailure,
            Set<String> heard,
            StageProof stage,
            OpticalHealth light) {
        this.light = light;
        this.stage = stage;
        this.told = told;
        this.older = older;
        this.massFailure = massFailure;
        this.heard = heard;
        this.newNodes = newNodes;
        this.entries = Collections.unmodifiableSortedMap(entries);
        this.unproved = unproved;
    }

    /** A tracker without entries. */
    public static FaultTracker opened(Instant now) {
        return opened(now, RecordedFaults.none());
    }

    /**
     * A tracker that continues that of an earlier process. Faults that a person has to clear stay until then. Other
     * recorded faults that are still there have been there since their recorded time.
     *
     * @param told the recorded faults
     */
    public static FaultTracker opened(Instant now, RecordedFaults told) {
        SortedMap<Subject, FaultHistory> entries = new TreeMap<>();
        Map<Subject, Fault> standing = new TreeMap<>();
        for (Fault fault : told.faults()) {
            standing.put(fault.subject(), fault);
            if (fault.quarantined()) {
                entries.put(fault.subject(), FaultHistory.latched(fault, now));
            }
        }
        Optional<Instant> oldest = standing.values().stream().map(Fault::since).min(Comparator.naturalOrder());
        return new FaultTracker(
                entries,
                NewNodes.none(),
                Optional.empty(),
                standing,
                told.massFailure() && !told.all() ? oldest : Optional.empty(),
                told.massFailure(),
                Set.of(),
                StageProof.NONE,
                OpticalHealth.NONE);
    }

    /**
     * When a part that was made to carry light and has not been seen lit since can be proved; empty for all others. At
     * the first look everything is unproved.
     */
    public Optional<Instant> unproved(Subject part) {
        return unproved.map(parts -> Optional.ofNullable(parts.get(part))).orElse(Optional.of(Instant.EPOCH));
    }

    /** Whether this is the first look, at which nothing is proved yet. */
    public boolean isFirstLook() {
        return unproved.isEmpty();
    }

    /** What is known to be unproved, with the time when it can be proved; not to be changed. */
    public Map<Subject, Instant> unproved() {
        return unproved.orElse(Map.of());
    }

    /** The same tracker, which remembers these. @param parts kept, so never to be changed */
    public FaultTracker proving(Map<Subject, Instant> parts) {
        return unproved.filter(parts::equals).isPresent()
                ? this
                : new FaultTracker(
                        entries, newNodes, Optional.of(parts), told, older, massFailure, heard, stage, light);
    }

    /** Which links of the stages before are still to pass. */
    public StageProof stage() {
        return stage;
    }

    /** How the light of ports fares. */
    public OpticalHealth light() {
        return light;
    }

    /** The same tracker, which knows this of the light of ports. */
    public FaultTracker watching(OpticalHealth known) {
        return known == light
                ? this
                : new FaultTracker(entries, newNodes, unproved, told, older, massFailure, heard, stage, known);
    }

    /** The same tracker, which waits for these links. */
    public FaultTracker awaiting(StageProof links) {
        return links.equals(stage)
                ? this
                : new FaultTracker(entries, newNodes, unproved, told, older, massFailure, heard, links, light);
    }

    /**
     * Whether a fault began before its source was first reachable. It is then not part of a mass failure that was
     * observed.
     */
    public boolean found(Subject subject) {
        FaultHistory entry = entries.get(subject);
        return entry != null && entry.found();
    }

    /**
     * The tracker after the signals of this moment: this one if nothing changes. Linear in signals and entries.
     *
     * @param sources entries of subjects whose source is not reachable stay as they are
     */
    public FaultTracker advance(Collection<Signal> signals, SignalSources sources, Instant now, Policy policy) {
        return advance(signals, newNodes.known().orElse(Set.of()), sources, now, policy);
    }

    /**
     * The same, with nodes that come and go. A signal of a node that came after the first look counts, but ends as soon
     * as it is gone, until the node has been healthy once.
     *
     * @param there names of the existing nodes; kept, so never to be changed
     */
    public FaultTracker advance(
            Collection<Signal> signals, Set<String> there, SignalSources sources, Instant now, Policy policy) {
        SortedMap<Subject, Signal> present = new TreeMap<>();
        SortedSet<String> troubled = new TreeSet<>();
        for (Signal signal : signals) {
            present.merge(signal.subject(), signal, FaultTracker::sooner);
            troubled.add(signal.subject().holder());
        }
        NewNodes newer = newNodes.look(there, troubled, this::knows);
        SortedMap<Subject, FaultHistory> next = new TreeMap<>();
        present.forEach((subject, signal) -> {
            FaultHistory before = entries.get(subject);
            boolean first = !heard.contains(sources.source().apply(subject));
            FaultHistory entry =
                    first ? first(before, signal, now, policy) : FaultHistory.seen(before, signal, now, policy);
            next.put(subject, newer.unready().contains(subject.holder()) ? entry.blamed(List.of(), false) : entry);
        });
        entries.forEach((subject, entry) -> {
            if (!sources.hears(subject)) {
                next.put(subject, entry);
            } else if (!present.containsKey(subject) && !isNew(subject)) {
                entry.unseen(now, policy).ifPresent(kept -> next.put(subject, kept));
            }
        });
        Map<Subject, Fault> left = unheard(sources);
        Set<String> sourcesHeard = heardToo(sources.heard());
        boolean same = left == told && sourcesHeard == heard && newer.isAs(newNodes) && next.equals(entries);
        return same
                ? this
                : new FaultTracker(next, newer, unproved, left, older, massFailure, sourcesHeard, stage, light);
    }

    private Set<String> heardToo(Set<String> now) {
        if (heard.containsAll(now)) {
            return heard;
        }
        Set<String> all = new HashSet<>(heard);
        all.addAll(now);
        return all;
    }

    private Map<Subject, Fault> unheard(SignalSources sources) {
        if (told.isEmpty() || told.keySet().stream().noneMatch(sources::hears)) {
            return told;
        }
        Map<Subject, Fault> left = new TreeMap<>(told);
        left.keySet().removeIf(sources::hears);
        return left;
    }

    /**
     * The entry of a signal that is there when its source is first reachable. A recorded fault has stood since its
     * recorded time, and is part of a mass failure only if one stood. Kubernetes knew Nodes all the time, so the start
     * of their signals is unknown.
     */
    private FaultHistory first(
            @org.jspecify.annotations.Nullable FaultHistory latched, Signal signal, Instant now, Policy policy) {
        FaultHistory entry = FaultHistory.seen(latched, signal, now, policy);
        @org.jspecify.annotations.Nullable Fault fault = told.get(signal.subject());
        if (fault == null && older.isEmpty()) {
            return entry.found(signal.subject() instanceof Subject.OfNode);
        }
        Instant began = fault == null ? older.orElse(now) : fault.since();
        return entry.standing(
                began.isAfter(now) ? now : began,
                signal,
                signal.lasting() || fault != null && fault.quarantined(),
                !massFailure,
                now.minus(policy.flapWindow()));
    }

    private boolean knows(String holder) {
        return entries.keySet().stream().anyMatch(subject -> subject.holder().equals(holder));
    }

    /**
     * Whether it belongs to a node that has not been healthy since it came: the node is not ready yet, and has not
     * failed.
     */
    public boolean isNew(Subject subject) {
        return newNodes.unready().contains(subject.holder());
    }

    /**
     * The tracker after a person declared nodes healthy. Faults on them, their devices and ports that began before that
     * moment are dropped, quarantine included. A signal that is still there is a new fault. Linear in entries.
     *
     * @param at by node, the moment before which faults are over
     */
    public FaultTracker cleared(Map<String, Instant> at, Policy policy) {
        if (at.isEmpty() || entries.isEmpty()) {
            return this;
        }
        SortedMap<Subject, FaultHistory> left = new TreeMap<>();
        entries.forEach((subject, entry) -> {
            Instant moment = at.get(subject.holder());
            if (moment == null || entry.onsets().isEmpty() && !entry.faulty()) {
                left.put(subject, entry);
            } else {
                entry.clearedAt(moment, policy).ifPresent(kept -> left.put(subject, kept));
            }
        });
        return left.equals(entries)
                ? this
                : new FaultTracker(left, newNodes, unproved, told, older, massFailure, heard, stage, light);
    }

    /**
     * This tracker after the wall clock was set; all durations stay the same. Linear in entries.
     *
     * @param by how much later the clock shows the same moment; negative when it was set back
     */
    public FaultTracker moved(Duration by) {
        SortedMap<Subject, FaultHistory> moved = new TreeMap<>();
        entries.forEach((subject, entry) -> moved.put(subject, entry.moved(by)));
        Optional<Map<Subject, Instant>> proving = unproved.map(parts -> {
            Map<Subject, Instant> later = new HashMap<>(parts);
            later.replaceAll((part, since) -> since.plus(by));
            return later;
        });
        Map<Subject, Fault> standing = new TreeMap<>(told);
        standing.replaceAll((subject, fault) -> fault.moved(by));
        return new FaultTracker(
                moved,
                newNodes,
                proving,
                standing,
                older.map(since -> since.plus(by)),
                massFailure,
                heard,
                stage.moved(by),
                light.moved(by));
    }

    private static Signal sooner(Signal a, Signal b) {
        int order = a.hold().compareTo(b.hold());
        if (order == 0) {
            order = a.reason().compareTo(b.reason());
        }
        return order <= 0 ? a : b;
    }

    /** Whether the subject counts as faulty. */
    public boolean faulty(Subject subject) {
        FaultHistory entry = entries.get(subject);
        return entry != null && entry.faulty();
    }

    /** Whether a signal of it holds that does not count yet. */
    public boolean awaited(Subject subject) {
        FaultHistory entry = entries.get(subject);
        return entry != null && !entry.faulty() && entry.signalSince().isPresent();
    }

    /** The faults that count now, newest first, then by subject. */
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>();
        entries.forEach((subject, entry) -> {
            if (entry.faulty()) {
                faults.add(new Fault(subject, entry.reason(), entry.countsAt(), entry.quarantined(), entry.remark()));
            }
        });
        faults.sort(Comparator.comparing(Fault::since).reversed().thenComparing(Fault::subject));
        return List.copyOf(faults);
    }

    /**
     * When the tracker changes without a new signal: a hold runs out or a fault clears. Empty when nothing is pending.
     */
    public Optional<Instant> wakeAt(Policy policy) {
        return entries.values().stream()
                .flatMap(entry -> entry.wakeAt(policy).stream())
                .min(Comparator.naturalOrder());
    }

    /**
     * Until when {@link #advance} leaves the tracker as it is if no signal comes or goes: until then nothing counts,
     * clears or is forgotten. Empty where that is for ever. Linear in entries.
     */
    public Optional<Instant> steadyUntil(Policy policy) {
        Stream<Instant> forgotten = entries.values().stream().flatMap(entry -> entry.forgottenAt(policy));
        return Stream.concat(wakeAt(policy).stream(), forgotten).min(Comparator.naturalOrder());
    }
}
