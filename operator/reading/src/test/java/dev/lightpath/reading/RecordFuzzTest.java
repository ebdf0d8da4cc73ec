package dev.lightpath.reading;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.fuzz.Fuzz;
import java.io.ByteArrayInputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records of slices, as the API server may hand them out. */
class RecordFuzzTest {
    private static final StrictJson JSON = new StrictJson(1 << 24, 32, 1 << 20, 1 << 19);
    private static final List<byte[]> RECORDS = Fuzz.texts("""
            {"format": 1, "revision": 3, "parts": 2, "groups": [{"index": 0, "nodes": ["a", "b"], "positions": [0, 1]}, {"index": 1, "nodes": ["c"], "positions": [2]}],
             "circuits": [{"switch": "sw-0", "circuits": ["1-9", "2-10"]}], "releasing": {"nodes": ["d"], "circuits": []}}""", "{\"format\": 1, \"revision\": 1}");

    @Test
    void records() throws Exception {
        Fuzz.read(
                "record",
                RECORDS,
                IllegalArgumentException.class,
                text -> AllocationCodec.read(
                        JSON.read(new ByteArrayInputStream(text), new TypeReference<Allocation>() {})));
    }
}
