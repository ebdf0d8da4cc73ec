package dev.lightpath.reading;

import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.AnnouncedMove;
import dev.lightpath.crds.slice.Announcement;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.Releasing;
import dev.lightpath.crds.slice.SwitchCircuits;
import dev.lightpath.planner.words.Words;
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
 *
 * <p>A move that is announced has parts of its own where it does not fit beside the record. They carry the revision
 * that it is to have, and are numbered from the last part downwards. So the parts of the record stay as they are.
 */
public final class SliceParts {
    /** Of one part, managed fields included: well below the 1 MiB that an object may have. */
    static final int MOST_BYTES = 600_000;
    /** The API server counts parts up to this. */
    static final int MOST_PARTS = 64;

    private static final int LONGEST_NAME = 63;

    private SliceParts() {}

    /**
     * What one slice holds of a record.
     *
     * @param number 0 of the slice itself
     */
    public record Part(int number, Allocation record) {
        /** The name of the slice that holds it. */
        public String name(String slice) {
            return number == 0 ? slice : SliceParts.name(slice, record.revision(), number);
        }
    }

    /** Whether it is a part beside another slice: a record, and no wish of its own. */
    public static boolean isPart(FabricSlice slice) {
        return slice.getSpec() != null && slice.getSpec().part() > 0;
    }

    /** The name of a part from 1; never longer than a label value, and told apart by all of the slice's name. */
    public static String name(String slice, long revision, int part) {
        String end = "-" + Integer.toString(slice.hashCode() & 0x7fffffff, 36) + "-" + revision + "-" + part;
        return Words.cut(slice, LONGEST_NAME - end.length()) + end;
    }

    /** The parts from 1 that a slice names with its record; without them it cannot be read. */
    public static List<String> names(FabricSlice slice) {
        Allocation first = slice.getStatus() == null ? null : slice.getStatus().allocation();
        return first == null ? List.of() : names(slice.getMetadata().getName(), first);
    }

    /** The same of part 0 of the record of a slice. */
    public static List<String> names(String slice, Allocation first) {
        Stream<String> record = IntStream.range(1, count(first)).mapToObj(part -> name(slice, first.revision(), part));
        Announcement announced = first.announcement();
        return announced == null
                ? record.toList()
                : Stream.concat(
                                record,
                                IntStream.rangeClosed(1, movedParts(announced))
                                        .mapToObj(part -> name(slice, announced.revision(), MOST_PARTS - part)))
                        .toList();
    }

    /** How many parts an announced move has beside part 0. */
    private static int movedParts(Announcement announced) {
        AnnouncedMove then = announced.then();
        Integer parts = then == null ? null : then.parts();
        return parts == null ? 0 : parts;
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
     * The record in parts, part 0 first. A group may go on in the next part, and so may the circuits of a switch. What
     * is announced of a record changes nothing of its parts but part 0. Linear.
     *
     * @throws IllegalArgumentException when it is larger than all parts together
     */
    public static List<Part> split(Allocation whole) {
        PartSplitter splitter = PartSplitter.of(whole);
        List<Allocation> records = splitter.parts();
        List<Part> parts = new ArrayList<>();
        List<Part> moved = new ArrayList<>();
        Announcement announced = whole.announcement();
        AnnouncedMove then = announced == null ? null : announced.then();
        Allocation first = records.getFirst();
        if (announced != null && then != null && splitter.firstBytes() + PartSplitter.bytes(then) > MOST_BYTES) {
            List<Allocation> of = PartSplitter.of(asRecord(whole.format(), announced.revision(), then))
                    .parts();
            for (Allocation record : of) {
                moved.add(new Part(MOST_PARTS - 1 - moved.size(), withParts(record, null)));
            }
            first = announcing(first, with(announced, inParts(then, of.size())));
        }
        if (records.size() + moved.size() > MOST_PARTS) {
            throw new IllegalArgumentException(
                    "an allocation of " + whole.groups().size() + " groups needs " + (records.size() + moved.size())
                            + " parts; " + MOST_PARTS + " are allowed");
        }
        parts.add(new Part(0, first));
        for (int number = 1; number < records.size(); number++) {
            parts.add(new Part(number, records.get(number)));
        }
        parts.addAll(moved);
        return List.copyOf(parts);
    }

    /** What is to move, as a record: its circuits are made, those that it releases go dark. */
    private static Allocation asRecord(int format, long revision, AnnouncedMove then) {
        return new Allocation(
                format, revision, null, then.groups(), then.lit(), releasing(List.of(), then.dark()), null, null, null);
    }

    private static AnnouncedMove inParts(AnnouncedMove then, int parts) {
        return new AnnouncedMove(List.of(), List.of(), List.of(), then.origin(), then.chosen(), then.roomFor(), parts);
    }

    private static Announcement with(Announcement announced, AnnouncedMove then) {
        return new Announcement(
                announced.revision(),
                announced.at(),
                announced.until(),
                announced.answer(),
                announced.answeredAt(),
                then);
    }

    private static Allocation announcing(Allocation record, Announcement announced) {
        return new Allocation(
                record.format(),
                record.revision(),
                record.parts(),
                record.groups(),
                record.circuits(),
                record.releasing(),
                record.origin(),
                record.chosen(),
                announced);
    }

    static Allocation withParts(Allocation record, @Nullable Integer parts) {
        return new Allocation(
                record.format(),
                record.revision(),
                parts,
                record.groups(),
                record.circuits(),
                record.releasing(),
                record.origin(),
                record.chosen(),
                record.announcement());
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
        Allocation whole = count(first) == 1 ? first : joined(slice, first, first.revision(), others(first), named);
        Announcement announced = first.announcement();
        AnnouncedMove then = announced == null ? null : announced.then();
        if (announced == null || then == null || movedParts(announced) == 0) {
            return whole;
        }
        List<Integer> numbers = IntStream.rangeClosed(1, movedParts(announced))
                .map(part -> MOST_PARTS - part)
                .boxed()
                .toList();
        Allocation moved = joined(
                slice, asRecord(first.format(), announced.revision(), then), announced.revision(), numbers, named);
        Releasing dark = moved.releasing();
        return announcing(
                whole,
                with(
                        announced,
                        new AnnouncedMove(
                                moved.groups(),
                                dark == null ? List.of() : dark.circuits(),
                                moved.circuits(),
                                then.origin(),
                                then.chosen(),
                                then.roomFor(),
                                null)));
    }

    /** The same as far as it is there: of a record whose parts are missing the first. */
    public static Allocation readable(FabricSlice slice, Collection<FabricSlice> all) {
        try {
            return joined(slice, all);
        } catch (IllegalArgumentException missing) {
            return Objects.requireNonNull(
                    Objects.requireNonNull(slice.getStatus()).allocation());
        }
    }

    private static List<Integer> others(Allocation first) {
        return IntStream.range(1, count(first)).boxed().toList();
    }

    private static Allocation joined(
            FabricSlice slice,
            Allocation first,
            long revision,
            List<Integer> others,
            Function<String, @Nullable FabricSlice> named) {
        List<GroupAllocation> groups = new ArrayList<>();
        List<SwitchCircuits> circuits = new ArrayList<>();
        List<String> nodes = new ArrayList<>();
        List<SwitchCircuits> darkening = new ArrayList<>();
        List<Allocation> records = new ArrayList<>(List.of(first));
        for (int part : others) {
            String name = name(slice.getMetadata().getName(), revision, part);
            FabricSlice found = named.apply(name);
            Allocation record = found == null || found.getStatus() == null
                    ? null
                    : found.getStatus().allocation();
            if (record == null || record.revision() != revision) {
                throw new IllegalArgumentException("FabricSlice " + name + " with part " + part + " of revision "
                        + revision + " is missing, which the record names; restore it");
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

    static @Nullable Releasing releasing(List<String> nodes, List<SwitchCircuits> circuits) {
        return nodes.isEmpty() && circuits.isEmpty() ? null : new Releasing(nodes, circuits);
    }

    private static <T> List<T> and(List<T> before, List<T> after) {
        List<T> all = new ArrayList<>(before);
        all.addAll(after);
        return all;
    }
}
