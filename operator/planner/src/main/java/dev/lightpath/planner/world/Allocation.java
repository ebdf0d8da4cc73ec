package dev.lightpath.planner.world;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.light.SwitchedLight;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The recorded allocation of a slice: which circuits it is meant to have. While a move waits for the agreement of the
 * job, that is the light of before.
 *
 * @param revision counts the decisions about this slice, from 1
 * @param groups members of each group; none once the slice's circuits are given up
 * @param releasing nodes that earlier revisions lit and that are not yet read back released
 * @param origin how this revision came about, empty if not recorded
 * @param circuits on optical switches
 * @param darkening circuits on optical switches that earlier revisions lit and that are not yet read back dark
 * @param prediction what is expected of the circuits, where they follow a job's traffic
 * @param announcement of a move of this light on purpose, or what came of the last one, if the job asks to be told
 */
public record Allocation(
        long revision,
        List<Group> groups,
        SortedSet<String> releasing,
        Optional<Origin> origin,
        SwitchedLight circuits,
        SwitchedLight darkening,
        Optional<Prediction> prediction,
        Optional<Announcement> announcement) {
    public Allocation {
        if (revision < 1) {
            throw new IllegalArgumentException("revision " + revision + "; revisions count from 1");
        }
        groups = List.copyOf(groups);
        releasing = Collections.unmodifiableSortedSet(new TreeSet<>(releasing));
    }

    /** An allocation that was not announced. */
    public Allocation(
            long revision,
            List<Group> groups,
            SortedSet<String> releasing,
            Optional<Origin> origin,
            SwitchedLight circuits,
            SwitchedLight darkening,
            Optional<Prediction> prediction) {
        this(revision, groups, releasing, origin, circuits, darkening, prediction, Optional.empty());
    }

    /** An allocation whose circuits follow no job's traffic. */
    public Allocation(
            long revision,
            List<Group> groups,
            SortedSet<String> releasing,
            Optional<Origin> origin,
            SwitchedLight circuits,
            SwitchedLight darkening) {
        this(revision, groups, releasing, origin, circuits, darkening, Optional.empty());
    }

    /** An allocation on a fabric of transceivers: circuits follow from the groups. */
    public Allocation(long revision, List<Group> groups, SortedSet<String> releasing, Optional<Origin> origin) {
        this(revision, groups, releasing, origin, SwitchedLight.none(), SwitchedLight.none());
    }

    /** An allocation without a recorded origin. */
    public Allocation(long revision, List<Group> groups, SortedSet<String> releasing) {
        this(revision, groups, releasing, Optional.empty());
    }

    /** This allocation, decided by a pass of this length. */
    public Allocation tookIn(Duration pass) {
        return new Allocation(
                revision,
                groups,
                releasing,
                origin.map(how -> how.tookIn(pass)),
                circuits,
                darkening,
                prediction,
                announcement);
    }

    /** This allocation once these nodes are read back released, and these circuits dark. */
    public Allocation struck(SortedSet<String> released, SwitchedLight dark) {
        SortedSet<String> left = new TreeSet<>(releasing);
        left.removeAll(released);
        return new Allocation(
                revision, groups, left, origin, circuits, darkening.minus(dark), prediction, announcement);
    }

    /** This allocation with what is expected of its circuits. */
    public Allocation expecting(Optional<Prediction> next) {
        return new Allocation(revision, groups, releasing, origin, circuits, darkening, next, announcement);
    }

    /** This allocation with what was announced of it. */
    public Allocation announced(Announcement what) {
        return new Allocation(revision, groups, releasing, origin, circuits, darkening, prediction, Optional.of(what));
    }

    /** What this light is to become once the job has answered; empty where nothing waits for that. */
    public Optional<Announcement.Move> awaited() {
        return announcement.flatMap(Announcement::move);
    }

    /** Whether light stays where it is until its job has answered. */
    public boolean awaitsAnswer() {
        return awaited().isPresent();
    }

    /** This allocation once its light moves: what it lights and the other does not is given up. */
    public Allocation moved(long next, Announcement.Move move) {
        SortedSet<String> left = new TreeSet<>(releasing);
        if (circuits.isEmpty() && move.circuits().isEmpty()) {
            left.addAll(nodes());
            move.groups().forEach(group -> group.members().forEach(member -> left.remove(member.node())));
        }
        return new Allocation(
                next,
                move.groups(),
                left,
                move.origin(),
                move.circuits(),
                circuits.and(darkening).minus(move.circuits()),
                move.prediction(),
                Optional.empty());
    }

    /** The revision of the next record. */
    public long nextRevision() {
        return 1 + Math.max(revision, announcement.map(Announcement::revision).orElse(0L));
    }

    /** This allocation with more circuits that go dark, except those that it lights. */
    public Allocation alsoDarkening(SwitchedLight more) {
        return new Allocation(
                revision,
                groups,
                releasing,
                origin,
                circuits,
                darkening.and(more.minus(circuits)),
                prediction,
                announcement);
    }

    /**
     * Members in ring order, which is rank order. Groups smaller than a node name only that node; several of them name
     * the same one.
     *
     * <p>For a torus the members are its cubes in the order of its parts. If it carries pods, there is a group of nodes
     * for each part. For circuits that follow a job's traffic a group is one stage of one replica, replica by replica.
     * It has the stage's nodes, or its fabric pod if another slice chooses the nodes or they are unknown.
     */
    public record Group(List<Member> members) {
        public Group {
            members = List.copyOf(members);
        }
    }

    /**
     * @param node its name, also the name of its optical device; for a torus without pods the name of the cube, for a
     *     stage without nodes the name of its pod
     * @param position on the ring when it was chosen. It is recorded because the Node may be gone when circuits must be
     *     derived. For a torus the index of the cube, for a stage the index of its pod
     */
    public record Member(String node, int position) {}

    /** Members of all groups, group by group; not to be changed. O(members). */
    public List<Member> members() {
        if (groups.size() == 1) {
            return groups.getFirst().members();
        }
        List<Member> members = new ArrayList<>();
        groups.forEach(group -> members.addAll(group.members()));
        return Collections.unmodifiableList(members);
    }

    /** What is done with each member, group by group. O(members). */
    public void forEachMember(Consumer<Member> each) {
        for (Group group : groups) {
            group.members().forEach(each);
        }
    }

    /** Nodes of all groups, each once. */
    public SortedSet<String> nodes() {
        SortedSet<String> nodes = new TreeSet<>();
        groups.forEach(group -> group.members().forEach(member -> nodes.add(member.node())));
        return nodes;
    }

    /** Nodes that it lights, and those that it has given up and that are not read back dark. */
    public SortedSet<String> held() {
        SortedSet<String> held = nodes();
        held.addAll(releasing);
        return held;
    }

    /** Nodes that a slice holds before this is recorded, or after. */
    public SortedSet<String> heldSince(Optional<Allocation> before) {
        SortedSet<String> held = held();
        before.ifPresent(had -> held.addAll(had.held()));
        return held;
    }

    /** Whether it lights circuits on switches, or left some that are not read back dark. */
    public boolean usesSwitches() {
        return !circuits.isEmpty() || !darkening.isEmpty();
    }

    /** Whether it gives a place: groups or circuits. */
    public boolean placed() {
        return !groups.isEmpty() || !circuits.isEmpty();
    }

    /** Whether the allocation is given up and all its circuits have been read back dark. */
    public boolean released() {
        return groups.isEmpty() && releasing.isEmpty() && circuits.isEmpty() && darkening.isEmpty();
    }
}
