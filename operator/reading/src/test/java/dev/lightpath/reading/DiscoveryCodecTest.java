package dev.lightpath.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.opticalswitch.Discovery;
import dev.lightpath.crds.opticalswitch.Evidence;
import dev.lightpath.crds.opticalswitch.FoundPort;
import dev.lightpath.planner.discovery.FibreEnd;
import dev.lightpath.planner.discovery.Found;
import dev.lightpath.planner.discovery.SwitchDiscovery;
import dev.lightpath.planner.discovery.Tally;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.FarEnd;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DiscoveryCodecTest {
    private static final Instant AT = Instant.parse("2026-11-28T12:00:00Z");

    @Test
    void readsWhatItWrote() {
        FarEnd pod = new FarEnd("pod-0", "ocs-0/3");
        SwitchDiscovery known = new SwitchDiscovery(
                "2026-11-28T11:00:00Z",
                true,
                Optional.of("it is drained"),
                16,
                7,
                new TreeSet<>(List.of(new Circuit("1", "17"))),
                new TreeMap<>(Map.of(
                        FibreEnd.ingress("1"), Found.heard(pod, OptionalDouble.of(-1.25), AT),
                        FibreEnd.egress("17"), Found.inUse(pod, OptionalDouble.empty(), AT),
                        FibreEnd.both("3"),
                                new Found(
                                        Found.Evidence.AMBIGUOUS,
                                        List.of(pod, new FarEnd("pod-1", "1")),
                                        OptionalDouble.empty(),
                                        AT),
                        FibreEnd.both("4"), Found.silent(Found.Evidence.DARK, OptionalDouble.empty(), AT),
                        FibreEnd.both("5"), Found.silent(Found.Evidence.UNHEARD, OptionalDouble.empty(), AT))),
                Tally.NONE);
        assertThat(DiscoveryCodec.read(DiscoveryCodec.write(known, List.of()))).isEqualTo(known);
    }

    @Test
    void keepsFindingsWithinTheDefinition() {
        List<String> findings =
                IntStream.range(0, 100).mapToObj(line -> "x".repeat(1000)).toList();
        Discovery written = DiscoveryCodec.write(SwitchDiscovery.begun("now", new TreeSet<>()), findings);
        assertThat(written.findings())
                .hasSize(Discovery.MOST_FINDINGS)
                .allSatisfy(line -> assertThat(line).hasSize(512));
    }

    @Test
    void whatNobodyCanReadIsTriedAgain() {
        Discovery odd = new Discovery(
                "now",
                null,
                null,
                4,
                4,
                1,
                List.of("1-17", "2->18"),
                List.of(
                        new FoundPort("1", null, Evidence.HEARD, List.of(), null, AT.toString()),
                        new FoundPort("2", null, Evidence.HEARD, List.of("pod-0"), null, AT.toString()),
                        new FoundPort("3", null, Evidence.DARK, List.of(), "weak", AT.toString()),
                        new FoundPort("4", null, Evidence.DARK, List.of(), null, "yesterday"),
                        new FoundPort("6", null, null, List.of(), null, AT.toString()),
                        new FoundPort("7", null, Evidence.DARK, List.of(), null, null),
                        new FoundPort("5", null, Evidence.DARK, List.of(), null, AT.toString())),
                List.of());
        SwitchDiscovery read = DiscoveryCodec.read(odd);
        assertThat(read.found()).containsOnlyKeys(FibreEnd.both("5"));
        assertThat(read.probes()).containsExactly(new Circuit("2", "18"));
    }
}
