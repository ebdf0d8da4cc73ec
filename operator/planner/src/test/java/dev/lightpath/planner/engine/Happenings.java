package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.circuits.RingPlans;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement;
import dev.lightpath.planner.world.Announcement.Answer;
import dev.lightpath.planner.world.Announcement.Kind;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Counts what happens in histories of rings, because a history in which nothing happens proves nothing. */
final class Happenings {
    private static final String RING = "ring-a";

    private int passes;
    /** Passes that took over the conclusions of the pass before. */
    private int again;
    /** Passes whose plan went on from that of the pass before. */
    private int goneOn;
    /** Subjects that came to be in quarantine. */
    private int quarantined;
    /** Of these, those that a person cleared. */
    private int cleared;
    /** What ended the waiting for an answer. */
    private final Map<Kind, Integer> answers = new EnumMap<>(Kind.class);

    private @Nullable Deliberation last;

    /** Another history begins. */
    void begin() {
        last = null;
    }

    void hear(World world, Deliberation now) {
        passes++;
        if (now.decision() instanceof Decision.Adopt adopt) {
            adopt.entries().forEach(entry -> answer(world, entry));
        }
        Deliberation before = last;
        last = now;
        if (before == null) {
            return;
        }
        again += before.slices() == now.slices() ? 1 : 0;
        goneOn += RingPlans.goesOn(left(before), left(now)) ? 1 : 0;
        SortedSet<Subject> were = inQuarantine(before);
        SortedSet<Subject> are = inQuarantine(now);
        quarantined +=
                (int) are.stream().filter(subject -> !were.contains(subject)).count();
        SortedMap<String, Instant> clearances = world.rings().get(RING).clearances();
        cleared += (int) were.stream()
                .filter(subject -> !are.contains(subject) && clearances.containsKey(subject.holder()))
                .count();
    }

    private void answer(World world, Decision.Adopt.Entry entry) {
        Optional<Answer> was = world.allocation(entry.slice())
                .flatMap(Allocation::announcement)
                .flatMap(Announcement::answer);
        entry.allocation()
                .announcement()
                .flatMap(Announcement::answer)
                .filter(answer -> !Optional.of(answer).equals(was))
                .ifPresent(answer -> answers.merge(answer.kind(), 1, Integer::sum));
    }

    private static PlannerCache left(Deliberation by) {
        return by.remembered().getOrDefault(RING, PlannerCache.nothing());
    }

    private static SortedSet<Subject> inQuarantine(Deliberation now) {
        SortedSet<Subject> subjects = new TreeSet<>();
        Optional.ofNullable(now.faults().get(RING))
                .ifPresent(tracker -> tracker.faults().stream()
                        .filter(Fault::quarantined)
                        .forEach(fault -> subjects.add(fault.subject())));
        return subjects;
    }

    int passes() {
        return passes;
    }

    /** What the worlds are made for did happen. */
    void assertThatAllHappened() {
        assertThat(again).as("passes that looked at nothing anew, %s", this).isGreaterThan(passes / 20);
        // most events change what no plan goes on from: policies, nodes and places
        assertThat(goneOn).as("plans that went on, %s", this).isGreaterThan(passes / 100);
        assertThat(quarantined).as("quarantined, %s", this).isPositive();
        assertThat(cleared).as("cleared, %s", this).isPositive();
        assertThat(answers)
                .as("announcements that were answered, or not in time, %s", this)
                .isNotEmpty();
    }

    @Override
    public String toString() {
        return passes + " passes, of which " + again + " took over the conclusions of the pass before and " + goneOn
                + " went on from its plan; " + quarantined + " subjects in quarantine, " + cleared
                + " cleared; answers " + answers;
    }
}
