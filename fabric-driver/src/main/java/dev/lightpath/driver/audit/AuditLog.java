package dev.lightpath.driver.audit;

import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.stream.Collectors;

/** {@code audit.log} of the state directory: one JSON object per line and change, appended, never rewritten. */
public final class AuditLog implements AutoCloseable {
    private final Writer out;
    private final Clock clock;

    private AuditLog(Writer out, Clock clock) {
        this.out = out;
        this.clock = clock;
    }

    public static AuditLog open(Path directory, Clock clock) throws IOException {
        return new AuditLog(
                Files.newBufferedWriter(
                        directory.resolve("audit.log"),
                        StandardCharsets.UTF_8,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND),
                clock);
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
                        .raw("items", items));
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
            out.write(line + "\n");
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("audit.log", e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        out.close();
    }
}
