package dev.lightpath.planner.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountedTest {
    @Test
    void oneIsOneAndAllElseAreSeveral() {
        assertThat(Counted.of(0, "circuit")).isEqualTo("0 circuits");
        assertThat(Counted.of(1, "circuit")).isEqualTo("1 circuit");
        assertThat(Counted.of(2, "switch")).isEqualTo("2 switches");
        assertThat(Counted.of(1, "device differs", "devices differ")).isEqualTo("1 device differs");
        assertThat(Counted.of(11, "device differs", "devices differ")).isEqualTo("11 devices differ");
    }

    @Test
    void aPartIsOfAsManyAsThereAre() {
        assertThat(Counted.part(0, 1, "pod runs", "pods run")).isEqualTo("0 of 1 pod runs");
        assertThat(Counted.part(1, 4, "pod runs", "pods run")).isEqualTo("1 of 4 pods run");
    }
}
