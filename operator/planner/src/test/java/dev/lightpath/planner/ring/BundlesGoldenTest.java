package dev.lightpath.planner.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BundlesGoldenTest {

    private static final Pattern CASE =
            Pattern.compile("--- R=(\\d+) K=(\\d+) n=(\\d+) faults\\{([\\d ]*)} groups (.*)");

    static List<String> lines(String name) throws IOException {
        try (var in = BundlesGoldenTest.class.getResourceAsStream("/golden/ring/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    @Test
    void portMapsAreThoseOfTheReference() throws IOException {
        List<String> golden = lines("bundles.txt").stream()
                .filter(l -> l.startsWith("port map"))
                .toList();
        assertThat(golden).hasSize(3);
        assertThat(IntStream.of(2, 3, 4).mapToObj(BundlesGoldenTest::portMap)).containsExactlyElementsOf(golden);
    }

    private static String portMap(int reach) {
        PortMap ports = new PortMap(reach);
        StringBuilder text = new StringBuilder("port map K=" + reach + ":");
        for (int bundle = 0; bundle < reach; bundle++) {
            for (BundleState path : List.of(BundleState.PATH_1, BundleState.PATH_2)) {
                text.append(
                        " B%d.P%d=%+d".formatted(bundle, path.ordinal(), ports.hopOf(new BundlePath(bundle, path))));
            }
        }
        text.append(" ");
        for (int gpus : new int[] {4, 8}) {
            text.append(gpus == 4 ? " edges R=4:" : " R=8:");
            for (int bundle = 0; bundle < reach; bundle++) {
                text.append(" ").append(ports.edgeOf(bundle, gpus));
            }
        }
        return text.toString();
    }

    @Test
    void statesAndRingsAreThoseOfTheReference() throws IOException {
        List<String> golden = lines("bundles.txt");
        int cases = 0;
        for (int at = 0; at < golden.size(); at++) {
            Matcher header = CASE.matcher(golden.get(at));
            if (!header.matches()) {
                continue;
            }
            cases++;
            List<String> ours = render(header);
            assertThat(ours).isEqualTo(golden.subList(at + 1, at + 1 + ours.size()));
        }
        assertThat(cases).isEqualTo(5);
    }

    private static List<String> render(Matcher header) {
        RingFabric fabric = RingFabric.of(
                RingShape.LINE,
                Integer.parseInt(header.group(3)),
                Integer.parseInt(header.group(2)),
                Integer.parseInt(header.group(1)));
        SortedSet<Integer> faulty = new TreeSet<>(numbers(header.group(4)));
        List<RingGroup> groups = Arrays.stream(header.group(5).split("\\["))
                .filter(text -> !text.isBlank())
                .map(text -> RingGroup.of(numbers(text.replace("]", ""))))
                .toList();
        BundleDerivation derivation = BundleDerivation.derive(fabric, groups);
        List<RingViolation> violations = RingChecker.check(fabric, groups, derivation.states(), faulty);
        List<String> lines = new ArrayList<>();
        String check = violations.isEmpty()
                ? ""
                : violations.getFirst().invariant() + " "
                        + violations.getFirst().invariant().broken();
        lines.add(" derive=" + (derivation.conflicts().isEmpty() ? "ok" : "CONFLICT") + " check='" + check + "'");
        PortMap ports = new PortMap(fabric.reach());
        for (int node = 0; node < fabric.positions(); node++) {
            StringBuilder line = new StringBuilder("  n" + node + (faulty.contains(node) ? "(faulty):" : ":"));
            for (int bundle = 0; bundle < fabric.reach(); bundle++) {
                BundleState state = derivation.states().of(node, bundle);
                line.append(" B").append(bundle).append("=");
                line.append(
                        state == BundleState.LOOPBACK
                                ? "LOOP"
                                : "P%d(%+d)".formatted(state.ordinal(), ports.hopOf(new BundlePath(bundle, state))));
            }
            lines.add(line.toString());
        }
        if (violations.isEmpty()) {
            for (RingGroup group : groups) {
                int gpus = group.size() * fabric.gpusPerNode();
                GpuWalk walk = GpuWalk.from(fabric, derivation.states(), group.first(), gpus);
                lines.add("  ring(" + gpus + "): "
                        + walk.gpus().stream().map(Gpu::toString).collect(Collectors.joining(" ")));
            }
        }
        return lines;
    }

    private static List<Integer> numbers(String text) {
        return Arrays.stream(text.trim().split("\\s+"))
                .filter(t -> !t.isEmpty())
                .map(Integer::valueOf)
                .toList();
    }
}
