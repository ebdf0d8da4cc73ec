package dev.lightpath.serving.pages;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a request before its body (RFC 9112), as far as pages need them.
 *
 * @param query what follows the question mark; null for none
 * @param accept the types that the caller takes, as it names them
 */
record RequestHead(String method, String path, @Nullable String query, String accept) {
    private static final int MOST_BYTES = 16 << 10;

    /**
     * Reads up to the empty line, at most 16 KiB; empty for what is no request.
     *
     * @param in is asked for one byte at a time
     * @throws EOFException when the caller ends before its request does
     */
    static Optional<RequestHead> read(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (int bytes = 0; bytes < MOST_BYTES; bytes++) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("no whole request");
            }
            if (next != '\n') {
                line.append((char) next);
                continue;
            }
            if (!line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
                line.setLength(line.length() - 1);
            }
            if (line.isEmpty()) {
                return of(lines);
            }
            lines.add(line.toString());
            line.setLength(0);
        }
        return Optional.empty();
    }

    private static Optional<RequestHead> of(List<String> lines) {
        String[] words = lines.isEmpty() ? new String[0] : lines.getFirst().split(" ", -1);
        if (words.length != 3 || !words[1].startsWith("/") || !words[2].startsWith("HTTP/1.")) {
            return Optional.empty();
        }
        List<String> types = new ArrayList<>();
        for (String field : lines.subList(1, lines.size())) {
            int colon = field.indexOf(':');
            if (colon < 1) {
                return Optional.empty();
            }
            if (field.substring(0, colon).equalsIgnoreCase("Accept")) {
                types.add(field.substring(colon + 1).strip());
            }
        }
        int mark = words[1].indexOf('?');
        return Optional.of(new RequestHead(
                words[0],
                mark < 0 ? words[1] : words[1].substring(0, mark),
                mark < 0 ? null : words[1].substring(mark + 1),
                String.join(",", types)));
    }
}
