package dev.lightpath.reading.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobNamesTest {
    private static final String UID = "0f3b7e0c-1d52-4c1a-9a55-2b6a4b3c7d10";

    @Test
    void namesSayWhoTheyServe() {
        assertThat(JobNames.slice("train", "ring-a", 3, UID)).matches("train-ring-a-3-[a-z0-9]{5}");
        assertThat(JobNames.jobSet("train", UID)).matches("train-[a-z0-9]{5}");
    }

    @Test
    void jobsOfOneNameKeepTheirObjectsApart() {
        assertThat(JobNames.slice("train", "ring-a", 1, UID)).isNotEqualTo(JobNames.slice("train", "ring-a", 1, "x"));
        assertThat(JobNames.jobSet("train", UID)).isNotEqualTo(JobNames.jobSet("train", "x"));
    }

    @Test
    void jobSetsHaveAtMost40CharactersAndBeginWithALetter() {
        assertThat(JobNames.jobSet("a".repeat(63), UID)).hasSize(40);
        assertThat(JobNames.jobSet("a".repeat(33) + "-b", UID)).matches("a{33}-[a-z0-9]{5}");
        assertThat(JobNames.jobSet("7b", UID)).matches("j7b-[a-z0-9]{5}");
    }

    @Test
    void longSlicesKeepAPieceOfJobAndFabric() {
        assertThat(JobNames.slice("j".repeat(63), "ring-a", 1, UID)).hasSize(63).matches("j{48}-ring-a-1-[a-z0-9]{5}");
        assertThat(JobNames.slice("j".repeat(63), "f".repeat(63), 1000, UID))
                .hasSizeLessThanOrEqualTo(63)
                .matches("j{25,26}-f{25,26}-1000-[a-z0-9]{5}");
    }

    @Test
    void shortenedSlicesNeverCollide() {
        String job = "j".repeat(63);
        String fabric = "f".repeat(60);
        assertThat(JobNames.slice(job, fabric + "-a", 1, UID)).isNotEqualTo(JobNames.slice(job, fabric + "-b", 1, UID));
        assertThat(JobNames.slice(job, fabric, 1, UID)).isNotEqualTo(JobNames.slice(job, fabric, 2, UID));
    }

    @Test
    void allNamesAreLabelValues() {
        long seed = 20260501;
        Random random = new Random(seed);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 5000; i++) {
            String job = word(random, "abc-7");
            String fabric = word(random, "xyz-.");
            String slice = JobNames.slice(job, fabric, 1 + random.nextInt(2000), UID + i);
            assertThat(slice)
                    .as("seed %d, pass %d", seed, i)
                    .hasSizeLessThanOrEqualTo(63)
                    .matches("[a-z0-9]([a-z0-9.-]*[a-z0-9])?");
            assertThat(JobNames.jobSet(job, UID + i))
                    .as("seed %d, pass %d", seed, i)
                    .hasSizeLessThanOrEqualTo(40)
                    .matches("[a-z]([a-z0-9-]*[a-z0-9])?");
            assertThat(seen.add(slice))
                    .as("seed %d, pass %d: %s", seed, i, slice)
                    .isTrue();
        }
    }

    private static String word(Random random, String alphabet) {
        StringBuilder word = new StringBuilder();
        int length = 1 + random.nextInt(63);
        for (int i = 0; i < length; i++) {
            boolean edge = i == 0 || i == length - 1;
            word.append(alphabet.charAt(random.nextInt(edge ? 3 : alphabet.length())));
        }
        return word.toString();
    }
}
