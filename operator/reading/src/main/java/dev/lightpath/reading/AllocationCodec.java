package dev.lightpath.reading;

import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.AllocationOrigin;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.Releasing;
import dev.lightpath.crds.slice.SwitchCircuits;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Origin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/** The ledger's record in a FabricSlice, written and read back. */
public final class AllocationCodec {
    private AllocationCodec() {}

    /** As this version writes it. */
    public static Allocation write(dev.lightpath.planner.world.Allocation allocation) {
        List<GroupAllocation> groups = groups(allocation.groups());
        Releasing releasing =
                allocation.releasing().isEmpty() && allocation.darkening().isEmpty()
                        ? null
                        : new Releasing(List.copyOf(allocation.releasing()), switches(allocation.darkening()));
        return new Allocation(
                Allocation.CURRENT_FORMAT,
                allocation.revision(),
                null,
                groups,
                switches(allocation.circuits()),
                releasing,
                allocation.origin().map(AllocationCodec::origin).orElse(null),
                allocation.prediction().map(PredictionCodec::write).orElse(null),
                allocation
                        .announcement()
                        .map(announced -> AnnouncementCodec.write(allocation, announced))
                        .orElse(null));
    }

    /**
     * @throws IllegalArgumentException when the record is of an unknown format or contradicts itself, naming what and
     *     what is allowed: nothing may be concluded from it, and nothing written over it
     */
    public static dev.lightpath.planner.world.Allocation read(Allocation record) {
        if (record.format() != Allocation.CURRENT_FORMAT) {
            throw new IllegalArgumentException(
                    "allocation.format " + record.format() + " is not known; this version reads "
                            + Allocation.CURRENT_FORMAT + ", run the version that wrote it");
        }
        List<dev.lightpath.planner.world.Allocation.Group> groups = record.groups().stream()
                .sorted(Comparator.comparingInt(GroupAllocation::index))
                .map(AllocationCodec::group)
                .toList();
        Releasing releasing = record.releasing();
        dev.lightpath.planner.world.Allocation plain = new dev.lightpath.planner.world.Allocation(
                record.revision(),
                groups,
                releasing == null ? new TreeSet<>() : new TreeSet<>(releasing.nodes()),
                Optional.ofNullable(record.origin()).flatMap(AllocationCodec::origin),
                light(record.circuits()),
                releasing == null ? SwitchedLight.none() : light(releasing.circuits()),
                Optional.ofNullable(record.chosen()).map(PredictionCodec::read));
        return record.announcement() == null
                ? plain
                : plain.announced(AnnouncementCodec.read(plain, record.announcement()));
    }

    static AllocationOrigin origin(Origin origin) {
        return new AllocationOrigin(
                origin.planner().word(),
                origin.bundles(),
                origin.why(),
                origin.took().map(took -> took.toNanos() / 1000).orElse(null));
    }

    static List<GroupAllocation> groups(List<dev.lightpath.planner.world.Allocation.Group> recorded) {
        List<GroupAllocation> groups = new ArrayList<>();
        for (dev.lightpath.planner.world.Allocation.Group group : recorded) {
            groups.add(new GroupAllocation(
                    groups.size(),
                    group.members().stream()
                            .map(dev.lightpath.planner.world.Allocation.Member::node)
                            .toList(),
                    group.members().stream()
                            .map(dev.lightpath.planner.world.Allocation.Member::position)
                            .toList()));
        }
        return groups;
    }

    static List<SwitchCircuits> switches(SwitchedLight light) {
        List<SwitchCircuits> switches = new ArrayList<>();
        light.circuits()
                .forEach((name, circuits) -> switches.add(new SwitchCircuits(
                        name, circuits.stream().map(AllocationCodec::text).toList())));
        return switches;
    }

    /** Ports whose labels hold a hyphen themselves are joined by an arrow. */
    private static String text(Circuit circuit) {
        boolean plain = !circuit.ingress().contains("-") && !circuit.egress().contains("-");
        return circuit.ingress() + (plain ? "-" : "->") + circuit.egress();
    }

    static SwitchedLight light(List<SwitchCircuits> switches) {
        SwitchedLight.Builder light = new SwitchedLight.Builder();
        for (SwitchCircuits of : switches) {
            if (of.opticalSwitch() == null) {
                throw new IllegalArgumentException("allocation.circuits: " + of.circuits()
                        + " are of no switch; write the name of their OpticalSwitch");
            }
            for (String text : of.circuits()) {
                String[] ports = text.split(text.contains("->") ? "->" : "-", -1);
                if (ports.length != 2 || ports[0].isEmpty() || ports[1].isEmpty()) {
                    throw new IllegalArgumentException("allocation.circuits of switch " + of.opticalSwitch() + ": "
                            + text + " is no circuit; write INGRESS-EGRESS");
                }
                light.add(of.opticalSwitch(), new Circuit(ports[0], ports[1]));
            }
        }
        return light.build();
    }

    /** Told for people only: one that this version does not know is left out. */
    static Optional<Origin> origin(AllocationOrigin origin) {
        return Arrays.stream(Origin.Planner.values())
                .filter(planner -> planner.word().equals(origin.planner()))
                .findFirst()
                .map(planner -> new Origin(
                        planner,
                        origin.bundles(),
                        Objects.requireNonNullElse(origin.why(), ""),
                        Optional.ofNullable(origin.planMicroseconds())
                                .map(microseconds -> Duration.ofNanos(1000 * microseconds))));
    }

    static dev.lightpath.planner.world.Allocation.Group group(GroupAllocation group) {
        if (group.positions().size() != group.nodes().size()) {
            throw new IllegalArgumentException("allocation.groups[" + group.index() + "] has "
                    + group.positions().size() + " positions for "
                    + group.nodes().size() + " nodes; write one for each");
        }
        List<dev.lightpath.planner.world.Allocation.Member> members = new ArrayList<>();
        for (int i = 0; i < group.nodes().size(); i++) {
            members.add(new dev.lightpath.planner.world.Allocation.Member(
                    group.nodes().get(i), group.positions().get(i)));
        }
        return new dev.lightpath.planner.world.Allocation.Group(members);
    }
}
