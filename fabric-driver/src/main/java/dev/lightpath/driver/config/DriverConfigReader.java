package dev.lightpath.driver.config;

import dev.lightpath.driver.config.DriverConfig.Address;
import dev.lightpath.driver.config.DriverConfig.Tls;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads driver.yaml; relative paths in it are relative to it. */
public final class DriverConfigReader {
    private DriverConfigReader() {}

    /** @throws ConfigException with one line that says what is wrong, where, and what is allowed */
    public static DriverConfig read(Path file) throws ConfigException {
        YamlMap top = YamlMap.read(file, "listen", "http", "stateDirectory", "adapters", "tls", "insecure", "limits");
        Address listen = top.address("listen", "0.0.0.0:9440");
        Optional<Tls> tls = tls(top);
        top.refusesPlaintext(
                listen,
                tls.isPresent(),
                "tls",
                "without it everybody who reaches " + listen.host() + ":" + listen.port()
                        + " may do everything: write tls, or insecure: true, or listen on 127.0.0.1");
        Optional<YamlMap> limits = top.map("limits", "watchBuffer", "maxOperations");
        return new DriverConfig(
                listen,
                top.address("http", "0.0.0.0:9441"),
                top.path("stateDirectory", "a directory that the driver may write"),
                new AdapterReader().read(top),
                tls,
                limit(limits, "watchBuffer", DriverConfig.DEFAULT_WATCH_BUFFER),
                limit(limits, "maxOperations", DriverConfig.DEFAULT_MAX_OPERATIONS));
    }

    private static int limit(Optional<YamlMap> limits, String field, int otherwise) throws ConfigException {
        return limits.isEmpty() ? otherwise : limits.get().number(field, otherwise, 1, 1_000_000);
    }

    private static Optional<Tls> tls(YamlMap top) throws ConfigException {
        Optional<YamlMap> tls = top.map("tls", "certificate", "key", "clientCa", "roles");
        if (tls.isEmpty()) {
            return Optional.empty();
        }
        List<Access.Rule> rules = new ArrayList<>();
        for (YamlMap each : tls.get().maps("roles", "san", "role", "devices", "fencingRoles")) {
            rules.add(new Access.Rule(
                    each.required("san", "dns:NAME or uri:URI of client certificates"),
                    access(each),
                    each.textsIfThere("devices").orElse(List.of(Access.ALL)),
                    each.textsIfThere("fencingRoles")));
        }
        return Optional.of(new Tls(
                tls.get().pem("certificate"), tls.get().pem("key"), tls.get().pem("clientCa"), rules));
    }

    private static Access access(YamlMap rule) throws ConfigException {
        String text = rule.required("role", "reader, writer or admin");
        return switch (text) {
            case "reader" -> Access.READER;
            case "writer" -> Access.WRITER;
            case "admin" -> Access.ADMIN;
            default -> throw rule.wrong("role", text.toLowerCase(Locale.ROOT), "reader, writer or admin");
        };
    }
}
