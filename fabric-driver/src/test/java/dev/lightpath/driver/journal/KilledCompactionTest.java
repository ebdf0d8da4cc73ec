package dev.lightpath.driver.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is really killed while it rewrites its journal. */
final class KilledCompactionTest {
    private static final int KILLS = 12;

    @TempDir
    private Path directory;

    private Process start(int snapshot, int record) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        EndlessCompaction.class.getName(),
                        directory.toString(),
                        Integer.toString(snapshot),
                        Integer.toString(record))
                .redirectErrorStream(true)
                .start();
    }

    /** The last number that was told to be durable, once the process has ended. */
    private static int lastTold(BufferedReader lines, int before) throws Exception {
        int told = before;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            assertThat(line).matches("\\d+");
            told = Integer.parseInt(line);
        }
        return told;
    }

    /** All numbers in order, of which the last may be one that nobody was told of. */
    private void assertRemembers(int told) throws Exception {
        List<Integer> numbers = new ArrayList<>();
        Journal.open(directory, bytes -> numbers.add(ByteBuffer.wrap(bytes).getInt()))
                .close();
        assertThat(numbers.size()).isBetween(told, told + 1);
        assertThat(numbers)
                .isEqualTo(IntStream.rangeClosed(1, numbers.size()).boxed().toList());
    }

    @Test
    void losesNothingWhenItIsKilledAtAnyTime() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int told = 0;
        for (int i = 0; i < KILLS; i++) {
            Process process = start(0, 0);
            BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
            int until = told + 1 + random.nextInt(30);
            while (told < until) {
                told = Integer.parseInt(lines.readLine());
            }
            TimeUnit.NANOSECONDS.sleep(random.nextInt(3_000_000));
            // the process itself would close what is still to be read of it
            assertThat(process.toHandle().destroyForcibly()).isTrue();
            told = lastTold(lines, told);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertRemembers(told);
        }
    }

    @Test
    void losesNothingWhenItEndsAtAnyRecordOfASnapshot() throws Exception {
        int told = 0;
        for (int record : new int[] {1, 2, 5}) {
            Process process = start(2, record);
            told = lastTold(process.inputReader(StandardCharsets.UTF_8), told);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(9);
            assertRemembers(told);
        }
    }
}
