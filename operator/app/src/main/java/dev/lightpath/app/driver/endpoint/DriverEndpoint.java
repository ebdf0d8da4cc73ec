package dev.lightpath.app.driver.endpoint;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A driver server to stay in touch with.
 *
 * @param driver as fabrics and switches name it: an address, or a template of the addresses of many node agents
 * @param node whose agent it is; empty where {@code driver} is one driver
 * @param address host:port; an IPv6 host in brackets
 * @param roles under which light is held there: one for each fabric it serves
 * @param tls empty for plaintext
 */
public record DriverEndpoint(
        String driver, Optional<String> node, String address, SortedSet<String> roles, Optional<TlsMaterial> tls)
        implements Comparable<DriverEndpoint> {
    private static final Comparator<DriverEndpoint> ORDER = Comparator.comparing(DriverEndpoint::key)
            .thenComparing(DriverEndpoint::address)
            .thenComparing(endpoint -> endpoint.roles().toString())
            .thenComparing(
                    endpoint -> endpoint.tls().map(TlsMaterial::fingerprint).orElse(""));

    public DriverEndpoint {
        roles = Collections.unmodifiableSortedSet(new TreeSet<>(roles));
    }

    public static DriverEndpoint plaintext(String address, String role) {
        return of(address, role, Optional.empty());
    }

    public static DriverEndpoint secured(String address, String role, TlsMaterial tls) {
        return of(address, role, Optional.of(tls));
    }

    private static DriverEndpoint of(String address, String role, Optional<TlsMaterial> tls) {
        return new DriverEndpoint(address, Optional.empty(), address, new TreeSet<>(List.of(role)), tls);
    }

    /** The agent of a node: one of the drivers that a template names. It serves the device of the node's name alone. */
    public static DriverEndpoint agent(
            String template, String node, String address, String role, Optional<TlsMaterial> tls) {
        return new DriverEndpoint(template, Optional.of(node), address, new TreeSet<>(List.of(role)), tls);
    }

    /** Of one connection; no two have the same. No address has a blank. */
    public String key() {
        return node.map(of -> driver + " " + of).orElse(driver);
    }

    /** Whom the connection leads to, for people. */
    public String label() {
        return node.map(of -> "agent of node " + of + " (" + address + ")").orElse(address);
    }

    /** This endpoint serving the other's roles too. */
    public DriverEndpoint joined(DriverEndpoint other) {
        SortedSet<String> all = new TreeSet<>(roles);
        all.addAll(other.roles());
        return new DriverEndpoint(driver, node, address, all, tls);
    }

    @Override
    public int compareTo(DriverEndpoint other) {
        return ORDER.compare(this, other);
    }
}
