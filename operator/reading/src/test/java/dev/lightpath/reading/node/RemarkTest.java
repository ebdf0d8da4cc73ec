package dev.lightpath.reading.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RemarkTest {
    @Test
    void isOnOneLineWithoutWhatSteersATerminal() {
        assertThat(Remark.of("  smells of\r\n\tsmoke\u2028again \u0007")).isEqualTo("smells of smoke again");
        assertThat(Remark.of("\u001b[31mred\u202eder\u0000")).isEqualTo("[31mred der");
        assertThat(Remark.of("\n \t")).isEmpty();
        assertThat(Remark.of("ÄÖ 光 ok: 3/4")).isEqualTo("ÄÖ 光 ok: 3/4");
    }

    @Test
    void isBounded() {
        assertThat(Remark.of("x".repeat(200))).isEqualTo("x".repeat(200));
        assertThat(Remark.of("x".repeat(100_000))).isEqualTo("x".repeat(196) + " ...");
        String faces = Remark.of("\ud83d\ude00".repeat(500));
        assertThat(faces).hasSizeLessThanOrEqualTo(200).endsWith(" ...");
        assertThat(faces.codePoints().filter(each -> Character.getType(each) == Character.SURROGATE))
                .isEmpty();
    }
}
