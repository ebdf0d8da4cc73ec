package dev.lightpath.app.loop;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.light.Backoff;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What was started and has not ended, and what did not go well. Serves the loop's thread only. */
final class InFlightChanges {
    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    /** However long a driver asks to be left alone: its device may be well again, and light may be wanted there. */
    private static final Duration LONGEST_ASKED = Duration.ofMinutes(5);

    /**
     * Longer than any driver waits for a device before it calls it silent. What has no outcome after this time never
     * gets one, and its devices are read before they are touched again.
     */
    static final Duration LONGEST = Duration.ofMinutes(15);

    private final SortedMap<StageId, Stage> stages = new TreeMap<>();
    private final SortedMap<StageId, Instant> startedAt = new TreeMap<>();
    private final SortedMap<DeviceId, Instant> observingSince = new TreeMap<>();
    private final SortedMap<SliceId, Allocation> recording = new TreeMap<>();
    private final SortedSet<DeviceId> unsettled = new TreeSet<>();
    private final SortedSet<DeviceId> observing = new TreeSet<>();
    private final SortedMap<DeviceId, Backoff> setbacks = new TreeMap<>();
    private final SortedMap<SliceId, Backoff> refused = new TreeMap<>();

    List<Stage> stages() {
        return List.copyOf(stages.values());
    }

    /** Whether some device of the stage has not answered. */
    boolean flies(StageId stage) {
        return stages.containsKey(stage);
    }

    SortedMap<SliceId, Allocation> recording() {
        return recording;
    }

    SortedSet<DeviceId> unsettled() {
        return unsettled;
    }

    SortedSet<DeviceId> observing() {
        return observing;
    }

    SortedMap<DeviceId, Backoff> setbacks() {
        return setbacks;
    }

    SortedMap<SliceId, Backoff> refused() {
        return refused;
    }

    /** The clock was set by so much: who waits goes on waiting for as long as before. */
    void moved(Duration by) {
        setbacks.replaceAll((device, backoff) -> backoff.moved(by));
        refused.replaceAll((slice, backoff) -> backoff.moved(by));
        startedAt.replaceAll((stage, at) -> at.plus(by));
        observingSince.replaceAll((device, at) -> at.plus(by));
    }

    void started(Stage stage, Instant now) {
        stages.put(stage.id(), stage);
        startedAt.put(stage.id(), now);
    }

    /** Gives up what has no outcome for too long, and forgets setbacks whose time is over. */
    void expire(Instant now) {
        Instant latest = now.minus(LONGEST);
        for (Stage stage : List.copyOf(stages.values())) {
            Instant at = startedAt.get(stage.id());
            if (at != null && at.isBefore(latest)) {
                stage.changes()
                        .forEach(change -> answered(
                                stage.id(),
                                change.device(),
                                new ChangeOutcome.Indeterminate(
                                        "no outcome " + LONGEST.toMinutes() + " min after it" + " was started"),
                                now));
            }
        }
        Map<DeviceId, String> unread = new TreeMap<>();
        observingSince.forEach((device, at) -> {
            if (at.isBefore(latest)) {
                unread.put(device, "not read within " + LONGEST.toMinutes() + " min");
            }
        });
        observed(List.of(), unread, now);
        setbacks.values().removeIf(backoff -> backoff.isOver(now));
        refused.values().removeIf(backoff -> backoff.isOver(now));
    }

    void recording(List<Decision.Adopt.Entry> entries) {
        entries.forEach(entry -> recording.put(entry.slice(), entry.allocation()));
    }

    /** It is written. */
    void written(Decision.Adopt.Entry entry) {
        refused.remove(entry.slice());
        recorded(List.of(entry));
    }

    /** The API server refused the record of a slice. */
    void refused(SliceId slice, String why, Instant now) {
        backOff(refused, slice, Reason.REJECTED, why, Optional.empty(), now);
    }

    /** These are written, or will not be. */
    void recorded(Collection<Decision.Adopt.Entry> entries) {
        // a slice whose next record is being written by now stays
        entries.forEach(entry -> recording.remove(entry.slice(), entry.allocation()));
    }

    void observing(SortedSet<DeviceId> devices, Instant now) {
        unsettled.removeAll(devices);
        observing.addAll(devices);
        devices.forEach(device -> observingSince.put(device, now));
    }

    /** A reading ended: what could not be read, for the reason given, stays unsettled and is read again later. */
    void observed(Collection<DeviceId> read, Map<DeviceId, String> unread, Instant now) {
        observing.removeAll(read);
        observing.removeAll(unread.keySet());
        observingSince.keySet().retainAll(observing);
        unsettled.addAll(unread.keySet());
        unread.forEach((device, why) -> backOff(device, Reason.INDETERMINATE, why, Optional.empty(), now));
    }

    /** One device of a stage has its outcome: it is no longer locked by the stage. */
    void answered(StageId id, DeviceId device, ChangeOutcome outcome, Instant now) {
        land(id, device);
        switch (outcome) {
            case ChangeOutcome.Applied applied -> setbacks.remove(device);
            case ChangeOutcome.Rejected rejected ->
                backOff(device, Reason.REJECTED, rejected.text(), rejected.retryAfter(), now);
            case ChangeOutcome.Indeterminate indeterminate -> {
                unsettled.add(device);
                backOff(device, Reason.INDETERMINATE, indeterminate.text(), Optional.empty(), now);
            }
        }
    }

    private void land(StageId id, DeviceId device) {
        Stage stage = stages.remove(id);
        if (stage == null) {
            return;
        }
        List<DeviceChange> rest = new ArrayList<>();
        for (DeviceChange change : stage.changes()) {
            if (!change.device().equals(device)) {
                rest.add(change);
            }
        }
        if (rest.isEmpty()) {
            startedAt.remove(id);
        } else {
            stages.put(id, new Stage(stage.id(), stage.role(), stage.cause(), rest));
        }
    }

    private void backOff(DeviceId device, Reason reason, String text, Optional<Duration> asked, Instant now) {
        backOff(setbacks, device, reason, text, asked, now);
    }

    /** After the first one it is planned again at once, because things may just have changed; later ones wait longer. */
    private static <K> void backOff(
            SortedMap<K, Backoff> setbacks, K what, Reason reason, String text, Optional<Duration> asked, Instant now) {
        Backoff last = setbacks.get(what);
        int count = last == null || last.isOver(now) ? 1 : last.count() + 1;
        Duration wait = count == 1 ? Duration.ZERO : FIRST_WAIT.multipliedBy(1L << Math.min(count - 2, 10));
        if (wait.compareTo(LONGEST_WAIT) > 0) {
            wait = LONGEST_WAIT;
        }
        if (asked.isPresent() && asked.get().compareTo(wait) > 0) {
            wait = asked.get().compareTo(LONGEST_ASKED) > 0 ? LONGEST_ASKED : asked.get();
        }
        setbacks.put(what, new Backoff(reason, text, now.plus(wait), count));
    }
}
