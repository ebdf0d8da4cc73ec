package dev.lightpath.planner.delta;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Scanner;
import java.util.stream.Collectors;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * The reduced graph of a recorded iteration, small enough for a record: who asks how its pods talk need not unpack it.
 *
 * @param digest of its content
 * @param pods of the job
 * @param pairs of pods that talk, one decision each
 * @param packed the instance: lines of text, deflated, Base64
 */
public record TracedIteration(String digest, int pods, List<PodPair> pairs, String packed) {
    private static final int DIGEST_CHARACTERS = 32;
    private static final int MOST_CHARACTERS = 1 << 28;

    public TracedIteration {
        pairs = List.copyOf(pairs);
    }

    /** O(size of the instance). */
    public static TracedIteration of(DeltaInstance instance) {
        String text = text(instance);
        return new TracedIteration(
                digest(text),
                instance.pods().size(),
                instance.groups().stream()
                        .map(group -> group.pairs().getFirst())
                        .toList(),
                packed(text));
    }

    /**
     * The instance, with the ports it was packed with. O(size of the instance).
     *
     * @throws IllegalArgumentException when it is no packed instance
     */
    public DeltaInstance instance() {
        try (InputReader in = new InputReader(unpacked())) {
            return in.instance();
        } catch (java.util.NoSuchElementException e) {
            throw new IllegalArgumentException("the packed iteration " + digest + " breaks off", e);
        }
    }

    /** Names the content and does not show it: questions are named by their words. */
    @Override
    public String toString() {
        return "TracedIteration[" + digest + "]";
    }

    private static String text(DeltaInstance instance) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%s %d %d %d %d\n",
                Double.toString(instance.circuitBytesPerSecond()),
                instance.pods().size(),
                instance.groups().size(),
                instance.tasks().size(),
                instance.dependencies().size()));
        instance.pods()
                .forEach(pod ->
                        text.append(pod.id()).append(' ').append(pod.ports()).append('\n'));
        instance.groups().forEach(group -> {
            PodPair pair = group.pairs().getFirst();
            text.append(group.maxCircuits())
                    .append(' ')
                    .append(pair.first())
                    .append(' ')
                    .append(pair.second())
                    .append('\n');
        });
        instance.tasks()
                .forEach(task -> text.append(task.source())
                        .append(' ')
                        .append(task.destination())
                        .append(' ')
                        .append(task.flows())
                        .append(' ')
                        .append(task.bytes())
                        .append(' ')
                        .append(gpus(task.sourceGpus()))
                        .append(' ')
                        .append(gpus(task.destinationGpus()))
                        .append('\n'));
        instance.dependencies()
                .forEach(dependency -> text.append(dependency.pre())
                        .append(' ')
                        .append(dependency.post())
                        .append(' ')
                        .append(dependency.delaySeconds())
                        .append('\n'));
        return text.toString();
    }

    private static String gpus(List<Integer> gpus) {
        return gpus.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGEST_CHARACTERS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static String packed(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private String unpacked() {
        try (InflaterInputStream in = new InflaterInputStream(
                new ByteArrayInputStream(Base64.getDecoder().decode(packed)))) {
            return new String(in.readNBytes(MOST_CHARACTERS), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalArgumentException("the packed iteration " + digest + " cannot be unpacked", e);
        }
    }

    /** Words of the text, one by one. */
    private static final class InputReader implements AutoCloseable {
        private final Scanner words;

        InputReader(String text) {
            words = new Scanner(text).useLocale(Locale.ROOT);
        }

        DeltaInstance instance() {
            double rate = Double.parseDouble(words.next());
            int podCount = words.nextInt();
            int groupCount = words.nextInt();
            int taskCount = words.nextInt();
            int dependencyCount = words.nextInt();
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
            List<Integer> gpus = new ArrayList<>();
            for (String gpu : words.next().split(",")) {
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
