package dev.lightpath.tracing;

import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A trace whose identifiers follow from the name of what is traced. So every process adds to the same trace, and so
 * does the successor of one that stopped, without a word between them.
 *
 * @param traceId 32 hexadecimal digits, as in W3C Trace Context
 * @param rootId of its first span, 16 hexadecimal digits
 */
public record NamedTrace(String traceId, String rootId) {
    /** The trace of what has this name, in parts: ("a", "bc") is another one than ("ab", "c"). */
    public static NamedTrace of(String... name) {
        MessageDigest digest = sha256();
        for (String part : name) {
            digest.update(part.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
        }
        String hex = HexFormat.of().formatHex(digest.digest());
        int ids = TraceId.getLength() + SpanId.getLength();
        return new NamedTrace(hex.substring(0, TraceId.getLength()), hex.substring(TraceId.getLength(), ids));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException("every Java platform has SHA-256", never);
        }
    }
}
