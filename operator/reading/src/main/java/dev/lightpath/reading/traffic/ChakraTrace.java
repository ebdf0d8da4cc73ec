package dev.lightpath.reading.traffic;

import dev.lightpath.planner.delta.CollectiveKind;
import dev.lightpath.planner.delta.ExecutionTrace;
import dev.lightpath.planner.delta.TraceStep;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/**
 * MLCommons Chakra execution traces: one file for each rank, {@code PREFIX.RANK.et}, messages each after their length: GlobalMetadata,
 * then Nodes. Compressed by gzip or not.
 */
public final class ChakraTrace {
    private static final Pattern FILE = Pattern.compile("(.*?)\\.?(\\d+)\\.et(?:\\.gz)?");
    private static final double MICROS = 1e-6;
    private static final int MOST_RECORD_BYTES = 1 << 26;

    /** CollectiveCommType by number; empty where no ring tells the traffic, because one rank is special. */
    private static final List<List<CollectiveKind>> KINDS = List.of(
            List.of(CollectiveKind.ALL_REDUCE),
            List.of(),
            List.of(CollectiveKind.ALL_GATHER),
            List.of(),
            List.of(),
            List.of(CollectiveKind.BROADCAST),
            List.of(CollectiveKind.ALL_TO_ALL),
            List.of(CollectiveKind.REDUCE_SCATTER),
            List.of(CollectiveKind.REDUCE_SCATTER),
            List.of(CollectiveKind.BARRIER));

    /** How PyTorch notes its process groups in a node of each trace. */
    private static final Pattern PROCESS_GROUP =
            Pattern.compile("\\{[^{}]*\"pg_name\": \"([^\"]*)\"[^{}]*\"ranks\": \\[([0-9, ]*)\\]");

    private final String file;
    private final int ranks;
    private final Map<String, List<Integer>> groups;

    private ChakraTrace(String file, int ranks, Map<String, List<Integer>> groups) {
        this.file = file;
        this.ranks = ranks;
        this.groups = groups;
    }

    /**
     * Reads the traces of all ranks. O(bytes).
     *
     * @param files content by name; others than {@code *.RANK.et} are not wanted
     * @param groups ranks of each process group ({@code pg_name}), as far as the traces do not tell them
     * @throws IllegalArgumentException with file, record, what is wrong and what is allowed
     */
    public static ExecutionTrace read(SortedMap<String, byte[]> files, Map<String, List<Integer>> groups) {
        return read(files, groups, Allowance.unlimited());
    }

    /**
     * The same of no more than somebody can hold, however well it is compressed.
     *
     * @param allowance for all files together
     * @throws IllegalArgumentException as above, and naming file and record with which it is used up
     */
    static ExecutionTrace read(
            SortedMap<String, byte[]> files, Map<String, List<Integer>> groups, Allowance allowance) {
        SortedMap<Integer, String> byRank = new TreeMap<>();
        String prefix = null;
        for (String file : files.keySet()) {
            Matcher name = FILE.matcher(file);
            if (!name.matches()) {
                throw new IllegalArgumentException(file + ": allowed: PREFIX.RANK.et");
            }
            if (prefix != null && !prefix.equals(name.group(1))) {
                throw new IllegalArgumentException(
                        file + ": is of another trace than " + prefix + ".*, allowed: the files of one trace");
            }
            prefix = name.group(1);
            String other;
            try {
                other = byRank.put(Integer.parseInt(name.group(2)), file);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(file + ": rank " + name.group(2) + ", allowed: a smaller number", e);
            }
            if (other != null) {
                throw new IllegalArgumentException(file + ": is of the same rank as " + other);
            }
        }
        if (prefix == null) {
            throw new IllegalArgumentException("no trace, allowed: a file PREFIX.RANK.et for each rank");
        }
        int ranks = byRank.lastKey() + 1;
        List<List<TraceStep>> steps = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            String file = byRank.get(rank);
            if (file == null) {
                throw new IllegalArgumentException(
                        prefix + "." + rank + ".et: is missing, there are files up to rank " + (ranks - 1));
            }
            byte[] content = files.getOrDefault(file, new byte[0]);
            steps.add(new ChakraTrace(file, ranks, new HashMap<>(groups)).steps(nodes(file, content, allowance)));
        }
        return new ExecutionTrace(prefix.isEmpty() ? "trace" : prefix, steps, List.copyOf(byRank.values()));
    }

    /** The nodes of a file. */
    static List<ChakraNode> nodes(String file, byte[] content) {
        return nodes(file, content, Allowance.unlimited());
    }

    private static List<ChakraNode> nodes(String file, byte[] content, Allowance allowance) {
        List<ChakraNode> nodes = new ArrayList<>();
        int record = 0;
        try (InputStream in = opened(content)) {
            for (int first = in.read(); first >= 0; first = in.read()) {
                int length = length(file, record, first, in);
                if (!allowance.take(length)) {
                    throw wrong(file, record, "is more than an operator reads, " + allowance.words(), null);
                }
                byte[] message = in.readNBytes(length);
                if (record > 0 || ChakraNode.isNode(message)) {
                    nodes.add(ChakraNode.parse(message));
                }
                record++;
            }
        } catch (IOException e) {
            throw wrong(file, record, "does not parse as a Chakra message: " + e.getMessage(), e);
        }
        if (record == 0) {
            throw new IllegalArgumentException(file + ": is empty, allowed: a Chakra execution trace");
        }
        return nodes;
    }

    private static InputStream opened(byte[] content) throws IOException {
        boolean compressed = content.length > 1 && content[0] == (byte) 0x1f && content[1] == (byte) 0x8b;
        InputStream plain = new ByteArrayInputStream(content);
        return compressed ? new GZIPInputStream(plain) : new Exactly(plain, content.length);
    }

    /** Tells a record that ends too early by how many bytes are missing. */
    private static final class Exactly extends java.io.FilterInputStream {
        private long left;

        Exactly(InputStream in, long bytes) {
            super(in);
            left = bytes;
        }

        @Override
        public int read() throws IOException {
            left--;
            return super.read();
        }

        @Override
        public byte[] readNBytes(int wanted) throws IOException {
            if (wanted > left) {
                throw new IOException("it says it has " + wanted + " bytes, the file has " + left + " more");
            }
            left -= wanted;
            return super.readNBytes(wanted);
        }
    }

    private static int length(String file, int record, int first, InputStream in) throws IOException {
        long length = first & 0x7f;
        int next = first;
        for (int shift = 7; (next & 0x80) != 0; shift += 7) {
            next = in.read();
            if (next < 0 || shift > 28) {
                throw new IOException("no length");
            }
            length |= (long) (next & 0x7f) << shift;
        }
        if (length > MOST_RECORD_BYTES) {
            throw wrong(file, record, "has " + length + " bytes, allowed: at most " + MOST_RECORD_BYTES, null);
        }
        return (int) length;
    }

    private List<TraceStep> steps(List<ChakraNode> nodes) {
        Map<Long, Integer> places = new HashMap<>();
        for (ChakraNode node : nodes) {
            if (places.put(node.id(), places.size()) != null) {
                throw wrong(node, "its id repeats, allowed: distinct ids");
            }
            processGroups(node);
        }
        List<TraceStep> steps = new ArrayList<>();
        for (ChakraNode node : nodes) {
            List<Integer> after = new ArrayList<>();
            for (long dependency : node.dependencies()) {
                Integer place = places.get(dependency);
                if (place == null) {
                    throw wrong(node, "data_deps: there is no node " + dependency);
                }
                after.add(place);
            }
            try {
                steps.add(step(node, after));
            } catch (IllegalArgumentException e) {
                throw String.valueOf(e.getMessage()).startsWith(file)
                        ? e
                        : new IllegalArgumentException(file + ": " + e.getMessage(), e);
            }
        }
        return steps;
    }

    private TraceStep step(ChakraNode node, List<Integer> after) {
        String name = named(node);
        if (node.type() < 1 || node.type() > ChakraNode.MOST_TYPE) {
            throw wrong(node, "type " + node.type() + ", allowed: 1 to " + ChakraNode.MOST_TYPE);
        }
        return switch (node.type()) {
            case ChakraNode.SEND ->
                new TraceStep.Send(
                        name,
                        after,
                        (int) number(node, "comm_dst"),
                        node.numbers().getOrDefault("comm_tag", 0.0).intValue(),
                        number(node, "comm_size"));
            case ChakraNode.RECEIVE ->
                new TraceStep.Receive(
                        name,
                        after,
                        (int) number(node, "comm_src"),
                        node.numbers().getOrDefault("comm_tag", 0.0).intValue());
            case ChakraNode.COLLECTIVE -> collective(node, name, after);
            default -> new TraceStep.Compute(name, after, node.durationMicros() * MICROS);
        };
    }

    private TraceStep collective(ChakraNode node, String name, List<Integer> after) {
        double type = number(node, "comm_type");
        if (type < 0 || type >= KINDS.size() || KINDS.get((int) type).isEmpty()) {
            throw wrong(
                    node,
                    "comm_type " + (long) type
                            + ", allowed: 0 all-reduce, 2 all-gather, 5 broadcast, 6 all-to-all, 7 and 8 reduce-scatter,"
                            + " 9 barrier");
        }
        CollectiveKind kind = KINDS.get((int) type).getFirst();
        if (!node.allDimensions()) {
            throw wrong(
                    node, "involved_dim leaves a dimension out, allowed: pg_name and the ranks of the group instead");
        }
        String group = node.texts().getOrDefault("pg_name", "");
        List<Integer> members = groups.get(group);
        if (members == null && !group.isEmpty()) {
            throw wrong(node, "pg_name '" + group + "': no such process group, allowed: one of comm_group.json");
        }
        List<Integer> involved = members == null || members.isEmpty()
                ? IntStream.range(0, ranks).boxed().toList()
                : members.stream().sorted().distinct().toList();
        return new TraceStep.Collective(
                name, after, kind, involved, kind == CollectiveKind.BARRIER ? 0 : number(node, "comm_size"));
    }

    private void processGroups(ChakraNode node) {
        if (!node.name().contains("process_group:init")) {
            return;
        }
        Matcher each = PROCESS_GROUP.matcher(node.texts().getOrDefault("", ""));
        while (each.find()) {
            String list = each.group(2).strip();
            groups.putIfAbsent(
                    each.group(1),
                    list.isEmpty()
                            ? List.of()
                            : Arrays.stream(list.split(","))
                                    .map(rank -> Integer.parseInt(rank.strip()))
                                    .toList());
        }
    }

    private double number(ChakraNode node, String attribute) {
        Double value = node.numbers().get(attribute);
        if (value == null) {
            throw wrong(node, attribute + ": missing, it is required");
        }
        return value;
    }

    private static String named(ChakraNode node) {
        return "node " + node.id() + (node.name().isEmpty() ? "" : " (" + node.name() + ")");
    }

    private IllegalArgumentException wrong(ChakraNode node, String problem) {
        return new IllegalArgumentException(file + ": " + named(node) + ": " + problem);
    }

    private static IllegalArgumentException wrong(
            String file, int record, String problem, @org.jspecify.annotations.Nullable Throwable cause) {
        return new IllegalArgumentException(file + ": record " + record + ": " + problem, cause);
    }
}
