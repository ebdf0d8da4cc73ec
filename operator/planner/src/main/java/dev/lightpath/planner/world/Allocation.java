package dev.lightpath.planner.world;

import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.light.SwitchedLight;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a slice was given: the ledger's entry, the truth about what was meant.
 *
 * @param revision counts the decisions about this slice, from 1
 * @param groups members of each group; none once the slice's light is given up
 * @param releasing nodes that earlier revisions lit and that are not yet read back released
 * @param origin how this revision came about, empty when nobody noted it
 * @param circuits on optical switches
 * @param darkening circuits on optical switches that earlier revisions lit and that are not yet read back dark
 * @param prediction what is expected of the circuits, where they follow a job's traffic
 */
public record Allocation(
        long revision,
        List<Group> groups,
        SortedSet<String> releasing,
        Optional<Origin> origin,
        SwitchedLight circuits,
        SwitchedLight darkening,
        Optional<Prediction> prediction) {
    public Allocation {
        if (revision < 1) {
            throw new IllegalArgumentException("revision " + revision + "; revisions count from 1");
        }
        groups = List.copyOf(groups);
        releasing = Collections.unmodifiableSortedSet(new TreeSet<>(releasing));
    }

    /** Of circuits that follow no job's traffic. */
    public Allocation(
            long revision,
            List<Group> groups,
            SortedSet<String> releasing,
            Optional<Origin> origin,
            SwitchedLight circuits,
            SwitchedLight darkening) {
        this(revision, groups, releasing, origin, circuits, darkening, Optional.empty());
    }

    /** On a fabric of transceivers: light follows from the groups. */
    public Allocation(long revision, List<Group> groups, SortedSet<String> releasing, Optional<Origin> origin) {
        this(revision, groups, releasing, origin, SwitchedLight.none(), SwitchedLight.none());
    }

    /** An allocation of which nobody noted how it came about. */
    public Allocation(long revision, List<Group> groups, SortedSet<String> releasing) {
        this(revision, groups, releasing, Optional.empty());
    }

    /** The same, decided by a pass of this length. */
    public Allocation tookIn(Duration pass) {
        return new Allocation(
                revision, groups, releasing, origin.map(how -> how.tookIn(pass)), circuits, darkening, prediction);
    }

    /** The same with more that goes dark, but what it lights. */
    public Allocation alsoDarkening(SwitchedLight more) {
        return new Allocation(
                revision, groups, releasing, origin, circuits, darkening.and(more.minus(circuits)), prediction);
    }

    /**
     * Members in ring order, which is rank order. Groups smaller than a node name it alone, several the same. Of a torus
     * the members are its cubes in the order of its parts; one that carries pods has a group for each part, of nodes. Of circuits
     * that follow a job's traffic a group is one stage of one replica, replica by replica: its nodes, or its pod where the nodes are
     * another slice's to choose or nobody knows them.
     */
    public record Group(List<Member> members) {
        public Group {
            members = List.copyOf(members);
        }
    }

    /**
     * @param node its name, also the name of its optical device; of a torus without pods the name of the cube, of a stage without
     *     nodes the name of its pod
     * @param position on the ring when it was chosen: kept, because the Node may be gone when light must be derived; of a
     *     torus the index of the cube, of a stage the index of its pod
     */
    public record Member(String node, int position) {}

    /** Nodes of all groups, each once. */
    public SortedSet<String> nodes() {
        SortedSet<String> nodes = new TreeSet<>();
        groups.forEach(group -> group.members().forEach(member -> nodes.add(member.node())));
        return nodes;
    }

    /** Whether nothing is given any more and all that was lit has been read back dark. */
    public boolean released() {
        return groups.isEmpty() && releasing.isEmpty() && circuits.isEmpty() && darkening.isEmpty();
    }
}
