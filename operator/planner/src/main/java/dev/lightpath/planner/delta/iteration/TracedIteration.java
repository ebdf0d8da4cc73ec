package dev.lightpath.planner.delta.iteration;

import dev.lightpath.planner.delta.model.CircuitGroup;
import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Dependency;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.PodPair;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Scanner;
import java.util.stream.Collectors;

/**
 * The reduced graph of a recorded iteration, small enough for a record. The pairs of talking pods can be read without
 * unpacking it.
 *
 * @param digest of its content
 * @param pods of the job
 * @param pairs of pods that talk, one decision each
 * @param packed the instance: lines of text, deflated, Base64
 */
public record TracedIteration(String digest, int pods, List<PodPair> pairs, String packed) {
    public TracedIteration {
        pairs = List.copyOf(pairs);
    }

    /**
     * O(size of the instance), of which only the packed text is held.
     *
     * @throws IllegalArgumentException when it takes more than 400 000 characters packed, 2^24 unpacked, or is of more
     *     transfers and dependencies than {@link TraceEffort#BOUNDED} allows
     */
    public static TracedIteration of(DeltaInstance instance) {
        requireCounts(
                instance.pods().size(),
                instance.groups().size(),
                instance.tasks().size(),
                instance.dependencies().size());
        PackedLines lines = new PackedLines();
        write(instance, lines);
        String packed = lines.packed();
        return new TracedIteration(
                lines.digest(),
                instance.pods().size(),
                instance.groups().stream()
                        .map(group -> group.pairs().getFirst())
                        .toList(),
                packed);
    }

    /**
     * The instance, with the ports it was packed with. O(size of the instance).
     *
     * @throws IllegalArgumentException when it is no packed instance, or of more than {@link #of} packs
     */
    public DeltaInstance instance() {
        try (InputReader in = new InputReader(PackedLines.unpacked(packed))) {
            return in.instance();
        } catch (NoSuchElementException e) {
            throw new IllegalArgumentException("the packed iteration " + digest + " breaks off", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the packed iteration " + digest + ": " + e.getMessage(), e);
        }
    }

    /** Names the content and does not show it: questions are named by their words. */
    @Override
    public String toString() {
        return "TracedIteration[" + digest + "]";
    }

    /**
     * Each transfer counts as eight and its ranks, two at least; each pair of pods has one, and each pod counts as a
     * rank.
     */
    private static void requireCounts(int pods, int groups, int tasks, int dependencies) {
        requireAtMost(pods, TraceEffort.BOUNDED.transfers(), "pods");
        requireAtMost(10L * groups, TraceEffort.BOUNDED.transfers(), "pairs of pods, each counted as ten");
        requireAtMost(10L * tasks, TraceEffort.BOUNDED.transfers(), "transfers, each counted as ten");
        requireAtMost(dependencies, TraceEffort.BOUNDED.dependencies(), "dependencies between transfers");
    }

    private static void requireAtMost(long found, long most, String what) {
        if (found > most) {
            throw new IllegalArgumentException(
                    "the iteration has " + found + " " + what + ", allowed: at most " + most);
        }
    }

    private static void write(DeltaInstance instance, PackedLines lines) {
        lines.add(String.format(
                Locale.ROOT,
                "%s %d %d %d %d\n",
                Double.toString(instance.circuitBytesPerSecond()),
                instance.pods().size(),
                instance.groups().size(),
                instance.tasks().size(),
                instance.dependencies().size()));
        instance.pods().forEach(pod -> lines.add(pod.id() + " " + pod.ports() + "\n"));
        instance.groups().forEach(group -> {
            PodPair pair = group.pairs().getFirst();
            lines.add(group.maxCircuits() + " " + pair.first() + " " + pair.second() + "\n");
        });
        instance.tasks()
                .forEach(task -> lines.add(task.source() + " " + task.destination() + " " + task.flows() + " "
                        + task.bytes() + " " + gpus(task.sourceGpus()) + " " + gpus(task.destinationGpus()) + "\n"));
        instance.dependencies()
                .forEach(dependency ->
                        lines.add(dependency.pre() + " " + dependency.post() + " " + dependency.delaySeconds() + "\n"));
    }

    private static String gpus(List<Integer> gpus) {
        return gpus.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Words of the text, one by one. What they count is checked before there is room for it. */
    private static final class InputReader implements AutoCloseable {
        private final Scanner words;
        private long ends;

        InputReader(byte[] text) {
            words = new Scanner(new ByteArrayInputStream(text), StandardCharsets.UTF_8).useLocale(Locale.ROOT);
        }

        DeltaInstance instance() {
            double rate = Double.parseDouble(words.next());
            int podCount = words.nextInt();
            int groupCount = words.nextInt();
            int taskCount = words.nextInt();
            int dependencyCount = words.nextInt();
            requireCounts(podCount, groupCount, taskCount, dependencyCount);
            List<Pod> pods = new ArrayList<>();
            for (int pod = 0; pod < podCount; pod++) {
                pods.add(new Pod(words.nextInt(), words.nextInt(), true));
            }
            List<CircuitGroup> groups = new ArrayList<>();
            for (int group = 0; group < groupCount; group++) {
                int most = words.nextInt();
                groups.add(new CircuitGroup(most, false, List.of(new PodPair(words.nextInt(), words.nextInt()))));
            }
            List<CommunicationTask> tasks = new ArrayList<>();
            for (int task = 0; task < taskCount; task++) {
                tasks.add(new CommunicationTask(
                        task,
                        "transfer " + task,
                        words.nextInt(),
                        words.nextInt(),
                        words.nextInt(),
                        Double.parseDouble(words.next()),
                        gpus(),
                        gpus()));
            }
            List<Dependency> dependencies = new ArrayList<>();
            for (int dependency = 0; dependency < dependencyCount; dependency++) {
                dependencies.add(new Dependency(words.nextInt(), words.nextInt(), Double.parseDouble(words.next())));
            }
            return new DeltaInstance("trace", rate, pods, groups, tasks, dependencies);
        }

        private List<Integer> gpus() {
            String word = words.next();
            ends += 1 + word.chars().filter(letter -> letter == ',').count();
            requireAtMost(ends, TraceEffort.BOUNDED.transfers(), "ranks at the ends of transfers");
            List<Integer> gpus = new ArrayList<>();
            for (String gpu : word.split(",")) {
                gpus.add(Integer.valueOf(gpu));
            }
            return gpus;
        }

        @Override
        public void close() {
            words.close();
        }
    }
}
