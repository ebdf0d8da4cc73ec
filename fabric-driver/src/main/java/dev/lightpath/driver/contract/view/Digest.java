package dev.lightpath.driver.contract.view;

import com.google.protobuf.ByteString;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;

/** The two SHA-256 of the contract: what a scope shows, and what a request says. */
public final class Digest {
    private Digest() {}

    /**
     * "sha256:" and the hash of the lines {@code ingress>egress\n} in the order of the pairs; any order may be given.
     */
    public static String ofCircuits(Collection<CircuitPair> pairs) {
        MessageDigest sha = sha256();
        pairs.stream()
                .sorted()
                .forEach(p -> sha.update((p.ingress() + ">" + p.egress() + "\n").getBytes(StandardCharsets.UTF_8)));
        return "sha256:" + HexFormat.of().formatHex(sha.digest());
    }

    /** Hash of a request as far as it names the same change: epoch and holder are not part of it. */
    public static ByteString ofContent(ApplyCircuitsRequest request) {
        Fencing roleOnly =
                Fencing.newBuilder().setRole(request.getFencing().getRole()).build();
        return ByteString.copyFrom(
                sha256().digest(request.toBuilder().setFencing(roleOnly).build().toByteArray()));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }
}
