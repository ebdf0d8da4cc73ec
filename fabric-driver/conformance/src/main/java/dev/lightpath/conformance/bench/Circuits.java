package dev.lightpath.conformance.bench;

import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/** Circuits as text, in order, and as the digest the contract defines. */
public final class Circuits {
    /** By ingress, then egress, bytewise. */
    public static final Comparator<CircuitKey> ORDER = Comparator.comparing(
                    (CircuitKey k) -> k.getIngress().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned)
            .thenComparing(k -> k.getEgress().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    /** A digest of a state that no device shows. */
    public static final String ANOTHER_STATE = digest(List.of(key("no-such-port", "nor-this")));

    private Circuits() {}

    public static CircuitKey key(String ingress, String egress) {
        return CircuitKey.newBuilder().setIngress(ingress).setEgress(egress).build();
    }

    public static String text(CircuitKey key) {
        return key.getIngress() + "->" + key.getEgress();
    }

    public static List<String> texts(Collection<CircuitKey> keys) {
        return keys.stream().sorted(ORDER).map(Circuits::text).toList();
    }

    public static List<CircuitKey> keys(Collection<Circuit> circuits) {
        return circuits.stream().map(Circuit::getKey).toList();
    }

    public static Scope scope(Collection<String> ports) {
        return Scope.newBuilder().addAllPorts(ports).build();
    }

    /** The observed digest of a scope in which exactly these circuits are. */
    public static String digest(Collection<CircuitKey> circuits) {
        StringBuilder lines = new StringBuilder();
        circuits.stream()
                .sorted(ORDER)
                .forEach(k -> lines.append(k.getIngress())
                        .append('>')
                        .append(k.getEgress())
                        .append('\n'));
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(lines.toString().getBytes(StandardCharsets.UTF_8));
            return "sha256:" + HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }
}
