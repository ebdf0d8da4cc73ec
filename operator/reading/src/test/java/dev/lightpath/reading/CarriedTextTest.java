package dev.lightpath.reading;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class CarriedTextTest {
    @Test
    void aRecordIsJsonAndNoYaml() {
        refused("format: 1\nrevision: 1\ngroups: []");
        refused("{format: 1, revision: 1}");
        refused("{\"format\": 1, \"revision\": 1, \"revision\": 2}");
        refused("{\"format\": 1, \"revision\": 1} {}");
        refused("{\"format\": 1, \"revision\": 1, \"groups\": [null]}");
        refused("");
        refused("null");
        refused("gzip:");
        refused("gzip:####");
        refused("gzip:AAAA");
    }

    @Test
    void aTextThatUnpacksToMuchIsRefused() throws IOException {
        refused(packed("{\"format\": 1, \"revision\": 1, \"unknown\": [" + "0,".repeat(1 << 20) + "0]}"));
        refused(packed(" ".repeat(1 << 24) + "{\"format\": 1, \"revision\": 1}"));
        refused(packed(
                "{\"format\": 1, \"revision\": 1, \"groups\": [{\"nodes\": [\"" + "a".repeat(1 << 23) + "\"]}]}"));
    }

    private static String packed(String json) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(packed)) {
            zip.write(json.getBytes(StandardCharsets.UTF_8));
        }
        return "gzip:" + Base64.getEncoder().encodeToString(packed.toByteArray());
    }

    private static void refused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CarriedText.allocation(text))
                .withMessageMatching("it is no allocation: .*");
    }
}
