package dev.lightpath.driver.config;

import dev.lightpath.driver.config.DriverConfig.Address;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The list {@code adapters}. What a protocol must know is read by the section of that protocol. */
final class AdapterReader {
    /** {@code 48x48}, or {@code 48xCC} if any port may meet any other. */
    static final Pattern SIZE = Pattern.compile("[1-9]\\d{0,4}x([1-9]\\d{0,4}|CC)");

    static final Pattern TWO_SIDES = Pattern.compile("\\d{1,5}x\\d{1,5}");
    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
    private static final String KINDS = String.join(
            " or ",
            AdapterConfig.Emulator.KIND,
            AdapterConfig.DeviceApi.KIND,
            AdapterConfig.NetconfPolatis.KIND,
            AdapterConfig.OpenFlow.KIND,
            AdapterConfig.Tl1.KIND,
            AdapterConfig.GnmiSonicOcs.KIND,
            AdapterConfig.Cmis.KIND);

    private final DeviceIds ids = new DeviceIds();
    /** Endpoints of device-api. */
    private final Set<String> programs = new HashSet<>();

    List<AdapterConfig> read(YamlMap top) throws ConfigException {
        List<AdapterConfig> all = new ArrayList<>();
        for (YamlMap each : top.maps("adapters", "kind", "endpoint", "listen", "tls", "insecure", "devices")) {
            String kind = each.required("kind", KINDS);
            all.add(
                    switch (kind) {
                        case AdapterConfig.Emulator.KIND -> emulator(each);
                        case AdapterConfig.DeviceApi.KIND -> deviceApi(each);
                        case AdapterConfig.NetconfPolatis.KIND -> NetconfSection.read(each, ids);
                        case AdapterConfig.Tl1.KIND -> Tl1Section.read(each, ids);
                        case AdapterConfig.GnmiSonicOcs.KIND -> GnmiSection.read(each, ids);
                        case AdapterConfig.Cmis.KIND -> CmisSection.read(each, ids);
                        case AdapterConfig.OpenFlow.KIND -> OpenFlowSection.read(each, ids);
                        default -> throw each.wrong("kind", kind, KINDS);
                    });
        }
        return all;
    }

    private static AdapterConfig.Emulator emulator(YamlMap adapter) throws ConfigException {
        adapter.allowsOnly(AdapterConfig.Emulator.KIND, "kind", "endpoint");
        return new AdapterConfig.Emulator(
                adapter.endpoint("host:port of the emulator").toString());
    }

    private AdapterConfig.DeviceApi deviceApi(YamlMap adapter) throws ConfigException {
        adapter.allowsOnly(AdapterConfig.DeviceApi.KIND, "kind", "endpoint", "tls", "insecure");
        Address endpoint = adapter.endpoint("host:port of the device's program");
        if (!programs.add(endpoint.toString())) {
            throw adapter.wrong("endpoint", endpoint.toString(), "an endpoint that no other adapter of this kind has");
        }
        Optional<YamlMap> tls = adapter.map("tls", "certificate", "key", "ca", "serverName");
        adapter.refusesPlaintext(
                endpoint,
                tls.isPresent(),
                "tls",
                "without it everybody between here and " + endpoint
                        + " may move light: write tls, or insecure: true, or use 127.0.0.1");
        if (tls.isEmpty()) {
            return new AdapterConfig.DeviceApi(endpoint.toString(), Optional.empty());
        }
        return new AdapterConfig.DeviceApi(
                endpoint.toString(),
                Optional.of(new AdapterConfig.ClientTls(
                        tls.get().pem("certificate"),
                        tls.get().pem("key"),
                        tls.get().pem("ca"),
                        tls.get().text("serverName"))));
    }

    /** @param example a revision of that device */
    static String yangRevision(YamlMap device, String example) throws ConfigException {
        return device.matching("yangRevision", DATE, "a date such as " + example)
                .orElse("");
    }

    /** The field {@code pollSeconds} of a switch. */
    static Duration poll(YamlMap device) throws ConfigException {
        return Duration.ofSeconds(device.number("pollSeconds", 2, 1, 600));
    }
}
