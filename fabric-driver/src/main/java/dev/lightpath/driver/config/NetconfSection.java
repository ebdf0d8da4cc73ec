package dev.lightpath.driver.config;

import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import dev.lightpath.driver.config.DriverConfig.Address;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Switches that speak NETCONF. */
final class NetconfSection {
    private static final Pattern FINGERPRINT = Pattern.compile("SHA256:[A-Za-z0-9+/]{43}");

    private NetconfSection() {}

    static AdapterConfig.NetconfPolatis read(YamlMap adapter, DeviceIds ids) throws ConfigException {
        adapter.allowsOnly(AdapterConfig.NetconfPolatis.KIND, "kind", "devices");
        List<NetconfDevice> all = new ArrayList<>();
        for (YamlMap each : adapter.maps(
                "devices",
                "id",
                "endpoint",
                "user",
                "passwordFile",
                "keyFile",
                "hostKey",
                "size",
                "yangRevision",
                "pollSeconds")) {
            String id = ids.take(each);
            Address endpoint = each.endpoint("host:port of the device, whose port is usually 830");
            Optional<Path> password = each.readableIfThere("passwordFile", "a file with the password");
            Optional<Path> key = each.readableIfThere("keyFile", "a file with a private key");
            if (password.isEmpty() && key.isEmpty()) {
                throw each.missing("passwordFile", "write it, or keyFile");
            }
            all.add(new NetconfDevice(
                    id,
                    endpoint.host(),
                    endpoint.port(),
                    each.required("user", "the name of a user of the device"),
                    password,
                    key,
                    each.matching("hostKey", FINGERPRINT, "SHA256:..., as ssh-keygen -l prints it")
                            .orElseThrow(() -> each.missing(
                                    "hostKey",
                                    "it is SHA256:..., as ssh-keygen -l prints it; take it from the device")),
                    each.matching("size", AdapterReader.SIZE, "such as 48x48, or 48xCC if any port may meet any other")
                            .orElse(""),
                    AdapterReader.yangRevision(each, "2018-03-22"),
                    AdapterReader.poll(each)));
        }
        return new AdapterConfig.NetconfPolatis(all);
    }
}
