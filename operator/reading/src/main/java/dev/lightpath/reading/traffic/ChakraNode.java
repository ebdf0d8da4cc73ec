package dev.lightpath.reading.traffic;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A {@code Node} of MLCommons Chakra's {@code et_def.proto}, as far as traffic needs it. Other fields are passed over.
 *
 * @param type number of {@code NodeType}
 * @param dependencies {@code data_deps}: ids of the nodes that end before this one starts, the order that simulators of
 *     Chakra follow
 * @param name its first 200 characters
 * @param numbers attributes with a number or truth value, those that say what is sent
 * @param texts attributes with a text that says what is sent, and under {@code ""} the values of the node's inputs
 * @param allDimensions false when {@code involved_dim} leaves a dimension out
 */
record ChakraNode(
        long id,
        String name,
        int type,
        List<Long> dependencies,
        long durationMicros,
        Map<String, Double> numbers,
        Map<String, String> texts,
        boolean allDimensions) {
    static final int COMPUTE = 4;
    static final int SEND = 5;
    static final int RECEIVE = 6;
    static final int COLLECTIVE = 7;
    static final int MOST_TYPE = 7;

    private static final int LONGEST_NAME = 200;
    /** Attributes that are read; nodes carry many more. */
    private static final Set<String> WANTED =
            Set.of("comm_type", "comm_size", "comm_tag", "comm_src", "comm_dst", "pg_name");

    /** Field numbers of Node. */
    private static final int ID = 1;

    private static final int NAME = 2;
    private static final int TYPE = 3;
    private static final int DATA_DEPENDENCIES = 5;
    private static final int DURATION = 7;
    private static final int INPUTS = 8;
    private static final int ATTRIBUTE = 10;

    /** Field numbers of AttributeProto: one for each type of value, the list of truth values among them. */
    private static final int DOUBLE = 3;

    private static final int FLOAT = 5;
    private static final int INT_32 = 7;
    private static final int INT_64 = 9;
    private static final int UINT_32 = 11;
    private static final int UINT_64 = 13;
    private static final int SINT_32 = 15;
    private static final int SINT_64 = 17;
    private static final int FIXED_32 = 19;
    private static final int FIXED_64 = 21;
    private static final int SFIXED_32 = 23;
    private static final int SFIXED_64 = 25;
    private static final int BOOL = 27;
    private static final int BOOL_LIST = 28;
    private static final int STRING = 29;

    /** Whether a message is a Node and not the GlobalMetadata before the first: its field 1 is a number, not a text. */
    static boolean isNode(byte[] message) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(message);
        int tag = in.readTag();
        return tag != 0
                && (WireFormat.getTagFieldNumber(tag) != ID
                        || WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT)
                && WireFormat.getTagFieldNumber(tag) != NAME;
    }

    /**
     * @throws IOException when the bytes are no Node
     * @throws IllegalArgumentException when it waits for more nodes than are allowed
     */
    static ChakraNode parse(byte[] message, TraceAllowance allowance) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(message);
        long id = 0;
        String name = "";
        int type = 0;
        long duration = 0;
        List<Long> dependencies = new ArrayList<>();
        Map<String, Double> numbers = new TreeMap<>();
        Map<String, String> texts = new TreeMap<>();
        boolean all = true;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case ID -> id = in.readUInt64();
                case NAME -> name = shortened(in.readString());
                case TYPE -> type = in.readEnum();
                case DATA_DEPENDENCIES -> {
                    if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT) {
                        allowance.dependencies(1);
                        dependencies.add(in.readUInt64());
                    } else {
                        int end = in.pushLimit(in.readRawVarint32());
                        while (in.getBytesUntilLimit() > 0) {
                            allowance.dependencies(1);
                            dependencies.add(in.readUInt64());
                        }
                        in.popLimit(end);
                    }
                }
                case DURATION -> duration = in.readUInt64();
                case INPUTS -> texts.put("", firstText(in.readByteArray()));
                case ATTRIBUTE -> all &= attribute(in.readByteArray(), numbers, texts);
                default -> in.skipField(tag);
            }
        }
        return new ChakraNode(id, name, type, List.copyOf(dependencies), duration, numbers, texts, all);
    }

    /** IOInfo.values. */
    private static String firstText(byte[] message) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(message);
        String text = "";
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (WireFormat.getTagFieldNumber(tag) == 1) {
                text = in.readString();
            } else {
                in.skipField(tag);
            }
        }
        return text;
    }

    private static String shortened(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
    }

    /** Whether it leaves no dimension out. */
    private static boolean attribute(byte[] message, Map<String, Double> numbers, Map<String, String> texts)
            throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(message);
        String name = "";
        boolean all = true;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> name = in.readString();
                case DOUBLE -> keep(numbers, name, in.readDouble());
                case FLOAT -> keep(numbers, name, (double) in.readFloat());
                case INT_32 -> keep(numbers, name, (double) in.readInt32());
                case INT_64 -> keep(numbers, name, (double) in.readInt64());
                case UINT_32 -> keep(numbers, name, (double) in.readUInt32());
                case UINT_64 -> keep(numbers, name, (double) in.readUInt64());
                case SINT_32 -> keep(numbers, name, (double) in.readSInt32());
                case SINT_64 -> keep(numbers, name, (double) in.readSInt64());
                case FIXED_32 -> keep(numbers, name, (double) in.readFixed32());
                case FIXED_64 -> keep(numbers, name, (double) in.readFixed64());
                case SFIXED_32 -> keep(numbers, name, (double) in.readSFixed32());
                case SFIXED_64 -> keep(numbers, name, (double) in.readSFixed64());
                case BOOL -> keep(numbers, name, in.readBool() ? 1.0 : 0.0);
                case STRING -> keep(texts, name, in.readString());
                case BOOL_LIST -> all = !name.equals("involved_dim") || allTrue(in.readByteArray());
                default -> in.skipField(tag);
            }
        }
        return all;
    }

    private static <T> void keep(Map<String, T> attributes, String name, T value) {
        if (WANTED.contains(name)) {
            attributes.put(name, value);
        }
    }

    private static boolean allTrue(byte[] list) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(list);
        boolean all = true;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT) {
                all &= in.readBool();
            } else {
                for (byte value : in.readByteArray()) {
                    all &= value != 0;
                }
            }
        }
        return all;
    }
}
