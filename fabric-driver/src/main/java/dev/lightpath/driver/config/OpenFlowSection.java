package dev.lightpath.driver.config;

import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.config.DriverConfig.Address;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Switches that speak OpenFlow. */
final class OpenFlowSection {
    private static final Pattern DATAPATH = Pattern.compile("[0-9a-fA-F]{16}");

    private OpenFlowSection() {}

    static AdapterConfig.OpenFlow read(YamlMap adapter, DeviceIds ids) throws ConfigException {
        adapter.allowsOnly(AdapterConfig.OpenFlow.KIND, "kind", "listen", "tls", "insecure", "devices");
        Address listen = adapter.address("listen", "0.0.0.0:6653");
        Optional<YamlMap> tls = adapter.map("tls", "certificate", "key", "ca");
        adapter.refusesPlaintext(
                listen,
                tls.isPresent(),
                "tls",
                "without it everybody who reaches " + listen.host() + ":" + listen.port()
                        + " may pass for a device: write tls, or insecure: true, or listen at 127.0.0.1");
        Optional<AdapterConfig.DeviceTls> files = Optional.empty();
        if (tls.isPresent()) {
            files = Optional.of(new AdapterConfig.DeviceTls(
                    tls.get().pem("certificate"),
                    tls.get().pem("key"),
                    tls.get().pem("ca")));
        }
        List<AdapterConfig.OpenFlowSwitchConfig> all = new ArrayList<>();
        Set<Long> datapaths = new HashSet<>();
        for (YamlMap each : adapter.maps("devices", "id", "datapath", "size", "certificateName", "pollSeconds")) {
            String id = ids.take(each);
            String datapath = each.matching(
                            "datapath", DATAPATH, "16 hexadecimal digits in quotes, as controllers show it")
                    .orElseThrow(
                            () -> each.missing("datapath", "it is the number of the device, 16 hexadecimal digits"));
            long number = Long.parseUnsignedLong(datapath, 16);
            if (!datapaths.add(number)) {
                throw each.wrong("datapath", datapath, "a number that no other device here has");
            }
            String size = each.matching("size", AdapterReader.TWO_SIDES, "such as 48x48: ingress ports x egress ports")
                    .orElseThrow(() -> each.missing("size", "it is such as 48x48: ingress ports x egress ports"));
            if (PortLayout.of(size).isEmpty()) {
                throw each.wrong("size", size, "such as 48x48, at most 65535 ports together");
            }
            all.add(new AdapterConfig.OpenFlowSwitchConfig(
                    id, number, size, each.text("certificateName").orElse(id), AdapterReader.poll(each)));
        }
        return new AdapterConfig.OpenFlow(listen.host(), listen.port(), files, all);
    }
}
