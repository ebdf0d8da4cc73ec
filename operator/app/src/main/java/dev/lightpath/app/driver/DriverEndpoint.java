package dev.lightpath.app.driver;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A driver server to stay in touch with.
 *
 * @param address host:port; an IPv6 host in brackets
 * @param roles under which light is held there: one for each fabric it serves
 * @param tls empty for plaintext
 */
public record DriverEndpoint(String address, SortedSet<String> roles, Optional<TlsMaterial> tls)
        implements Comparable<DriverEndpoint> {
    private static final Comparator<DriverEndpoint> ORDER = Comparator.comparing(DriverEndpoint::address)
            .thenComparing(endpoint -> endpoint.roles().toString())
            .thenComparing(
                    endpoint -> endpoint.tls().map(TlsMaterial::fingerprint).orElse(""));

    public DriverEndpoint {
        roles = Collections.unmodifiableSortedSet(new TreeSet<>(roles));
    }

    public static DriverEndpoint plaintext(String address, String role) {
        return new DriverEndpoint(address, new TreeSet<>(List.of(role)), Optional.empty());
    }

    public static DriverEndpoint secured(String address, String role, TlsMaterial tls) {
        return new DriverEndpoint(address, new TreeSet<>(List.of(role)), Optional.of(tls));
    }

    /** This endpoint serving the other's roles too. */
    public DriverEndpoint joined(DriverEndpoint other) {
        SortedSet<String> all = new TreeSet<>(roles);
        all.addAll(other.roles());
        return new DriverEndpoint(address, all, tls);
    }

    @Override
    public int compareTo(DriverEndpoint other) {
        return ORDER.compare(this, other);
    }
}
