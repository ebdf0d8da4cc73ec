package dev.lightpath.reading.traffic;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Writes Chakra traces as its own tools do: the metadata, then nodes, each after its length. */
final class ChakraFiles {
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    interface Fields {
        void write(CodedOutputStream out) throws IOException;
    }

    static ChakraFiles withMetadata() {
        return new ChakraFiles().record(out -> out.writeString(1, "1.0.0"));
    }

    ChakraFiles compute(long id, long micros, Long... after) {
        return node(id, 4, micros, List.of(after), out -> {});
    }

    ChakraFiles send(long id, int to, long bytes, Long... after) {
        return node(id, 5, 0, List.of(after), out -> {
            attribute(out, "comm_dst", value -> value.writeInt32(7, to));
            attribute(out, "comm_tag", value -> value.writeInt32(7, 3));
            attribute(out, "comm_size", value -> value.writeInt64(9, bytes));
        });
    }

    ChakraFiles receive(long id, int from, Long... after) {
        return node(id, 6, 0, List.of(after), out -> {
            attribute(out, "comm_src", value -> value.writeInt32(7, from));
            attribute(out, "comm_tag", value -> value.writeInt32(7, 3));
        });
    }

    ChakraFiles collective(long id, int type, long bytes, String group, Long... after) {
        return node(id, 7, 0, List.of(after), out -> {
            attribute(out, "is_cpu_op", value -> value.writeBool(27, false));
            attribute(out, "comm_type", value -> value.writeInt64(9, type));
            attribute(out, "comm_size", value -> value.writeUInt64(13, bytes));
            if (!group.isEmpty()) {
                attribute(out, "pg_name", value -> value.writeString(29, group));
            }
        });
    }

    ChakraFiles node(long id, int type, long micros, List<Long> after, Fields rest) {
        return record(out -> {
            out.writeUInt64(1, id);
            out.writeString(2, "n" + id);
            out.writeEnum(3, type);
            out.writeByteArray(5, message(list -> {
                for (long before : after) {
                    list.writeUInt64NoTag(before);
                }
            }));
            out.writeUInt64(7, micros);
            rest.write(out);
        });
    }

    static void attribute(CodedOutputStream out, String name, Fields value) throws IOException {
        out.writeByteArray(10, message(attribute -> {
            attribute.writeString(1, name);
            value.write(attribute);
        }));
    }

    static byte[] message(Fields fields) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        fields.write(out);
        out.flush();
        return bytes.toByteArray();
    }

    ChakraFiles record(Fields fields) {
        try {
            byte[] message = message(fields);
            CodedOutputStream out = CodedOutputStream.newInstance(file);
            out.writeUInt32NoTag(message.length);
            out.writeRawBytes(message);
            out.flush();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    byte[] bytes() {
        return file.toByteArray();
    }
}
