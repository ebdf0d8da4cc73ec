package dev.lightpath.driver.config;

import dev.lightpath.driver.config.AdapterConfig.Tl1Device;
import dev.lightpath.driver.config.AdapterConfig.Tl1Dialect;
import dev.lightpath.driver.config.DriverConfig.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Switches that speak TL1. */
final class Tl1Section {
    private static final Pattern DIALECT = Pattern.compile("polatis|calient");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private Tl1Section() {}

    static AdapterConfig.Tl1 read(YamlMap adapter, DeviceIds ids) throws ConfigException {
        adapter.allowsOnly(AdapterConfig.Tl1.KIND, "kind", "insecure", "devices");
        List<Tl1Device> all = new ArrayList<>();
        for (YamlMap each :
                adapter.maps("devices", "id", "endpoint", "user", "passwordFile", "dialect", "size", "pollSeconds")) {
            String id = ids.take(each);
            Address endpoint = each.endpoint("host:port of the device, whose port is usually 3082");
            adapter.refusesPlaintext(
                    endpoint,
                    false,
                    "insecure",
                    "TL1 sends the password in the clear, and everybody between here and " + endpoint
                            + " may move light: write insecure: true, or use 127.0.0.1 and a tunnel");
            all.add(new Tl1Device(
                    id,
                    endpoint.host(),
                    endpoint.port(),
                    each.matching("user", WORD, "letters, digits, - and _")
                            .orElseThrow(() -> each.missing("user", "it is the name of a user of the device")),
                    each.readableIfThere("passwordFile", "a file with the password")
                            .orElseThrow(() -> each.missing("passwordFile", "it is a file with the password")),
                    each.matching("dialect", DIALECT, "polatis and calient")
                            .map(word -> Tl1Dialect.valueOf(word.toUpperCase(Locale.ROOT)))
                            .orElse(Tl1Dialect.POLATIS),
                    each.matching("size", AdapterReader.SIZE, "such as 48x48, or 48xCC if any port may meet any other")
                            .orElse(""),
                    AdapterReader.poll(each)));
        }
        return new AdapterConfig.Tl1(all);
    }
}
