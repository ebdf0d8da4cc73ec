package dev.lightpath.soak.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SpineOracleTest {
    private static final Beam A = new Beam("dev-0", "1", "6");
    private static final Beam B = new Beam("dev-0", "2", "5");
    private static final SpineScheme SPINE = new SpineScheme(
            "spine",
            Map.of("ocs-0", "dev-0"),
            Map.of("dev-0/1", 0, "dev-0/2", 1, "dev-0/3", 2, "dev-0/5", 0, "dev-0/6", 1, "dev-0/7", 2));

    private static List<String> judge(Map<String, List<Beam>> recorded, Set<String> broken, Beam... light) {
        SortedMap<String, SortedSet<Beam>> records = new TreeMap<>();
        SortedMap<String, SortedSet<Integer>> pods = new TreeMap<>();
        recorded.forEach((job, circuits) -> {
            records.put(job, new TreeSet<>(circuits));
            pods.put(job, new TreeSet<>(Set.of(0, 1)));
        });
        return SpineOracle.violations(SPINE, records, pods, broken, List.of(light));
    }

    @Test
    void isContentWhenLightIsWhatIsRecorded() {
        assertThat(judge(Map.of("llm", List.of(A, B)), Set.of(), A, B)).isEmpty();
    }

    @Test
    void findsEveryCircuitThatIsMissingOrToo() {
        assertThat(judge(Map.of("llm", List.of(A, B)), Set.of(), A)).containsExactly(B + " is recorded and dark");
        assertThat(judge(Map.of("llm", List.of(A)), Set.of(), A, B))
                .containsExactly(B + " is lit and recorded nowhere");
    }

    @Test
    void excusesDarknessOnlyWhereSomethingIsBroken() {
        assertThat(judge(Map.of("llm", List.of(A, B)), Set.of("dev-0/5"), A)).isEmpty();
        assertThat(judge(Map.of("llm", List.of(A, B)), Set.of("dev-0"))).isEmpty();
        assertThat(judge(Map.of("llm", List.of(A, B)), Set.of("dev-0/1"), A)).hasSize(1);
    }

    @Test
    void findsAPortThatTwoRecordsHave() {
        assertThat(judge(Map.of("llm", List.of(A), "rival", List.of(new Beam("dev-0", "2", "6"))), Set.of("dev-0")))
                .singleElement()
                .asString()
                .contains("dev-0/6 is recorded twice");
    }

    @Test
    void findsACircuitOfAPodThatTheJobDoesNotHave() {
        assertThat(judge(Map.of("llm", List.of(new Beam("dev-0", "3", "6"))), Set.of("dev-0")))
                .singleElement()
                .asString()
                .contains("pod 2, which the job does not have");
    }
}
