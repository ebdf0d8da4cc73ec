package dev.lightpath.benchmarks.whole;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/**
 * Chakra traces of a job of 16 ranks, four to a pod, as large as a ConfigMap holds them: long chains of steps, and
 * transfers between.
 */
final class Recording {
    /** Ranks of a job with parallelism 4, 2 and 2. */
    private static final int RANKS = 16;

    private static final int STEPS = 6000;
    /** So many steps are between two transfers. */
    private static final int BETWEEN = 60;

    private static final int COMPUTE = 4;
    private static final int SEND = 5;
    private static final int RECEIVE = 6;

    private Recording() {}

    /** Files by name, packed and in Base64, as a ConfigMap has them. @param salt makes the content another one */
    static Map<String, String> files(int salt) {
        Map<String, String> files = new TreeMap<>();
        for (int rank = 0; rank < RANKS; rank++) {
            files.put("llm." + rank + ".et.gz", Base64.getEncoder().encodeToString(packed(rank, salt)));
        }
        return files;
    }

    private static byte[] packed(int rank, int salt) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream file = new GZIPOutputStream(bytes)) {
            CodedOutputStream out = CodedOutputStream.newInstance(file);
            record(out, message(metadata -> metadata.writeString(1, "1.0.0")));
            boolean sends = rank / 4 % 2 == 0;
            for (int step = 0; step < STEPS; step++) {
                boolean transfer = step % BETWEEN == BETWEEN - 1;
                int id = step;
                record(out, message(node -> {
                    node.writeUInt64(1, id);
                    node.writeEnum(3, !transfer ? COMPUTE : sends ? SEND : RECEIVE);
                    if (id > 0) {
                        node.writeByteArray(5, message(before -> before.writeUInt64NoTag(id - 1)));
                    }
                    node.writeUInt64(7, transfer ? 0 : 40 + (id * 7 + rank + salt) % 23);
                    if (transfer && sends) {
                        attribute(node, "comm_dst", rank + 4);
                        attribute(node, "comm_size", (1 << 22) + salt);
                    } else if (transfer) {
                        attribute(node, "comm_src", rank - 4);
                    }
                }));
            }
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private interface Fields {
        void write(CodedOutputStream out) throws IOException;
    }

    private static void attribute(CodedOutputStream node, String name, long value) throws IOException {
        node.writeByteArray(10, message(attribute -> {
            attribute.writeString(1, name);
            attribute.writeInt64(9, value);
        }));
    }

    private static byte[] message(Fields fields) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        fields.write(out);
        out.flush();
        return bytes.toByteArray();
    }

    private static void record(CodedOutputStream out, byte[] message) throws IOException {
        out.writeUInt32NoTag(message.length);
        out.writeRawBytes(message);
    }
}
