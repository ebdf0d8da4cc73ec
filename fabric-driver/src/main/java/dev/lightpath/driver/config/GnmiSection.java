package dev.lightpath.driver.config;

import dev.lightpath.driver.config.AdapterConfig.GnmiDevice;
import dev.lightpath.driver.config.DriverConfig.Address;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Switches of SONiC that speak gNMI. */
final class GnmiSection {
    private static final Pattern PRINTABLE = Pattern.compile("[\\x21-\\x7e]{1,64}");

    private GnmiSection() {}

    static AdapterConfig.GnmiSonicOcs read(YamlMap adapter, DeviceIds ids) throws ConfigException {
        adapter.allowsOnly(AdapterConfig.GnmiSonicOcs.KIND, "kind", "tls", "insecure", "devices");
        Optional<YamlMap> tls = adapter.map("tls", "certificate", "key", "ca");
        Optional<AdapterConfig.GnmiTls> files = Optional.empty();
        if (tls.isPresent()) {
            Optional<Path> certificate = tls.get().readableIfThere("certificate", "a PEM file");
            Optional<Path> key = tls.get().readableIfThere("key", "a PEM file");
            if (certificate.isPresent() != key.isPresent()) {
                throw tls.get()
                        .missing(
                                certificate.isPresent() ? "key" : "certificate", "certificate and key belong together");
            }
            files = Optional.of(new AdapterConfig.GnmiTls(tls.get().pem("ca"), certificate, key));
        }
        List<GnmiDevice> all = new ArrayList<>();
        for (YamlMap each : adapter.maps(
                "devices",
                "id",
                "endpoint",
                "user",
                "passwordFile",
                "serverName",
                "size",
                "yangRevision",
                "electionId",
                "pollSeconds")) {
            String id = ids.take(each);
            Address endpoint = each.endpoint("host:port of the device, whose port is usually 8080 or 9339");
            adapter.refusesPlaintext(
                    endpoint,
                    files.isPresent(),
                    "tls",
                    "without it the password is sent in the clear, and everybody between here and " + endpoint
                            + " may move light: write tls, or insecure: true, or use 127.0.0.1");
            OptionalLong election = OptionalLong.empty();
            if (each.text("electionId").isPresent()) {
                election = OptionalLong.of(each.number("electionId", 1, 1, Integer.MAX_VALUE));
            }
            all.add(new GnmiDevice(
                    id,
                    endpoint.toString(),
                    login(each),
                    each.text("serverName"),
                    each.matching("size", AdapterReader.TWO_SIDES, "such as 64x64: ports of side A x ports of side B")
                            .orElse(""),
                    AdapterReader.yangRevision(each, "2024-11-21"),
                    election,
                    AdapterReader.poll(each)));
        }
        return new AdapterConfig.GnmiSonicOcs(files, all);
    }

    private static Optional<AdapterConfig.GnmiLogin> login(YamlMap device) throws ConfigException {
        Optional<String> user = device.matching("user", PRINTABLE, "1 to 64 printable characters of ASCII");
        Optional<Path> password = device.readableIfThere("passwordFile", "a file with the password");
        if (user.isPresent() != password.isPresent()) {
            throw device.missing(user.isPresent() ? "passwordFile" : "user", "user and passwordFile belong together");
        }
        return user.map(name -> new AdapterConfig.GnmiLogin(name, password.orElseThrow()));
    }
}
