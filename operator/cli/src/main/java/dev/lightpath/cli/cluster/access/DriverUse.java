package dev.lightpath.cli.cluster.access;

import dev.lightpath.crds.DriverTls;
import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A driver as a fabric or switch names it.
 *
 * @param where the fabric or switch, as kind/name
 * @param endpoint host:port
 * @param secret name of the Secret with the client's certificate; empty without TLS
 */
public record DriverUse(String where, String endpoint, Optional<String> secret) {
    private static final Pattern SERVICE = Pattern.compile("([a-z0-9-]+)\\.([a-z0-9-]+)(?:\\.svc(?:\\..*)?)?");

    /** A Service by its namespace and name. */
    public record Service(String namespace, String name) {}

    public static List<DriverUse> all(Collection<OpticalFabric> fabrics, Collection<OpticalSwitch> switches) {
        List<DriverUse> uses = new ArrayList<>();
        for (OpticalFabric fabric : fabrics) {
            OcsTrx ring = fabric.getSpec().ocsTrx();
            if (ring != null) {
                uses.add(new DriverUse(
                        "opticalfabric/" + fabric.getMetadata().getName(),
                        ring.driver().endpoint(),
                        secret(ring.driver().tls())));
            }
        }
        for (OpticalSwitch of : switches) {
            uses.add(new DriverUse(
                    "opticalswitch/" + of.getMetadata().getName(),
                    of.getSpec().driver().endpoint(),
                    secret(of.getSpec().driver().tls())));
        }
        return uses;
    }

    public String host() {
        return endpoint.substring(0, endpoint.lastIndexOf(':'));
    }

    public int port() {
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    /** The Service of the cluster that the host names; empty for one outside. */
    public Optional<Service> service() {
        Matcher matcher = SERVICE.matcher(host());
        return matcher.matches()
                        && !host().matches("[0-9.]+")
                        && (host().contains(".svc") || host().split("\\.").length == 2)
                ? Optional.of(new Service(matcher.group(2), matcher.group(1)))
                : Optional.empty();
    }

    private static Optional<String> secret(@Nullable DriverTls tls) {
        return Optional.ofNullable(tls).map(DriverTls::secretName);
    }
}
