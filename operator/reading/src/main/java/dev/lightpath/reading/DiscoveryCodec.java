package dev.lightpath.reading;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.opticalswitch.Discovery;
import dev.lightpath.crds.opticalswitch.Evidence;
import dev.lightpath.crds.opticalswitch.FibreSide;
import dev.lightpath.crds.opticalswitch.FoundPort;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.planner.discovery.DiscoveryRequest;
import dev.lightpath.planner.discovery.FibreEnd;
import dev.lightpath.planner.discovery.Found;
import dev.lightpath.planner.discovery.SwitchDiscovery;
import dev.lightpath.planner.discovery.Tally;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.words.Words;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What was found of fibres, as it stands in the status of an OpticalSwitch. What the definition does not take is not
 * written: one name that a device makes too long must not keep the whole status from being told.
 */
public final class DiscoveryCodec {
    private static final int LONGEST_REQUEST = 64;
    private static final int MOST_PROBES = 64;
    private static final int LONGEST_FINDING = 512;
    private static final int LONGEST_FAR_END = 512;
    private static final int LONGEST_WAIT = 1024;
    private static final int MOST_PORTS = 8192;
    private static final double MOST_DBM = 100;

    private DiscoveryCodec() {}

    /** What is asked and recorded of these switches, by name. Linear in recorded ports. */
    static SortedMap<String, DiscoveryRequest> read(Collection<OpticalSwitch> switches, Set<String> ours) {
        SortedMap<String, DiscoveryRequest> asked = new TreeMap<>();
        for (OpticalSwitch of : switches) {
            Optional<String> request = request(of);
            Optional<SwitchDiscovery> recorded = Optional.ofNullable(of.getStatus())
                    .map(status -> status.discovery())
                    .map(DiscoveryCodec::read);
            if (ours.contains(of.getMetadata().getName()) && (request.isPresent() || recorded.isPresent())) {
                asked.put(of.getMetadata().getName(), new DiscoveryRequest(request, recorded));
            }
        }
        return asked;
    }

    /** What the annotation of a switch asks; empty where there is none. */
    public static Optional<String> request(OpticalSwitch of) {
        Map<String, String> annotations = of.getMetadata().getAnnotations();
        return Optional.ofNullable(annotations)
                .map(all -> all.get(LightpathAnnotations.DISCOVER))
                .filter(value -> !value.isEmpty())
                .map(value -> Words.cut(value, LONGEST_REQUEST));
    }

    /** Entries that say nothing this version knows are left out: their ports are tried again. */
    public static SwitchDiscovery read(Discovery of) {
        SortedMap<FibreEnd, Found> found = new TreeMap<>();
        for (FoundPort port : of.ports()) {
            if (unwritten(port.port())) {
                continue;
            }
            read(port).ifPresent(there -> found.put(end(port), there));
        }
        SortedSet<Circuit> probes = new TreeSet<>();
        for (String probe : of.probes()) {
            int arrow = probe.indexOf("->");
            if (arrow > 0 && arrow + 2 < probe.length()) {
                probes.add(new Circuit(probe.substring(0, arrow), probe.substring(arrow + 2)));
            }
        }
        return new SwitchDiscovery(
                of.request(),
                of.ended(),
                Optional.ofNullable(of.waitsFor()),
                of.ends(),
                of.circuits(),
                probes,
                found,
                Tally.NONE);
    }

    /** The end of a fibre that an entry is about. */
    public static FibreEnd end(FoundPort port) {
        FibreSide side = port.side();
        if (side == null) {
            return FibreEnd.both(port.port());
        }
        return switch (side) {
            case INGRESS -> FibreEnd.ingress(port.port());
            case EGRESS -> FibreEnd.egress(port.port());
        };
    }

    /** Where a fibre leads, as DEVICE/PORT says; empty where that is no far end. */
    public static Optional<FarEnd> farEnd(String named) {
        int slash = named.indexOf('/');
        return slash <= 0
                ? Optional.empty()
                : Optional.of(new FarEnd(named.substring(0, slash), named.substring(slash + 1)));
    }

    private static Optional<Found> read(FoundPort port) {
        if (unwritten(port.evidence()) || unwritten(port.at())) {
            return Optional.empty();
        }
        List<FarEnd> ends =
                port.farEnds().stream().flatMap(named -> farEnd(named).stream()).toList();
        try {
            OptionalDouble power = port.powerDbm() == null
                    ? OptionalDouble.empty()
                    : measured(OptionalDouble.of(Double.parseDouble(port.powerDbm())));
            return Optional.of(new Found(evidence(port.evidence()), ends, power, Instant.parse(port.at())));
        } catch (IllegalArgumentException | DateTimeException unreadable) {
            return Optional.empty();
        }
    }

    /** The definition requires it; what another version wrote may lack it. */
    private static boolean unwritten(@Nullable Object value) {
        return value == null;
    }

    private static Found.Evidence evidence(Evidence evidence) {
        return switch (evidence) {
            case HEARD -> Found.Evidence.HEARD;
            case IN_USE -> Found.Evidence.IN_USE;
            case AMBIGUOUS -> Found.Evidence.AMBIGUOUS;
            case DARK -> Found.Evidence.DARK;
            case UNHEARD -> Found.Evidence.UNHEARD;
        };
    }

    /** @param findings one line each */
    public static Discovery write(SwitchDiscovery of, List<String> findings) {
        return new Discovery(
                of.request(),
                of.over() ? true : null,
                of.waitsFor().map(why -> Words.cut(why, LONGEST_WAIT)).orElse(null),
                of.ends(),
                of.found().size(),
                of.circuits(),
                of.probes().stream().limit(MOST_PROBES).map(Circuit::toString).toList(),
                ports(of.found()),
                findings.stream()
                        .limit(Discovery.MOST_FINDINGS)
                        .map(line -> Words.cut(line, LONGEST_FINDING))
                        .toList());
    }

    private static List<FoundPort> ports(SortedMap<FibreEnd, Found> found) {
        List<FoundPort> ports = new ArrayList<>();
        found.forEach((end, there) -> {
            boolean told = FibreEnd.isTold(end.port())
                    && there.farEnds().stream().allMatch(far -> far.toString().length() <= LONGEST_FAR_END);
            if (told && ports.size() < MOST_PORTS) {
                ports.add(port(end, there));
            }
        });
        return ports;
    }

    private static FoundPort port(FibreEnd end, Found there) {
        OptionalDouble power = measured(there.powerDbm());
        return new FoundPort(
                end.port(),
                switch (end.side()) {
                    case INGRESS -> FibreSide.INGRESS;
                    case EGRESS -> FibreSide.EGRESS;
                    case BOTH -> null;
                },
                evidence(there.evidence()),
                there.farEnds().stream().map(FarEnd::toString).toList(),
                power.isEmpty()
                        ? null
                        : BigDecimal.valueOf(power.getAsDouble())
                                .setScale(2, RoundingMode.HALF_EVEN)
                                .toPlainString(),
                there.at().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    /** No light has a power beyond this. */
    private static OptionalDouble measured(OptionalDouble powerDbm) {
        return powerDbm.isPresent() && Math.abs(powerDbm.getAsDouble()) <= MOST_DBM ? powerDbm : OptionalDouble.empty();
    }

    private static Evidence evidence(Found.Evidence evidence) {
        return switch (evidence) {
            case HEARD -> Evidence.HEARD;
            case IN_USE -> Evidence.IN_USE;
            case AMBIGUOUS -> Evidence.AMBIGUOUS;
            case DARK -> Evidence.DARK;
            case UNHEARD -> Evidence.UNHEARD;
        };
    }
}
