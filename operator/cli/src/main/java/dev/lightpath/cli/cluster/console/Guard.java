package dev.lightpath.cli.cluster.console;

import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Lets in only the browser page that was opened with the token. Other pages of the same browser cannot read the token,
 * cannot send it, and cannot pass as this server under a name of theirs.
 *
 * @param token secret of this run
 * @param hosts allowed values of the header {@code Host}
 */
record Guard(String token, List<String> hosts) {
    private static final int TOKEN_BYTES = 32;

    static Guard of(int port) {
        byte[] secret = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(secret);
        return new Guard(
                Base64.getUrlEncoder().withoutPadding().encodeToString(secret),
                List.of("127.0.0.1:" + port, "localhost:" + port));
    }

    /** Why a request is not even looked at: it came by another name (DNS rebinding), or from another page. */
    Optional<String> refusesOrigin(Headers headers) {
        String host = headers.getFirst("Host");
        if (host == null || !hosts.contains(host)) {
            return Optional.of("Host: allowed is " + String.join(" or ", hosts));
        }
        String origin = headers.getFirst("Origin");
        if (origin != null && !origin.equals("http://" + host)) {
            return Optional.of("Origin: allowed is http://" + host);
        }
        String site = headers.getFirst("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            return Optional.of("this came from another page (Sec-Fetch-Site: " + site + ")");
        }
        return Optional.empty();
    }

    /** Whether a request for data carries the token. */
    boolean knows(Headers headers) {
        String sent = headers.getFirst("Authorization");
        return sent != null
                && MessageDigest.isEqual(
                        sent.getBytes(StandardCharsets.UTF_8), ("Bearer " + token).getBytes(StandardCharsets.UTF_8));
    }
}
