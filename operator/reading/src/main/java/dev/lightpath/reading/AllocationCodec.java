package dev.lightpath.reading;

import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.AllocationOrigin;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.Releasing;
import dev.lightpath.crds.slice.SwitchCircuits;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Origin;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** The ledger's record in a FabricSlice, written and read back. */
public final class AllocationCodec {
    /** Begins a text that is packed: base64 of gzip. */
    private static final String PACKED = "gzip:";

    /** Characters of JSON that are kept as they are, for people to read. */
    private static final int LONGEST_PLAIN = 65536;

    /** Many times what 131072 GPUs take. */
    private static final int LONGEST_UNPACKED = 64 << 20;

    private AllocationCodec() {}

    /** As this version writes it. */
    public static Allocation write(dev.lightpath.planner.world.Allocation allocation) {
        List<GroupAllocation> groups = new ArrayList<>();
        for (dev.lightpath.planner.world.Allocation.Group group : allocation.groups()) {
            groups.add(new GroupAllocation(
                    groups.size(),
                    group.members().stream()
                            .map(dev.lightpath.planner.world.Allocation.Member::node)
                            .toList(),
                    group.members().stream()
                            .map(dev.lightpath.planner.world.Allocation.Member::position)
                            .toList()));
        }
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
                allocation
                        .origin()
                        .map(origin -> new AllocationOrigin(
                                origin.planner().word(),
                                origin.bundles(),
                                origin.why(),
                                origin.took().map(took -> took.toNanos() / 1000).orElse(null)))
                        .orElse(null),
                allocation.prediction().map(PredictionCodec::write).orElse(null));
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
        return new dev.lightpath.planner.world.Allocation(
                record.revision(),
                groups,
                releasing == null ? new TreeSet<>() : new TreeSet<>(releasing.nodes()),
                Optional.ofNullable(record.origin()).flatMap(AllocationCodec::origin),
                light(record.circuits()),
                releasing == null ? SwitchedLight.none() : light(releasing.circuits()),
                Optional.ofNullable(record.chosen()).map(PredictionCodec::read));
    }

    private static List<SwitchCircuits> switches(SwitchedLight light) {
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

    private static SwitchedLight light(List<SwitchCircuits> switches) {
        SwitchedLight.Builder light = new SwitchedLight.Builder();
        for (SwitchCircuits of : switches) {
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
    private static Optional<Origin> origin(AllocationOrigin origin) {
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

    /** A record as one text, for carrying it from one slice to the next. */
    public static String text(Allocation record) {
        String json = Serialization.asJson(record);
        return json.length() <= LONGEST_PLAIN ? json : PACKED + pack(json);
    }

    /**
     * The record of a {@link #text}.
     *
     * @throws IllegalArgumentException when the text is no record, in one line
     */
    public static Allocation ofText(String text) {
        Allocation record;
        try {
            record = Serialization.unmarshal(
                    text.startsWith(PACKED) ? unpack(text.substring(PACKED.length())) : text, Allocation.class);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "it is no allocation: neither JSON of one nor " + PACKED + " and base64 of that", e);
        }
        if (record == null) {
            throw new IllegalArgumentException("it is no allocation: the text is empty");
        }
        return record;
    }

    /** Whether a text is of this record; one that cannot be read is of none. */
    public static boolean isTextOf(String text, Allocation record) {
        try {
            return record.equals(ofText(text));
        } catch (IllegalArgumentException unreadable) {
            return false;
        }
    }

    private static String pack(String json) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(packed)) {
            zip.write(json.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getEncoder().encodeToString(packed.toByteArray());
    }

    private static String unpack(String packed) {
        try (GZIPInputStream zip =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(packed)))) {
            byte[] json = zip.readNBytes(LONGEST_UNPACKED + 1);
            if (json.length > LONGEST_UNPACKED) {
                throw new IllegalArgumentException("it unpacks to more than " + LONGEST_UNPACKED + " bytes");
            }
            return new String(json, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalArgumentException("it cannot be unpacked: " + e.getMessage(), e);
        }
    }

    private static dev.lightpath.planner.world.Allocation.Group group(GroupAllocation group) {
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
