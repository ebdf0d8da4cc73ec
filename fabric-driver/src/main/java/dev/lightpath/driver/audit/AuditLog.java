package dev.lightpath.driver.audit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.tracing.TraceScope;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code audit.log} of the state directory: one JSON object per line and change, appended, never rewritten. A file that
 * reaches its limit becomes {@code audit.log.1}, the previous one {@code audit.log.2} and so on. The oldest is dropped,
 * so that the audit log never takes the journal's disk space.
 */
public final class AuditLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

    /** Older files that are kept. */
    static final int KEPT = 8;

    private static final long LIMIT_BYTES = 16L << 20;

    /** Letters of the lines that are told together: the memory that they take is bounded. */
    private static final int MOST_TOLD = 4 << 20;

    private final Path file;
    private final Clock clock;
    private final long limitBytes;

    @GuardedBy("this")
    private OutputStream out;

    @GuardedBy("this")
    private long bytes;

    /** Whether the file may end in the middle of a line, as a crash or a full disk leaves it. */
    @GuardedBy("this")
    private boolean mayBeCut = true;

    private AuditLog(Path file, Clock clock, long limitBytes) throws IOException {
        this.file = file;
        this.clock = clock;
        this.limitBytes = limitBytes;
        this.out = append(file);
        this.bytes = Files.size(file);
    }

    private static boolean isCut(Path file) throws IOException {
        if (!Files.exists(file) || Files.size(file) == 0) {
            return false;
        }
        try (SeekableByteChannel read = Files.newByteChannel(file)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return read.position(read.size() - 1).read(last) == 1 && last.get(0) != '\n';
        }
    }

    public static AuditLog open(Path directory, Clock clock) throws IOException {
        return open(directory, clock, LIMIT_BYTES);
    }

    /** @param limitBytes a file that is not smaller is closed before the next line */
    static AuditLog open(Path directory, Clock clock, long limitBytes) throws IOException {
        return new AuditLog(directory.resolve("audit.log"), clock, limitBytes);
    }

    private static OutputStream append(Path file) throws IOException {
        return Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** An operation ended, or ended differently than was known. */
    public void operation(String caller, String action, Operation operation) {
        String items = operation.getItemsList().stream().map(AuditLog::item).collect(Collectors.joining(",", "[", "]"));
        line(
                caller,
                action,
                operation.getDeviceId(),
                operation.getFencing(),
                new Json()
                        .text("operation", operation.getOperationId())
                        .text("before", operation.getBeforeDigest())
                        .text("after", operation.getObservedDigest())
                        .text("outcome", operation.getOutcome().name().replace("OUTCOME_", ""))
                        .and(trace())
                        .raw("items", items));
    }

    /** The trace that the caller named, if it is still known. */
    private static Json trace() {
        String id = TraceScope.traceId();
        return id.isEmpty() ? new Json() : new Json().text("trace", id);
    }

    /** Any other change: an override, a transfer. */
    public void change(String caller, String action, String deviceId, Fencing fencing, String what) {
        line(caller, action, deviceId, fencing, new Json().text("change", what));
    }

    private static String item(ItemResult item) {
        return new Json()
                .text("action", item.getAction().name().replace("ITEM_ACTION_", ""))
                .text(
                        "circuit",
                        item.getKey().getIngress() + "->" + item.getKey().getEgress())
                .text("state", item.getState().name().replace("ITEM_STATE_", ""))
                .text("reason", item.getReason().name().replace("ITEM_REASON_", ""))
                .toString();
    }

    /**
     * The newest lines, the oldest of them first. Reads files from the newest on until there are enough; a line that is
     * written meanwhile may be left out.
     *
     * @param device whose lines are wanted; null for all
     * @param most lines; fewer where they are longer than {@link #MOST_TOLD} together
     */
    public List<String> newest(@Nullable String device, int most) throws IOException {
        String wanted = device == null ? "" : new Json().text("device", device).field();
        Deque<String> found = new ArrayDeque<>();
        List<BufferedReader> files = files();
        try {
            boolean goOn = true;
            for (BufferedReader each : files) {
                goOn = goOn && prepend(each, wanted, most, found);
            }
        } finally {
            for (BufferedReader each : files) {
                each.close();
            }
        }
        return List.copyOf(found);
    }

    /** Adds the last lines that have a text in them; false when there were more than may be told. */
    private static boolean prepend(BufferedReader lines, String wanted, int most, Deque<String> found)
            throws IOException {
        Deque<String> last = new ArrayDeque<>();
        int told = found.stream().mapToInt(String::length).sum();
        boolean all = true;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.contains(wanted)) {
                last.addLast(line);
                told += line.length();
                while (last.size() + found.size() > most || told > MOST_TOLD) {
                    told -= last.removeFirst().length();
                    all = false;
                }
            }
        }
        last.descendingIterator().forEachRemaining(found::addFirst);
        return all;
    }

    /** Opened together, so that none is turned over between two; the newest first. */
    private synchronized List<BufferedReader> files() throws IOException {
        List<BufferedReader> files = new ArrayList<>();
        for (int age = 0; age <= KEPT; age++) {
            Path each = age == 0 ? file : numbered(age);
            if (Files.isRegularFile(each)) {
                // a line that a crash cut may end in the middle of a letter
                files.add(
                        new BufferedReader(new InputStreamReader(Files.newInputStream(each), StandardCharsets.UTF_8)));
            }
        }
        return files;
    }

    private synchronized void line(String caller, String action, String deviceId, Fencing fencing, Json rest) {
        String line = new Json()
                .text("at", clock.instant().toString())
                .text("caller", caller)
                .text("action", action)
                .text("device", deviceId)
                .text("role", fencing.getRole())
                .raw("epoch", Long.toUnsignedString(fencing.getEpoch()))
                .text("holder", fencing.getHolder())
                .and(rest)
                .toString();
        try {
            if (bytes >= limitBytes) {
                startAnew();
            }
            String begin = mayBeCut && isCut(file) ? "\n" : "";
            byte[] written = (begin + line + "\n").getBytes(StandardCharsets.UTF_8);
            mayBeCut = true;
            out.write(written);
            mayBeCut = false;
            bytes += written.length;
        } catch (IOException e) {
            // the audited change is done and durable, so its line must not be lost
            LOG.atError().log("audit.log lacks a line, which follows: " + e + ": " + line);
        }
    }

    @GuardedBy("this")
    private void startAnew() {
        try {
            if (Files.exists(file)) {
                for (int older = KEPT - 1; older > 0; older--) {
                    if (Files.exists(numbered(older))) {
                        Files.move(numbered(older), numbered(older + 1), StandardCopyOption.REPLACE_EXISTING);
                    }
                }
                Files.move(file, numbered(1), StandardCopyOption.REPLACE_EXISTING);
            }
            OutputStream next = append(file);
            out.close();
            out = next;
        } catch (IOException e) {
            LOG.atWarn().log("audit.log is not turned over, and grows: " + e);
        }
        bytes = 0;
    }

    private Path numbered(int age) {
        return file.resolveSibling(file.getFileName() + "." + age);
    }

    @Override
    public synchronized void close() throws IOException {
        out.close();
    }
}
