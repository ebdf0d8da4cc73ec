package dev.lightpath.planner.engine.decision;

import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.Due;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What there is to do besides recording, the decision of the pass included. A device whose change was started takes no
 * other before it has answered, so devices are counted and not circuits.
 *
 * @param devices with changes that are due, all fabrics
 * @param urgent of these, those that may be changed now and for whose light a slice waits
 * @param wakeAt when something becomes due by itself: a hold time or a setback ends
 */
public record Agenda(int devices, int urgent, Optional<Instant> wakeAt) {
    public static final Agenda NOTHING = new Agenda(0, 0, Optional.empty());

    /**
     * Of changes that are due on one fabric.
     *
     * @param wakeAt when more becomes due by itself
     */
    public static Agenda of(ChangeFreeze freeze, List<Due> due, Optional<Instant> wakeAt) {
        return new Agenda(
                devices(due.stream()),
                devices(due.stream().filter(change -> change.cause().bringsLight() && freeze.allows(change))),
                wakeAt);
    }

    /** Nothing but a time. */
    public static Agenda at(Optional<Instant> wakeAt) {
        return new Agenda(0, 0, wakeAt);
    }

    private static int devices(Stream<Due> due) {
        return Math.toIntExact(
                due.map(change -> change.change().device()).distinct().count());
    }

    /** Whether more is due at once, though nothing is to be started: a search goes on. */
    public boolean goesOn(Instant now) {
        return wakeAt.filter(at -> !now.isBefore(at)).isPresent();
    }

    /** The same and this. */
    public Agenda and(Agenda other) {
        return new Agenda(
                devices + other.devices,
                urgent + other.urgent,
                Stream.of(wakeAt, other.wakeAt).flatMap(Optional::stream).min(Comparator.naturalOrder()));
    }
}
