package dev.lightpath.cli.cluster.access;

import java.util.Optional;

/**
 * What is asked of one of our processes.
 *
 * @param path with its query
 * @param body JSON, sent by POST; empty for a GET
 */
public record HttpQuestion(String path, Optional<byte[]> body) {
    public static HttpQuestion get(String path) {
        return new HttpQuestion(path, Optional.empty());
    }

    public static HttpQuestion post(String path, byte[] body) {
        return new HttpQuestion(path, Optional.of(body));
    }
}
