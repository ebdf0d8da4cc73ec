package dev.lightpath.reading.traffic;

import dev.lightpath.planner.delta.iteration.CollectiveKind;
import dev.lightpath.planner.delta.iteration.ExecutionTrace;
import dev.lightpath.planner.delta.iteration.TraceStep;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/**
 * MLCommons Chakra execution traces: one file for each rank, {@code PREFIX.RANK.et}, messages each after their length:
 * GlobalMetadata, then Nodes. Compressed by gzip or not.
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

    /**
     * How PyTorch notes its process groups in a node of each trace: between braces, a name and ranks. One pass over the
     * text.
     */
    private static final Pattern PROCESS_GROUP = Pattern.compile("\\{([^{}]*+)");

    private static final Pattern GROUP_NAME = Pattern.compile("\"pg_name\": \"([^\"]*+)\"");
    private static final Pattern GROUP_RANKS = Pattern.compile("\"ranks\": \\[([0-9, ]*+)\\]");

    private final String file;
    /** One list for all, however many collectives they enter. */
    private final List<Integer> everybody;

    /** Groups that hold for all ranks. */
    private final Map<String, List<Integer>> told;

    /** Others, which this rank notes. */
    private final Map<String, List<Integer>> noted = new HashMap<>();

    private final TraceAllowance allowance;

    private ChakraTrace(
            String file, List<Integer> everybody, Map<String, List<Integer>> told, TraceAllowance allowance) {
        this.file = file;
        this.everybody = everybody;
        this.told = told;
        this.allowance = allowance;
    }

    /**
     * Reads the traces of all ranks. O(bytes unpacked).
     *
     * @param files content by name; others than {@code *.RANK.et} are not wanted
     * @param groups ranks of process groups by {@code pg_name}; traces may note others
     * @param limits nothing beyond them is held
     * @throws IllegalArgumentException with file, record, what is wrong and what is allowed
     */
    public static ExecutionTrace read(
            SortedMap<String, byte[]> files, Map<String, List<Integer>> groups, TraceLimits limits) {
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
        int last = byRank.lastKey();
        if (last != byRank.size() - 1) {
            int missing = IntStream.range(0, byRank.size())
                    .filter(rank -> !byRank.containsKey(rank))
                    .findFirst()
                    .orElse(0);
            throw new IllegalArgumentException(
                    prefix + "." + missing + ".et: is missing, there are files up to rank " + last);
        }
        List<Integer> everybody =
                List.copyOf(IntStream.range(0, byRank.size()).boxed().toList());
        Map<String, List<Integer>> told = new HashMap<>();
        TraceAllowance allowance = new TraceAllowance(limits);
        groups.forEach((name, members) -> {
            allowance.dependencies(1L + members.size());
            told.put(name, ascending(members));
        });
        List<List<TraceStep>> steps = new ArrayList<>();
        for (String file : byRank.values()) {
            byte[] content = files.getOrDefault(file, new byte[0]);
            steps.add(new ChakraTrace(file, everybody, told, allowance).steps(nodes(file, content, allowance)));
        }
        return new ExecutionTrace(prefix.isEmpty() ? "trace" : prefix, steps, List.copyOf(byRank.values()));
    }

    /** The nodes of a file. */
    static List<ChakraNode> nodes(String file, byte[] content, TraceAllowance allowance) {
        List<ChakraNode> nodes = new ArrayList<>();
        int record = 0;
        try (InputStream in = opened(content)) {
            for (int first = in.read(); first >= 0; first = in.read()) {
                int length = length(file, record, first, in);
                allowance.record(1L + length);
                byte[] message = in.readNBytes(length);
                if (record > 0 || ChakraNode.isNode(message)) {
                    nodes.add(ChakraNode.parse(message, allowance));
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
            Set<Integer> after = new LinkedHashSet<>();
            for (long dependency : node.dependencies()) {
                Integer place = places.get(dependency);
                if (place == null) {
                    throw wrong(node, "data_deps: there is no node " + dependency);
                }
                after.add(place);
            }
            try {
                steps.add(step(node, List.copyOf(after)));
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
                            + ", allowed: 0 all-reduce, 2 all-gather, 5 broadcast, 6 all-to-all, 7 and 8"
                            + " reduce-scatter, 9 barrier");
        }
        CollectiveKind kind = KINDS.get((int) type).getFirst();
        if (!node.allDimensions()) {
            throw wrong(
                    node, "involved_dim leaves a dimension out, allowed: pg_name and the ranks of the group instead");
        }
        String group = node.texts().getOrDefault("pg_name", "");
        List<Integer> members = noted.get(group);
        if (members == null) {
            members = told.get(group);
        }
        if (members == null && !group.isEmpty()) {
            throw wrong(node, "pg_name '" + group + "': no such process group, allowed: one of comm_group.json");
        }
        List<Integer> involved = members == null || members.isEmpty() ? everybody : members;
        allowance.members(involved.size());
        return new TraceStep.Collective(
                name, after, kind, involved, kind == CollectiveKind.BARRIER ? 0 : number(node, "comm_size"));
    }

    private void processGroups(ChakraNode node) {
        if (!node.name().contains("process_group:init")) {
            return;
        }
        Matcher each = PROCESS_GROUP.matcher(node.texts().getOrDefault("", ""));
        while (each.find()) {
            Matcher name = GROUP_NAME.matcher(each.group(1));
            Matcher ranks = GROUP_RANKS.matcher(each.group(1));
            if (name.find() && ranks.find(name.end())) {
                String list = ranks.group(1).strip();
                allowance.dependencies(
                        1 + list.chars().filter(letter -> letter == ',').count());
                if (!told.containsKey(name.group(1))) {
                    noted.putIfAbsent(name.group(1), list.isEmpty() ? List.of() : ascending(numbers(node, list)));
                }
            }
        }
    }

    private List<Integer> numbers(ChakraNode node, String list) {
        try {
            return Arrays.stream(list.split(","))
                    .map(rank -> Integer.parseInt(rank.strip()))
                    .toList();
        } catch (NumberFormatException e) {
            throw wrong(node, "a process group has a rank that is none, allowed: ranks joined by commas");
        }
    }

    private static List<Integer> ascending(List<Integer> ranks) {
        return List.copyOf(ranks.stream().sorted().distinct().toList());
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
