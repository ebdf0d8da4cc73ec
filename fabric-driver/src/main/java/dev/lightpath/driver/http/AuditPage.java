package dev.lightpath.driver.http;

import dev.lightpath.driver.audit.AuditLog;
import dev.lightpath.serving.pages.StatusPages;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The newest lines of the audit log, the oldest of them first. The image has no shell in which a person could read the
 * file. The query may have {@code device=NAME} and {@code lines=NUMBER}.
 */
public final class AuditPage {
    /** Lines without {@code lines=}. */
    private static final int LINES = 20;

    private static final int MOST_LINES = 1000;

    private final AuditLog log;

    public AuditPage(AuditLog log) {
        this.log = log;
    }

    /** Answers a query as it stands in the address; null for none. Linear in the files of the log. */
    public StatusPages.Answer answer(@Nullable String query) {
        String device = null;
        int lines = LINES;
        for (String part : query == null || query.isEmpty() ? new String[0] : query.split("&")) {
            try {
                if (part.startsWith("device=") && part.length() > "device=".length()) {
                    device = URLDecoder.decode(part.substring("device=".length()), StandardCharsets.UTF_8);
                } else if (part.startsWith("lines=")) {
                    lines = Integer.parseInt(part.substring("lines=".length()));
                } else {
                    return refusal(part);
                }
            } catch (IllegalArgumentException notReadable) {
                return refusal(part);
            }
            if (lines < 1 || lines > MOST_LINES) {
                return refusal(part);
            }
        }
        try {
            StringBuilder page = new StringBuilder();
            log.newest(device, lines).forEach(line -> page.append(line).append('\n'));
            return new StatusPages.Answer(200, "application/x-ndjson", page.toString());
        } catch (IOException e) {
            return new StatusPages.Answer(500, "text/plain", "audit.log cannot be read: " + e.getMessage() + "\n");
        }
    }

    private static StatusPages.Answer refusal(String part) {
        return new StatusPages.Answer(
                400,
                "text/plain",
                "query: '" + part + "' is not allowed; allowed are device=NAME and lines=1 to " + MOST_LINES + "\n");
    }
}
