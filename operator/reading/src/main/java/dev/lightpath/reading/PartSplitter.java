package dev.lightpath.reading;

import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.AnnouncedMove;
import dev.lightpath.crds.slice.ChosenCircuits;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.Releasing;
import dev.lightpath.crds.slice.SwitchCircuits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a record into parts that each fit into one object, in the order groups, circuits, what is released. Serves one
 * record.
 */
final class PartSplitter {
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

    private final Allocation whole;
    private final List<Allocation> done = new ArrayList<>();
    private List<GroupAllocation> groups = new ArrayList<>();
    private List<SwitchCircuits> circuits = new ArrayList<>();
    private List<String> releasing = new ArrayList<>();
    private List<SwitchCircuits> darkening = new ArrayList<>();
    private int bytes;
    private @Nullable Integer firstBytes;

    private PartSplitter(Allocation whole) {
        this.whole = whole;
        ChosenCircuits chosen = whole.chosen();
        this.bytes = chosen == null
                ? 0
                : BYTES_OF_PART_0 + BYTES_OF_A_CHOICE * chosen.circuits().size();
    }

    static PartSplitter of(Allocation whole) {
        PartSplitter splitter = new PartSplitter(whole);
        whole.groups().forEach(splitter::group);
        whole.circuits().forEach(of -> splitter.circuits(of, false));
        Releasing releasing = whole.releasing();
        if (releasing != null) {
            releasing.nodes().forEach(splitter::releasing);
            releasing.circuits().forEach(of -> splitter.circuits(of, true));
        }
        return splitter;
    }

    /** What part 0 takes without what is announced. */
    int firstBytes() {
        return firstBytes == null ? bytes : firstBytes;
    }

    /** What an announced move takes, whole. */
    static int bytes(AnnouncedMove then) {
        ChosenCircuits chosen = then.chosen();
        int bytes = BYTES_OF_PART_0
                + (chosen == null ? 0 : BYTES_OF_A_CHOICE * chosen.circuits().size());
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
            if (bytes + more > SliceParts.MOST_BYTES) {
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
            if (bytes + more > SliceParts.MOST_BYTES) {
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
                    .add(new SwitchCircuits(of.opticalSwitch(), of.circuits().subList(from, to)));
        }
    }

    void releasing(String node) {
        room(node.length() + BYTES_BESIDE_A_NAME);
        releasing.add(node);
    }

    private void room(int more) {
        if (bytes + more > SliceParts.MOST_BYTES) {
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
        firstBytes = firstBytes();
        bytes = 0;
    }

    List<Allocation> parts() {
        close();
        if (done.size() == 1) {
            return List.of(whole);
        }
        done.set(0, SliceParts.withParts(done.getFirst(), done.size()));
        return List.copyOf(done);
    }
}
