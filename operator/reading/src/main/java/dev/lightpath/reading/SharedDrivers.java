package dev.lightpath.reading;

import dev.lightpath.crds.DriverTls;
import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * There is one connection to each driver. If fabrics name one driver with different TLS settings, those of the oldest
 * fabric apply. The others get a message, and are not served with another fabric's certificate.
 */
public final class SharedDrivers {
    /** @param where in whose words, for a person */
    private record Use(String address, @Nullable String secret, String where) {
        String settings() {
            return secret == null ? "without TLS" : "with Secret " + secret;
        }
    }

    private SharedDrivers() {}

    /** Fabrics that cannot have the connection they ask for, each with the reason. O(fabrics + switches). */
    public static Map<String, String> refused(Collection<OpticalFabric> fabrics, Collection<OpticalSwitch> switches) {
        Map<String, Use> settled = new HashMap<>();
        Map<String, String> refused = new TreeMap<>();
        for (OpticalFabric fabric : Seniority.oldestFirst(fabrics)) {
            Map<String, Use> all = new HashMap<>(settled);
            Optional<String> why = Optional.empty();
            for (Use use : uses(fabric, switches)) {
                Use before = all.putIfAbsent(use.address(), use);
                if (why.isEmpty() && before != null && !before.settings().equals(use.settings())) {
                    why = Optional.of(why(before, use));
                }
            }
            if (why.isEmpty()) {
                settled = all;
            } else {
                refused.put(fabric.getMetadata().getName(), why.get());
            }
        }
        return refused;
    }

    private static String why(Use before, Use use) {
        return "driver " + use.address() + " is named by " + before.where() + " " + before.settings() + " and by "
                + use.where() + " " + use.settings()
                + ": nothing is read or written for the latter; name the same Secret in both (driver.tls.secretName), or"
                + " give one of them a driver of another address";
    }

    private static List<Use> uses(OpticalFabric fabric, Collection<OpticalSwitch> switches) {
        String name = fabric.getMetadata().getName();
        OcsTrx ring = fabric.getSpec().ocsTrx();
        if (ring != null) {
            return List.of(
                    new Use(ring.driver().endpoint(), secret(ring.driver().tls()), "fabric " + name));
        }
        List<Use> uses = new ArrayList<>();
        switches.stream()
                .filter(of -> name.equals(of.getSpec().fabric()))
                .sorted(Comparator.comparing(of -> of.getMetadata().getName()))
                .forEach(of -> uses.add(new Use(
                        of.getSpec().driver().endpoint(),
                        secret(of.getSpec().driver().tls()),
                        "switch " + of.getMetadata().getName() + " of fabric " + name)));
        return uses;
    }

    private static @Nullable String secret(@Nullable DriverTls tls) {
        return tls == null
                ? null
                : tls.serverName() == null ? tls.secretName() : tls.secretName() + " and name " + tls.serverName();
    }
}
