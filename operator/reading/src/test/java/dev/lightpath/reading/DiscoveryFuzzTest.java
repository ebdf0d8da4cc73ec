package dev.lightpath.reading;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.opticalswitch.Discovery;
import dev.lightpath.crds.opticalswitch.Evidence;
import dev.lightpath.crds.opticalswitch.FibreSide;
import dev.lightpath.crds.opticalswitch.FoundPort;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.fuzz.Fuzz;
import dev.lightpath.planner.discovery.FibreEnd;
import dev.lightpath.planner.discovery.Found;
import dev.lightpath.planner.discovery.SwitchDiscovery;
import dev.lightpath.planner.light.FarEnd;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What was found of fibres: no text of a status or a device stops the reading, and none makes a status that is refused.
 */
class DiscoveryFuzzTest {
    private static final List<byte[]> TEXTS = Fuzz.texts(
            "1",
            "1.1.1",
            "3->1005",
            "->",
            "a->b->c",
            "pod-00/eth1",
            "/",
            "-5.3",
            "1e300",
            "NaN",
            "-Infinity",
            "2026-05-01T10:00:00Z",
            "+999999999-12-31T23:59:59.999999999-18:00",
            "2026-11-28T23:00:00Z probe");

    @Test
    void statuses() throws Exception {
        Fuzz.read("statuses", TEXTS, IllegalArgumentException.class, bytes -> {
            String text = new String(bytes, StandardCharsets.UTF_8);
            Discovery told = new Discovery(
                    text,
                    null,
                    text,
                    16,
                    3,
                    8,
                    List.of(text, "1->2"),
                    List.of(
                            new FoundPort(text, FibreSide.INGRESS, Evidence.HEARD, List.of(text), text, text),
                            new FoundPort("2", null, Evidence.AMBIGUOUS, List.of(text, "a/b"), null, text),
                            new FoundPort(
                                    "3", FibreSide.EGRESS, Evidence.DARK, List.of(), null, "2026-11-28T23:00:00Z")),
                    List.of(text));
            SwitchDiscovery read = DiscoveryCodec.read(told);
            if (!read.found().containsKey(FibreEnd.egress("3"))) {
                throw new AssertionError("one text keeps the others from being read: " + read);
            }
            written(read);
        });
    }

    @Test
    void namesOfDevices() throws Exception {
        Fuzz.read("names", TEXTS, IllegalArgumentException.class, bytes -> {
            String text = new String(bytes, StandardCharsets.UTF_8);
            SwitchDiscovery found = SwitchDiscovery.begun("now", new TreeSet<>())
                    .and(Map.of(
                            FibreEnd.both(text),
                            Found.heard(new FarEnd(text, text), power(text), Instant.EPOCH),
                            FibreEnd.both("plain"),
                            Found.silent(Found.Evidence.DARK, power(text), Instant.EPOCH)))
                    .waiting(text);
            if (written(found).ports().stream().noneMatch(port -> port.port().equals("plain"))) {
                throw new AssertionError("one name keeps the others from being told");
            }
        });
    }

    @Test
    void requests() throws Exception {
        Fuzz.read("requests", TEXTS, IllegalArgumentException.class, bytes -> {
            OpticalSwitch of = new OpticalSwitch();
            of.getMetadata().setName("ocs-0");
            of.getMetadata()
                    .setAnnotations(Map.of(LightpathAnnotations.DISCOVER, new String(bytes, StandardCharsets.UTF_8)));
            var asked = DiscoveryCodec.read(List.of(of), Set.of("ocs-0"));
            if (asked.values().stream()
                    .anyMatch(each -> each.request().orElse("").length() > 64)) {
                throw new AssertionError("a request is not bounded");
            }
        });
    }

    private static OptionalDouble power(String text) {
        try {
            return OptionalDouble.of(Double.parseDouble(text));
        } catch (NumberFormatException noNumber) {
            return OptionalDouble.empty();
        }
    }

    /** As the definition takes it. */
    private static Discovery written(SwitchDiscovery found) {
        Discovery written = DiscoveryCodec.write(found, List.of());
        written.ports().forEach(port -> {
            boolean fits = !port.port().isEmpty()
                    && port.port().length() <= 63
                    && port.farEnds().stream().allMatch(end -> !end.isEmpty() && end.length() <= 512)
                    && (port.powerDbm() == null || port.powerDbm().length() <= 16)
                    && port.at().length() <= 64;
            if (!fits) {
                throw new AssertionError("the API server refuses " + port);
            }
        });
        if (written.waitsFor() != null && written.waitsFor().length() > 1024) {
            throw new AssertionError("the API server refuses " + written.waitsFor());
        }
        return written;
    }
}
