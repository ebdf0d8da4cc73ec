package dev.lightpath.planner.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StageProofTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static Set<Subject> ends(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(port -> new Subject.OfPort("ocs", String.format("%03d", port)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static StageProof after(StageProof proof, int seconds, Set<Subject> made, Set<Subject> failing) {
        return proof.advance(START.plusSeconds(seconds), made, failing, 90, PATIENCE);
    }

    @Test
    void waitsUntilNineOfTenPass() {
        StageProof proof = after(StageProof.NONE, 0, ends(0, 10), ends(0, 2));
        assertThat(proof.awaits()).isTrue();
        assertThat(after(proof, 1, Set.of(), ends(0, 1)).awaits()).isFalse();
    }

    @Test
    void doesNotWaitAgainForWhatDidNotPass() {
        StageProof passed = after(StageProof.NONE, 0, ends(0, 10), ends(0, 1));
        assertThat(passed.awaits()).isFalse();
        assertThat(after(passed, 1, ends(0, 1), ends(0, 1)).awaits()).isFalse();
        // it passed, and is made anew
        StageProof well = after(passed, 2, Set.of(), Set.of());
        assertThat(after(well, 3, ends(0, 1), ends(0, 1)).awaits()).isTrue();
    }

    @Test
    void aDeadTransceiverHoldsUpNobodyForLonger() {
        StageProof proof = after(StageProof.NONE, 0, ends(0, 1), ends(0, 1));
        assertThat(proof.endsAt(PATIENCE)).contains(START.plusSeconds(10));
        assertThat(after(proof, 9, Set.of(), ends(0, 1)).awaits()).isTrue();
        assertThat(after(proof, 10, Set.of(), ends(0, 1)).awaits()).isFalse();
    }

    @Test
    void laterStagesDoNotMakeTheWaitLonger() {
        StageProof proof = after(StageProof.NONE, 0, ends(0, 1), ends(0, 1));
        for (int second = 1; second < 10; second++) {
            proof = after(proof, second, ends(second, second + 1), ends(0, second + 1));
            assertThat(proof.awaits()).isTrue();
        }
        assertThat(after(proof, 10, Set.of(), ends(0, 10)).awaits()).isFalse();
    }

    @Test
    void neverWaitsLongerThanItsPatienceInRandomWorlds() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            StageProof proof = StageProof.NONE;
            int waiting = 0;
            for (int second = 0; second < 200; second++) {
                Set<Subject> made = new HashSet<>(ends(random.nextInt(20), random.nextInt(20)));
                Set<Subject> failing = new HashSet<>(ends(random.nextInt(20), random.nextInt(20)));
                proof = after(proof, second, made, failing);
                waiting = proof.awaits() ? waiting + 1 : 0;
                assertThat(waiting).as("seed %d, second %d", seed, second).isLessThanOrEqualTo(10);
                if (proof.awaits()) {
                    long passing = proof.links().stream()
                            .filter(end -> !failing.contains(end))
                            .count();
                    assertThat(passing * 100)
                            .as("seed %d, second %d", seed, second)
                            .isLessThan(90L * proof.links().size());
                }
            }
        }
    }
}
