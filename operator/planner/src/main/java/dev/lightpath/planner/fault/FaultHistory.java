package dev.lightpath.planner.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one subject: its signal, and its faults of late.
 *
 * @param signalSince since when the signal has been there without a break, empty when it is gone
 * @param reason of the last signal
 * @param remark of the last signal
 * @param countsAt when a present signal counts as a fault; of a fault, when it began
 * @param faulty whether it counts now
 * @param healthySince since when the signal of a fault has been gone
 * @param onsets when faults began, within the window
 * @param occasion of the last signal
 * @param starts when signals of that occasion began, within the time that clears a fault
 * @param found whether it began before its source was first reachable: it is not part of a mass failure that was
 *     observed
 */
record FaultHistory(
        Optional<Instant> signalSince,
        String reason,
        String remark,
        Instant countsAt,
        boolean faulty,
        Optional<Instant> healthySince,
        List<Instant> onsets,
        boolean quarantined,
        String occasion,
        List<Instant> starts,
        boolean found) {
    FaultHistory moved(Duration by) {
        return new FaultHistory(
                signalSince.map(since -> since.plus(by)),
                reason,
                remark,
                countsAt.plus(by),
                faulty,
                healthySince.map(since -> since.plus(by)),
                onsets.stream().map(onset -> onset.plus(by)).toList(),
                quarantined,
                occasion,
                starts.stream().map(start -> start.plus(by)).toList(),
                found);
    }

    /** The same state, with only these onsets counted against it. */
    FaultHistory blamed(List<Instant> left, boolean stays) {
        return new FaultHistory(
                signalSince, reason, remark, countsAt, faulty, healthySince, left, stays, occasion, List.of(), found);
    }

    /** Of a fault that a person has to clear, and that an earlier process recorded. */
    static FaultHistory latched(Fault fault, Instant now) {
        return new FaultHistory(
                Optional.empty(),
                fault.reason(),
                fault.remark(),
                fault.since(),
                true,
                Optional.of(now),
                List.of(fault.since()),
                true,
                "",
                List.of(),
                false);
    }

    /** The same with another answer to whether it was found. */
    FaultHistory found(boolean whether) {
        return new FaultHistory(
                signalSince,
                reason,
                remark,
                countsAt,
                faulty,
                healthySince,
                onsets,
                quarantined,
                occasion,
                starts,
                whether);
    }

    /**
     * The same as a fault that has stood for a while.
     *
     * @param window onsets before it are forgotten
     */
    FaultHistory standing(Instant since, Signal signal, boolean latches, boolean wasFound, Instant window) {
        return new FaultHistory(
                Optional.of(since.minus(signal.hold())),
                reason,
                remark,
                since,
                true,
                Optional.empty(),
                recent(List.of(since), window),
                latches,
                occasion,
                starts,
                wasFound);
    }

    /** What is left of it after a person declared the subject healthy at a moment; empty if nothing is. */
    Optional<FaultHistory> clearedAt(Instant moment, FaultTracker.Policy policy) {
        List<Instant> later =
                onsets.stream().filter(onset -> !onset.isBefore(moment)).toList();
        if (later.size() == onsets.size() && !countsAt.isBefore(moment)) {
            return Optional.of(this);
        }
        return later.isEmpty() ? Optional.empty() : Optional.of(blamed(later, later.size() > policy.flapLimit()));
    }

    /** The history after a signal is there. */
    static FaultHistory seen(@Nullable FaultHistory before, Signal signal, Instant now, FaultTracker.Policy policy) {
        Instant since = before == null ? now : before.signalSince().orElse(now);
        Instant countsAt = since.plus(signal.hold());
        List<Instant> starts = starts(before, signal, now, policy);
        boolean wasFaulty = before != null && before.faulty();
        boolean flapping = !wasFaulty && starts.size() > policy.flapLimit();
        boolean faulty = wasFaulty || flapping || !now.isBefore(countsAt);
        List<Instant> onsets =
                before == null ? new ArrayList<>() : recent(before.onsets(), now.minus(policy.flapWindow()));
        if (faulty && !wasFaulty) {
            onsets.add(now);
        }
        boolean quarantined = (before != null && before.quarantined())
                || onsets.size() > policy.flapLimit()
                || signal.lasting() && faulty;
        boolean stillFlapping =
                before != null && wasFaulty && before.reason().equals(FaultTracker.FLAPPING) && now.isBefore(countsAt);
        return new FaultHistory(
                Optional.of(since),
                flapping || stillFlapping ? FaultTracker.FLAPPING : signal.reason(),
                signal.remark(),
                before != null && wasFaulty ? before.countsAt() : faulty ? now : countsAt,
                faulty,
                Optional.empty(),
                List.copyOf(onsets),
                quarantined,
                signal.occasion(),
                starts,
                before != null
                        && before.found()
                        && (wasFaulty || before.signalSince().isPresent()));
    }

    private static List<Instant> starts(
            @Nullable FaultHistory before, Signal signal, Instant now, FaultTracker.Policy policy) {
        List<Instant> starts = before != null && before.occasion().equals(signal.occasion())
                ? recent(before.starts(), now.minus(policy.clear()))
                : new ArrayList<>();
        if (before == null || before.signalSince().isEmpty()) {
            starts.add(now);
        }
        // more than enough are as good as enough
        return List.copyOf(starts.subList(Math.max(0, starts.size() - policy.flapLimit() - 1), starts.size()));
    }

    /** The history while no signal is there; empty once it is forgotten. */
    Optional<FaultHistory> unseen(Instant now, FaultTracker.Policy policy) {
        List<Instant> lateOnsets = recent(onsets, now.minus(policy.flapWindow()));
        List<Instant> lateStarts = recent(starts, now.minus(policy.clear()));
        boolean remembered = !lateOnsets.isEmpty() || !lateStarts.isEmpty();
        if (!faulty) {
            return remembered ? Optional.of(rest(Optional.empty(), false, lateOnsets, lateStarts)) : Optional.empty();
        }
        Instant healthy = healthySince.orElse(now);
        boolean still = quarantined || now.isBefore(healthy.plus(policy.clear()));
        return still || remembered
                ? Optional.of(rest(Optional.of(healthy), still, lateOnsets, lateStarts))
                : Optional.empty();
    }

    private FaultHistory rest(
            Optional<Instant> healthy, boolean counts, List<Instant> lateOnsets, List<Instant> lateStarts) {
        return new FaultHistory(
                Optional.empty(),
                reason,
                remark,
                countsAt,
                counts,
                healthy,
                List.copyOf(lateOnsets),
                quarantined,
                occasion,
                List.copyOf(lateStarts),
                counts && found);
    }

    /** The moments after a given one. */
    private static List<Instant> recent(List<Instant> moments, Instant after) {
        List<Instant> kept = new ArrayList<>();
        for (Instant moment : moments) {
            if (moment.isAfter(after)) {
                kept.add(moment);
            }
        }
        return kept;
    }

    /** When it changes without a new signal; empty if it does not. */
    Optional<Instant> wakeAt(FaultTracker.Policy policy) {
        if (signalSince.isPresent()) {
            return faulty ? Optional.empty() : Optional.of(countsAt);
        }
        return quarantined || !faulty ? Optional.empty() : healthySince.map(since -> since.plus(policy.clear()));
    }

    /** When what it remembers is forgotten, one by one. */
    Stream<Instant> forgottenAt(FaultTracker.Policy policy) {
        return Stream.concat(
                onsets.stream().map(onset -> onset.plus(policy.flapWindow())),
                starts.stream().map(start -> start.plus(policy.clear())));
    }
}
