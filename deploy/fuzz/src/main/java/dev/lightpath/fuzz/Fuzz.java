package dev.lightpath.fuzz;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Gives a reader mutated inputs: a thousand in a build, for {@code -Dlightpath.fuzz.minutes=N} as many as it takes so
 * long. {@code -Dlightpath.seed=N} repeats a run. An input that fails is left in {@code target/fuzz}.
 */
public final class Fuzz {
    private static final int INPUTS = 1000;
    private static final int LONGEST = 1 << 16;
    private static final int LONGEST_MESSAGE = 100_000;
    private static final long HANG_SECONDS = 60;
    private static final long MOST_GROWTH = 64L << 20;

    /** Reads one input; what it throws is what its user sees. */
    @FunctionalInterface
    public interface Reader {
        void read(byte[] input) throws Exception;
    }

    private static final List<byte[]> TOKENS = texts(
            "{",
            "}",
            "[",
            "]",
            "\"",
            ":",
            ",",
            "null",
            "true",
            "-1",
            "0",
            "1e999",
            "9223372036854775807",
            "2147483648",
            "\n",
            "\t",
            " ",
            "&a ",
            "*a",
            "- ",
            "<<: *a\n",
            "\u0000",
            "\u00e9",
            "[[[[[[[[",
            "{\"a\":{\"a\":{\"a\":",
            "gzip:");

    private final String name;
    private final List<byte[]> samples;
    private final Class<? extends Exception> finding;
    private final Random random;
    private final long seed;

    private Fuzz(String name, List<byte[]> samples, Class<? extends Exception> finding) {
        this.name = name;
        this.samples = samples;
        this.finding = finding;
        this.seed = Long.getLong("lightpath.seed", System.nanoTime());
        this.random = new Random(seed);
    }

    /**
     * Reads samples and what becomes of them by mutation.
     *
     * @param finding what the reader throws of input that it refuses, with a message of one line
     */
    public static void read(String name, List<byte[]> samples, Class<? extends Exception> finding, Reader reader)
            throws Exception {
        new Fuzz(name, samples, finding).run(reader);
    }

    public static List<byte[]> texts(String... texts) {
        return Arrays.stream(texts)
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    private void run(Reader reader) throws Exception {
        System.out.println(name + ": lightpath.seed " + seed);
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(Long.getLong("lightpath.fuzz.minutes", 0));
        long before = 0;
        long inputs = 0;
        try (ExecutorService thread =
                Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory())) {
            for (; inputs < INPUTS || System.nanoTime() < end; inputs++) {
                byte[] input = inputs < samples.size() ? samples.get((int) inputs) : mutated();
                try {
                    thread.submit(() -> attempt(reader, input)).get(HANG_SECONDS, TimeUnit.SECONDS);
                } catch (TimeoutException | ExecutionException e) {
                    thread.shutdownNow();
                    throw new AssertionError(
                            name + ", seed " + seed + ", input " + inputs + " in " + kept(input) + ": "
                                    + (e instanceof TimeoutException ? "does not end" : String.valueOf(e.getCause())),
                            e);
                }
                if (inputs == INPUTS / 2) {
                    before = used();
                }
            }
        }
        long growth = used() - before;
        System.out.println(name + ": " + inputs + " inputs, heap grew by " + growth + " bytes");
        if (growth >= MOST_GROWTH) {
            throw new AssertionError(name + ", seed " + seed + ": the heap grew by " + growth + " bytes");
        }
    }

    private Void attempt(Reader reader, byte[] input) throws Exception {
        try {
            reader.read(input);
        } catch (Exception e) {
            if (!finding.isInstance(e)) {
                throw e;
            }
            requireOneLine(String.valueOf(e.getMessage()));
        }
        return null;
    }

    private static void requireOneLine(String message) {
        if (message.isBlank() || message.contains("\n") || message.length() >= LONGEST_MESSAGE) {
            throw new AssertionError("a refusal is one line of less than " + LONGEST_MESSAGE + " characters, not: "
                    + message.substring(0, Math.min(message.length(), 1000)));
        }
    }

    private Path kept(byte[] input) throws Exception {
        Path file = Files.createDirectories(Path.of("target", "fuzz")).resolve(name + "-" + seed);
        return Files.write(file, input);
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private byte[] mutated() {
        byte[] input = any(samples);
        for (int times = 1 + random.nextInt(4); times > 0; times--) {
            input = mutated(input);
        }
        return input.length <= LONGEST ? input : Arrays.copyOf(input, LONGEST);
    }

    private byte[] mutated(byte[] input) {
        int at = random.nextInt(input.length + 1);
        int to = Math.min(input.length, at + random.nextInt(32));
        return switch (random.nextInt(7)) {
            case 0 -> {
                byte[] flipped = input.clone();
                if (at < flipped.length) {
                    flipped[at] ^= (byte) (1 << random.nextInt(8));
                }
                yield flipped;
            }
            case 1 -> joined(input, at, new byte[] {(byte) random.nextInt()}, at);
            case 2 -> joined(input, at, new byte[0], to);
            case 3 -> joined(input, at, repeated(Arrays.copyOfRange(input, at, to), 1 + random.nextInt(4)), at);
            case 4 -> joined(input, at, any(TOKENS), to);
            case 5 -> joined(input, at, repeated(any(TOKENS), 1 << random.nextInt(12)), at);
            default -> {
                byte[] other = any(samples);
                int from = random.nextInt(other.length + 1);
                yield joined(input, at, Arrays.copyOfRange(other, from, other.length), input.length);
            }
        };
    }

    private byte[] any(List<byte[]> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static byte[] joined(byte[] input, int at, byte[] middle, int from) {
        byte[] all = Arrays.copyOf(input, at + middle.length + input.length - from);
        System.arraycopy(middle, 0, all, at, middle.length);
        System.arraycopy(input, from, all, at + middle.length, input.length - from);
        return all;
    }

    private static byte[] repeated(byte[] part, int times) {
        byte[] all = new byte[part.length * times];
        for (int i = 0; i < times; i++) {
            System.arraycopy(part, 0, all, i * part.length, part.length);
        }
        return all;
    }
}
