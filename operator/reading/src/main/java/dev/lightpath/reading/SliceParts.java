package dev.lightpath.reading;

import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.AnnouncedMove;
import dev.lightpath.crds.slice.Announcement;
import dev.lightpath.crds.slice.ChosenCircuits;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.Releasing;
import dev.lightpath.crds.slice.SwitchCircuits;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The record of a slice that is too large for one object: numbered slices hold its parts. The slice itself is part 0;
 * it is written last and names their count, so that parts of a revision without it are void. Parts carry the revision
 * in their name, so that a new revision never overwrites the one that still counts.
 */
public final class SliceParts {
    /** Of one part, managed fields included: well below the 1 MiB that an object may have. */
    static final int MOST_BYTES = 600_000;
    /** The API server counts parts up to this. */
    static final int MOST_PARTS = 64;

    private static final int LONGEST_NAME = 63;
    /** Keys of a group in the record and in its managed fields. */
    private static final int BYTES_OF_A_GROUP = 140;
    /** Keys of the circuits of a switch in the record and in its managed fields, besides its name. */
    private static final int BYTES_OF_A_SWITCH = 140;
    /** Of a circuit between pods, a number. */
    private static final int BYTES_OF_A_CHOICE = 11;
    /** What is expected of circuits that follow traffic: of part 0 only. */
    private static final int BYTES_OF_PART_0 = 16_000;
    /** Quotes, comma, position. */
    private static final int BYTES_BESIDE_A_NAME = 10;

    private SliceParts() {}

    /** Whether it is a part beside another slice: a record, and no wish of its own. */
    public static boolean isPart(FabricSlice slice) {
        return slice.getSpec() != null && slice.getSpec().part() > 0;
    }

    /** The name of a part from 1; never longer than a label value, and told apart by all of the slice's name. */
    public static String name(String slice, long revision, int part) {
        String end = "-" + Integer.toString(slice.hashCode() & 0x7fffffff, 36) + "-" + revision + "-" + part;
        return slice.substring(0, Math.min(slice.length(), LONGEST_NAME - end.length())) + end;
    }

    /** The parts from 1 that a slice names with its record; without them it cannot be read. */
    public static List<String> names(FabricSlice slice) {
        Allocation first = slice.getStatus() == null ? null : slice.getStatus().allocation();
        return first == null
                ? List.of()
                : IntStream.range(1, count(first))
                        .mapToObj(part -> name(slice.getMetadata().getName(), first.revision(), part))
                        .toList();
    }

    /** Whether it is a part of the slice that has or had this uid. */
    public static boolean isOf(FabricSlice part, String uid) {
        return owners(part).anyMatch(owner -> uid.equals(owner.getUid()));
    }

    /**
     * Whether the slice that it is a part of is gone. It is not if a later slice of the same name names this part: a
     * person restored both. For a part that names no slice the answer is no.
     *
     * @param named gives the other slices of its namespace, null where there is none
     */
    public static boolean isLeft(FabricSlice part, Function<String, @Nullable FabricSlice> named) {
        return owners(part).findAny().isPresent()
                && owners(part).noneMatch(owner -> {
                    FabricSlice now = named.apply(owner.getName());
                    return now != null
                            && (now.getMetadata().getUid().equals(owner.getUid())
                                    || names(now).contains(part.getMetadata().getName()));
                });
    }

    private static Stream<OwnerReference> owners(FabricSlice part) {
        return part.getMetadata().getOwnerReferences().stream()
                .filter(owner -> FabricSlice.KIND.equals(owner.getKind()));
    }

    private static int count(Allocation first) {
        return first.parts() == null ? 1 : first.parts();
    }

    /**
     * The record in parts, part 0 first. A group may go on in the next part, and so may the circuits of a switch.
     * Linear.
     *
     * @throws IllegalArgumentException when it is larger than all parts together
     */
    public static List<Allocation> split(Allocation whole) {
        Splitter splitter = new Splitter(whole);
        whole.groups().forEach(splitter::group);
        whole.circuits().forEach(of -> splitter.circuits(of, false));
        Releasing releasing = whole.releasing();
        if (releasing != null) {
            releasing.nodes().forEach(splitter::releasing);
            releasing.circuits().forEach(of -> splitter.circuits(of, true));
        }
        List<Allocation> parts = splitter.parts();
        if (parts.size() > MOST_PARTS) {
            throw new IllegalArgumentException(
                    "an allocation of " + whole.groups().size() + " groups needs " + parts.size() + " parts; "
                            + MOST_PARTS + " are allowed");
        }
        return parts;
    }

    /**
     * The whole record of a slice. O(all) for each part but the first.
     *
     * @param all where its parts are looked for; those of other namespaces do not count
     * @throws IllegalArgumentException when a part is missing, naming it
     */
    public static Allocation joined(FabricSlice slice, Collection<FabricSlice> all) {
        String namespace = slice.getMetadata().getNamespace();
        return joined(
                slice,
                name -> all.stream()
                        .filter(other -> other.getMetadata().getName().equals(name)
                                && other.getMetadata().getNamespace().equals(namespace))
                        .findFirst()
                        .orElse(null));
    }

    /**
     * The whole record of a slice.
     *
     * @param named gives the other slices of its namespace, null where there is none
     * @throws IllegalArgumentException when a part is missing, naming it
     */
    public static Allocation joined(FabricSlice slice, Function<String, @Nullable FabricSlice> named) {
        Allocation first =
                Objects.requireNonNull(Objects.requireNonNull(slice.getStatus()).allocation());
        int count = count(first);
        if (count == 1) {
            return first;
        }
        List<GroupAllocation> groups = new ArrayList<>();
        List<SwitchCircuits> circuits = new ArrayList<>();
        List<String> nodes = new ArrayList<>();
        List<SwitchCircuits> darkening = new ArrayList<>();
        List<Allocation> records = new ArrayList<>(List.of(first));
        for (int part = 1; part < count; part++) {
            String name = name(slice.getMetadata().getName(), first.revision(), part);
            FabricSlice found = named.apply(name);
            Allocation record = found == null || found.getStatus() == null
                    ? null
                    : found.getStatus().allocation();
            if (record == null || record.revision() != first.revision()) {
                throw new IllegalArgumentException("allocation.parts is " + count + " and FabricSlice " + name
                        + " with part " + part + " of revision " + first.revision() + " is missing; restore it");
            }
            records.add(record);
        }
        for (Allocation record : records) {
            record.groups().forEach(group -> add(groups, group));
            record.circuits().forEach(of -> add(circuits, of));
            Releasing releasing = record.releasing();
            if (releasing != null) {
                nodes.addAll(releasing.nodes());
                releasing.circuits().forEach(of -> add(darkening, of));
            }
        }
        return new Allocation(
                first.format(),
                first.revision(),
                null,
                groups,
                circuits,
                releasing(nodes, darkening),
                first.origin(),
                first.chosen(),
                first.announcement());
    }

    private static void add(List<GroupAllocation> groups, GroupAllocation group) {
        GroupAllocation last = groups.isEmpty() ? null : groups.getLast();
        if (last != null && last.index() == group.index()) {
            groups.set(
                    groups.size() - 1,
                    new GroupAllocation(
                            group.index(), and(last.nodes(), group.nodes()), and(last.positions(), group.positions())));
        } else {
            groups.add(group);
        }
    }

    private static void add(List<SwitchCircuits> switches, SwitchCircuits of) {
        SwitchCircuits last = switches.isEmpty() ? null : switches.getLast();
        if (last != null && last.opticalSwitch().equals(of.opticalSwitch())) {
            switches.set(
                    switches.size() - 1, new SwitchCircuits(of.opticalSwitch(), and(last.circuits(), of.circuits())));
        } else {
            switches.add(of);
        }
    }

    private static @Nullable Releasing releasing(List<String> nodes, List<SwitchCircuits> circuits) {
        return nodes.isEmpty() && circuits.isEmpty() ? null : new Releasing(nodes, circuits);
    }

    private static <T> List<T> and(List<T> before, List<T> after) {
        List<T> all = new ArrayList<>(before);
        all.addAll(after);
        return all;
    }

    private static final class Splitter {
        private final Allocation whole;
        private final List<Allocation> done = new ArrayList<>();
        private List<GroupAllocation> groups = new ArrayList<>();
        private List<SwitchCircuits> circuits = new ArrayList<>();
        private List<String> releasing = new ArrayList<>();
        private List<SwitchCircuits> darkening = new ArrayList<>();
        private int bytes;

        Splitter(Allocation whole) {
            this.whole = whole;
            ChosenCircuits chosen = whole.chosen();
            this.bytes = chosen == null
                    ? 0
                    : BYTES_OF_PART_0 + BYTES_OF_A_CHOICE * chosen.circuits().size();
            Announcement announcement = whole.announcement();
            AnnouncedMove then = announcement == null ? null : announcement.then();
            if (then != null) {
                this.bytes += bytes(then);
            }
        }

        /** What is announced stands in part 0, whole. */
        private static int bytes(AnnouncedMove then) {
            int bytes = BYTES_OF_PART_0;
            for (GroupAllocation group : then.groups()) {
                bytes += BYTES_OF_A_GROUP;
                for (String node : group.nodes()) {
                    bytes += node.length() + BYTES_BESIDE_A_NAME;
                }
            }
            for (List<SwitchCircuits> light : List.of(then.dark(), then.lit())) {
                for (SwitchCircuits of : light) {
                    bytes += BYTES_OF_A_SWITCH + 2 * of.opticalSwitch().length();
                    for (String circuit : of.circuits()) {
                        bytes += circuit.length() + BYTES_BESIDE_A_NAME;
                    }
                }
            }
            return bytes;
        }

        void group(GroupAllocation group) {
            int from = 0;
            room(BYTES_OF_A_GROUP);
            for (int to = 0; to < group.nodes().size(); to++) {
                int more = group.nodes().get(to).length() + BYTES_BESIDE_A_NAME;
                if (bytes + more > MOST_BYTES) {
                    take(group, from, to);
                    close();
                    bytes += BYTES_OF_A_GROUP;
                    from = to;
                }
                bytes += more;
            }
            take(group, from, group.nodes().size());
        }

        private void take(GroupAllocation group, int from, int to) {
            if (to > from) {
                groups.add(new GroupAllocation(
                        group.index(),
                        group.nodes().subList(from, to),
                        group.positions().subList(from, to)));
            }
        }

        /** @param dark whether they are to go dark */
        void circuits(SwitchCircuits of, boolean dark) {
            int head = BYTES_OF_A_SWITCH + 2 * of.opticalSwitch().length();
            int from = 0;
            room(head);
            for (int to = 0; to < of.circuits().size(); to++) {
                int more = of.circuits().get(to).length() + BYTES_BESIDE_A_NAME;
                if (bytes + more > MOST_BYTES) {
                    take(of, from, to, dark);
                    close();
                    bytes += head;
                    from = to;
                }
                bytes += more;
            }
            take(of, from, of.circuits().size(), dark);
        }

        private void take(SwitchCircuits of, int from, int to, boolean dark) {
            if (to > from) {
                (dark ? darkening : circuits)
                        .add(new SwitchCircuits(
                                of.opticalSwitch(), of.circuits().subList(from, to)));
            }
        }

        void releasing(String node) {
            room(node.length() + BYTES_BESIDE_A_NAME);
            releasing.add(node);
        }

        private void room(int more) {
            if (bytes + more > MOST_BYTES) {
                close();
            }
            bytes += more;
        }

        private void close() {
            done.add(new Allocation(
                    whole.format(),
                    whole.revision(),
                    null,
                    groups,
                    circuits,
                    SliceParts.releasing(releasing, darkening),
                    done.isEmpty() ? whole.origin() : null,
                    done.isEmpty() ? whole.chosen() : null,
                    done.isEmpty() ? whole.announcement() : null));
            groups = new ArrayList<>();
            circuits = new ArrayList<>();
            releasing = new ArrayList<>();
            darkening = new ArrayList<>();
            bytes = 0;
        }

        List<Allocation> parts() {
            close();
            if (done.size() == 1) {
                return List.of(whole);
            }
            Allocation first = done.getFirst();
            done.set(
                    0,
                    new Allocation(
                            first.format(),
                            first.revision(),
                            done.size(),
                            first.groups(),
                            first.circuits(),
                            first.releasing(),
                            first.origin(),
                            first.chosen(),
                            first.announcement()));
            return List.copyOf(done);
        }
    }
}
