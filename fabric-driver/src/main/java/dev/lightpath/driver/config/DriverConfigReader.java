package dev.lightpath.driver.config;

import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.config.AdapterConfig.GnmiDevice;
import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import dev.lightpath.driver.config.AdapterConfig.Tl1Device;
import dev.lightpath.driver.config.AdapterConfig.Tl1Dialect;
import dev.lightpath.driver.config.DriverConfig.Address;
import dev.lightpath.driver.config.DriverConfig.Tls;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads driver.yaml; relative paths in it are relative to it. */
public final class DriverConfigReader {
    private static final Set<String> TOP =
            ordered("listen", "http", "stateDirectory", "adapters", "tls", "insecure", "limits");
    private static final Set<String> KINDS = ordered(
            AdapterConfig.Emulator.KIND,
            AdapterConfig.DeviceApi.KIND,
            AdapterConfig.NetconfPolatis.KIND,
            AdapterConfig.OpenFlow.KIND,
            AdapterConfig.Tl1.KIND,
            AdapterConfig.GnmiSonicOcs.KIND,
            AdapterConfig.Cmis.KIND);
    private static final Pattern FINGERPRINT = Pattern.compile("SHA256:[A-Za-z0-9+/]{43}");
    private static final Pattern SIZE = Pattern.compile("[1-9]\\d{0,4}x([1-9]\\d{0,4}|CC)");
    private static final Pattern TWO_SIDES = Pattern.compile("\\d{1,5}x\\d{1,5}");
    private static final Pattern DATAPATH = Pattern.compile("[0-9a-fA-F]{16}");
    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
    private static final Pattern PRINTABLE = Pattern.compile("[\\x21-\\x7e]{1,64}");
    private static final Pattern TL1_DIALECT = Pattern.compile("polatis|calient");
    private static final Pattern BUS = Pattern.compile("([^/\\s]+):(\\d{1,5})/(\\d{1,2})");
    private static final String NODE_NAME = "NODE_NAME";
    private static final int CMIS_POLL_SECONDS = 1;
    private static final Pattern TL1_WORD = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private final Path file;
    /** Of the devices of all adapters: whoever changes one must reach that one. */
    private final Set<String> ids = new HashSet<>();
    /** Endpoints of device-api. */
    private final Set<String> programs = new HashSet<>();

    private DriverConfigReader(Path file) {
        this.file = file;
    }

    /** @throws ConfigException with one line that says what is wrong, where, and what is allowed */
    public static DriverConfig read(Path file) throws ConfigException {
        return new DriverConfigReader(file).parse();
    }

    private DriverConfig parse() throws ConfigException {
        YamlMap top = YamlMap.read(file, TOP);
        Address listen = address(top, "listen", "0.0.0.0:9440");
        Optional<Tls> tls = tls(top);
        checkPlaintext(top, listen, tls);
        Optional<YamlMap> limits = top.map("limits", ordered("watchBuffer", "maxOperations"));
        return new DriverConfig(
                listen,
                address(top, "http", "0.0.0.0:9441"),
                path(top, "stateDirectory", "a directory that the driver may write"),
                adapters(top),
                tls,
                limit(limits, "watchBuffer", DriverConfig.DEFAULT_WATCH_BUFFER),
                limit(limits, "maxOperations", DriverConfig.DEFAULT_MAX_OPERATIONS));
    }

    private static int limit(Optional<YamlMap> limits, String field, int otherwise) throws ConfigException {
        return limits.isEmpty() ? otherwise : number(limits.get(), field, otherwise, 1, 1_000_000);
    }

    private static int number(YamlMap map, String field, int otherwise, int least, int most) throws ConfigException {
        Optional<String> text = map.text(field);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            int value = Integer.parseInt(text.get());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // reported below with the allowed range
        }
        throw map.wrong(field, text.get(), "a number from " + least + " to " + most);
    }

    /** Without TLS every client that reaches the driver may do everything. */
    private static void checkPlaintext(YamlMap top, Address listen, Optional<Tls> tls) throws ConfigException {
        boolean insecure = insecure(top);
        if (tls.isEmpty() && !insecure && !isLoopback(listen.host())) {
            throw top.missing(
                    "tls",
                    "without it everybody who reaches " + listen.host() + ":" + listen.port()
                            + " may do everything: write tls, or insecure: true, or listen on 127.0.0.1");
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    private static Address address(YamlMap map, String field, String otherwise) throws ConfigException {
        String text = map.text(field).orElse(otherwise);
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (port >= 0 && port <= 65535) {
                return new Address(colon <= 0 ? "0.0.0.0" : text.substring(0, colon), port);
            }
        } catch (NumberFormatException notANumber) {
            // reported below with the allowed form
        }
        throw map.wrong(field, text, "host:port with a port from 0 to 65535");
    }

    private List<AdapterConfig> adapters(YamlMap top) throws ConfigException {
        List<AdapterConfig> all = new ArrayList<>();
        for (YamlMap each : top.maps("adapters", ordered("kind", "endpoint", "listen", "tls", "insecure", "devices"))) {
            String kind = each.required("kind", String.join(" or ", KINDS));
            switch (kind) {
                case AdapterConfig.Emulator.KIND -> {
                    each.allowsOnly(kind, "kind", "endpoint");
                    all.add(new AdapterConfig.Emulator(
                            endpoint(each, "host:port of the emulator").toString()));
                }
                case AdapterConfig.DeviceApi.KIND -> {
                    each.allowsOnly(kind, "kind", "endpoint", "tls", "insecure");
                    AdapterConfig.DeviceApi program = deviceApi(each);
                    if (!programs.add(program.endpoint())) {
                        throw each.wrong(
                                "endpoint", program.endpoint(), "an endpoint that no other adapter of this kind has");
                    }
                    all.add(program);
                }
                case AdapterConfig.NetconfPolatis.KIND -> {
                    each.allowsOnly(kind, "kind", "devices");
                    all.add(new AdapterConfig.NetconfPolatis(netconfDevices(each)));
                }
                case AdapterConfig.Tl1.KIND -> {
                    each.allowsOnly(kind, "kind", "insecure", "devices");
                    all.add(new AdapterConfig.Tl1(tl1Devices(each)));
                }
                case AdapterConfig.GnmiSonicOcs.KIND -> {
                    each.allowsOnly(kind, "kind", "tls", "insecure", "devices");
                    all.add(gnmi(each));
                }
                case AdapterConfig.Cmis.KIND -> {
                    each.allowsOnly(kind, "kind", "devices");
                    all.add(cmis(each));
                }
                case AdapterConfig.OpenFlow.KIND -> {
                    each.allowsOnly(kind, "kind", "listen", "tls", "insecure", "devices");
                    all.add(openFlow(each));
                }
                default -> throw each.wrong("kind", kind, String.join(" or ", KINDS));
            }
        }
        return all;
    }

    private AdapterConfig.DeviceApi deviceApi(YamlMap adapter) throws ConfigException {
        Address endpoint = endpoint(adapter, "host:port of the device's program");
        Optional<YamlMap> tls = adapter.map("tls", ordered("certificate", "key", "ca", "serverName"));
        if (tls.isEmpty()) {
            if (!insecure(adapter) && !isLoopback(endpoint.host())) {
                throw adapter.missing(
                        "tls",
                        "without it everybody between here and " + endpoint
                                + " may move light: write tls, or insecure: true, or use 127.0.0.1");
            }
            return new AdapterConfig.DeviceApi(endpoint.toString(), Optional.empty());
        }
        return new AdapterConfig.DeviceApi(
                endpoint.toString(),
                Optional.of(new AdapterConfig.ClientTls(
                        pem(tls.get(), "certificate"),
                        pem(tls.get(), "key"),
                        pem(tls.get(), "ca"),
                        tls.get().text("serverName"))));
    }

    private String id(YamlMap device) throws ConfigException {
        String id = device.required("id", "the name of the device");
        if (!ids.add(id)) {
            throw device.wrong("id", id, "a name that no other device here has");
        }
        return id;
    }

    private AdapterConfig.Cmis cmis(YamlMap adapter) throws ConfigException {
        List<AdapterConfig.CmisNode> nodes = new ArrayList<>();
        Map<Path, ModuleType> types = new HashMap<>();
        for (YamlMap each : adapter.maps("devices", ordered("id", "pollSeconds", "modules"))) {
            Optional<String> written = each.text("id");
            String id = written.isPresent() ? written.get() : System.getenv().getOrDefault(NODE_NAME, "");
            if (id.isEmpty()) {
                throw each.missing("id", "write the name of the node, or set the variable " + NODE_NAME);
            }
            if (!ids.add(id)) {
                throw each.wrong("id", id, "a name that no other device here has");
            }
            List<AdapterConfig.CmisModuleConfig> modules = new ArrayList<>();
            for (YamlMap module : each.maps("modules", ordered("name", "type", "i2c", "eeprom", "socket"))) {
                String name = module.required("name", "b0, b1 and so on, in order");
                if (!name.equals("b" + modules.size())) {
                    throw module.wrong("name", name, "b" + modules.size() + ": bundles are numbered in order");
                }
                Path type = path(module, "type", "the file of its module type");
                if (!types.containsKey(type)) {
                    types.put(type, ModuleTypeReader.read(type));
                }
                modules.add(
                        new AdapterConfig.CmisModuleConfig(name, bus(module), Objects.requireNonNull(types.get(type))));
            }
            if (modules.isEmpty()) {
                throw each.missing("modules", "write the modules of the node, in the order of bundles");
            }
            nodes.add(new AdapterConfig.CmisNode(
                    id, modules, Duration.ofSeconds(number(each, "pollSeconds", CMIS_POLL_SECONDS, 1, 60))));
        }
        return new AdapterConfig.Cmis(nodes);
    }

    private AdapterConfig.CmisBus bus(YamlMap module) throws ConfigException {
        boolean i2c = module.text("i2c").isPresent();
        boolean eeprom = module.text("eeprom").isPresent();
        Optional<String> socket = module.text("socket");
        String allowed = "exactly one of i2c, eeprom and socket says how the module is reached";
        if ((i2c || eeprom) && socket.isPresent()) {
            throw module.wrong("socket", socket.get(), "none beside " + (i2c ? "i2c" : "eeprom") + ": " + allowed);
        }
        if (i2c && eeprom) {
            throw module.wrong("eeprom", module.text("eeprom").get(), "none beside i2c: " + allowed);
        }
        if (!i2c && !eeprom && socket.isEmpty()) {
            throw module.missing("i2c", allowed);
        }
        if (i2c) {
            return new AdapterConfig.CmisBus.I2c(path(module, "i2c", "a device such as /dev/i2c-5"));
        }
        if (eeprom) {
            return new AdapterConfig.CmisBus.Eeprom(
                    path(module, "eeprom", "a file such as /sys/bus/i2c/devices/5-0050/eeprom"));
        }
        Matcher form = BUS.matcher(socket.get());
        if (!form.matches()) {
            throw module.wrong("socket", socket.get(), "host:port/module, for example 127.0.0.1:9460/0");
        }
        return new AdapterConfig.CmisBus.Socket(
                form.group(1), Integer.parseInt(form.group(2)), Integer.parseInt(form.group(3)));
    }

    private List<NetconfDevice> netconfDevices(YamlMap adapter) throws ConfigException {
        List<NetconfDevice> all = new ArrayList<>();
        Set<String> fields = ordered(
                "id", "endpoint", "user", "passwordFile", "keyFile", "hostKey", "size", "yangRevision", "pollSeconds");
        for (YamlMap each : adapter.maps("devices", fields)) {
            String id = id(each);
            Address endpoint = endpoint(each, "host:port of the device, whose port is usually 830");
            Optional<Path> password = secret(each, "passwordFile", "a file with the password");
            Optional<Path> key = secret(each, "keyFile", "a file with a private key");
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
                    matching(each, "hostKey", FINGERPRINT, "SHA256:..., as ssh-keygen -l prints it")
                            .orElseThrow(() -> each.missing(
                                    "hostKey",
                                    "it is SHA256:..., as ssh-keygen -l prints it; take it from the device")),
                    matching(each, "size", SIZE, "such as 48x48, or 48xCC if any port may meet any other")
                            .orElse(""),
                    yangRevision(each, "2018-03-22"),
                    Duration.ofSeconds(number(each, "pollSeconds", 2, 1, 600))));
        }
        return all;
    }

    private List<Tl1Device> tl1Devices(YamlMap adapter) throws ConfigException {
        boolean insecure = insecure(adapter);
        List<Tl1Device> all = new ArrayList<>();
        for (YamlMap each : adapter.maps(
                "devices", ordered("id", "endpoint", "user", "passwordFile", "dialect", "size", "pollSeconds"))) {
            String id = id(each);
            Address endpoint = endpoint(each, "host:port of the device, whose port is usually 3082");
            if (!insecure && !isLoopback(endpoint.host())) {
                throw adapter.missing(
                        "insecure",
                        "TL1 sends the password in the clear, and everybody between here and " + endpoint
                                + " may move light: write insecure: true, or use 127.0.0.1 and a tunnel");
            }
            all.add(new Tl1Device(
                    id,
                    endpoint.host(),
                    endpoint.port(),
                    matching(each, "user", TL1_WORD, "letters, digits, - and _")
                            .orElseThrow(() -> each.missing("user", "it is the name of a user of the device")),
                    secret(each, "passwordFile", "a file with the password")
                            .orElseThrow(() -> each.missing("passwordFile", "it is a file with the password")),
                    matching(each, "dialect", TL1_DIALECT, "polatis and calient")
                            .map(word -> Tl1Dialect.valueOf(word.toUpperCase(Locale.ROOT)))
                            .orElse(Tl1Dialect.POLATIS),
                    matching(each, "size", SIZE, "such as 48x48, or 48xCC if any port may meet any other")
                            .orElse(""),
                    Duration.ofSeconds(number(each, "pollSeconds", 2, 1, 600))));
        }
        return all;
    }

    private AdapterConfig openFlow(YamlMap adapter) throws ConfigException {
        Address listen = address(adapter, "listen", "0.0.0.0:6653");
        Optional<YamlMap> tls = adapter.map("tls", ordered("certificate", "key", "ca"));
        if (tls.isEmpty() && !insecure(adapter) && !isLoopback(listen.host())) {
            throw adapter.missing(
                    "tls",
                    "without it everybody who reaches " + listen.host() + ":" + listen.port()
                            + " may pass for a device: write tls, or insecure: true, or listen at 127.0.0.1");
        }
        Optional<AdapterConfig.DeviceTls> files = Optional.empty();
        if (tls.isPresent()) {
            files = Optional.of(new AdapterConfig.DeviceTls(
                    pem(tls.get(), "certificate"), pem(tls.get(), "key"), pem(tls.get(), "ca")));
        }
        List<AdapterConfig.OpenFlowSwitchConfig> all = new ArrayList<>();
        Set<Long> datapaths = new HashSet<>();
        for (YamlMap each :
                adapter.maps("devices", ordered("id", "datapath", "size", "certificateName", "pollSeconds"))) {
            String id = id(each);
            String datapath = matching(
                            each, "datapath", DATAPATH, "16 hexadecimal digits in quotes, as controllers show it")
                    .orElseThrow(
                            () -> each.missing("datapath", "it is the number of the device, 16 hexadecimal digits"));
            long number = Long.parseUnsignedLong(datapath, 16);
            if (!datapaths.add(number)) {
                throw each.wrong("datapath", datapath, "a number that no other device here has");
            }
            String size = matching(each, "size", TWO_SIDES, "such as 48x48: ingress ports x egress ports")
                    .orElseThrow(() -> each.missing("size", "it is such as 48x48: ingress ports x egress ports"));
            if (PortLayout.of(size).isEmpty()) {
                throw each.wrong("size", size, "such as 48x48, at most 65535 ports together");
            }
            all.add(new AdapterConfig.OpenFlowSwitchConfig(
                    id,
                    number,
                    size,
                    each.text("certificateName").orElse(id),
                    Duration.ofSeconds(number(each, "pollSeconds", 2, 1, 600))));
        }
        return new AdapterConfig.OpenFlow(listen.host(), listen.port(), files, all);
    }

    private AdapterConfig gnmi(YamlMap adapter) throws ConfigException {
        Optional<YamlMap> tls = adapter.map("tls", ordered("certificate", "key", "ca"));
        Optional<AdapterConfig.GnmiTls> files = Optional.empty();
        if (tls.isPresent()) {
            Optional<Path> certificate = secret(tls.get(), "certificate", "a PEM file");
            Optional<Path> key = secret(tls.get(), "key", "a PEM file");
            if (certificate.isPresent() != key.isPresent()) {
                throw tls.get()
                        .missing(
                                certificate.isPresent() ? "key" : "certificate", "certificate and key belong together");
            }
            files = Optional.of(new AdapterConfig.GnmiTls(pem(tls.get(), "ca"), certificate, key));
        }
        boolean open = files.isPresent() || insecure(adapter);
        List<GnmiDevice> all = new ArrayList<>();
        Set<String> fields = ordered(
                "id",
                "endpoint",
                "user",
                "passwordFile",
                "serverName",
                "size",
                "yangRevision",
                "electionId",
                "pollSeconds");
        for (YamlMap each : adapter.maps("devices", fields)) {
            String id = id(each);
            Address endpoint = endpoint(each, "host:port of the device, whose port is usually 8080 or 9339");
            if (!open && !isLoopback(endpoint.host())) {
                throw adapter.missing(
                        "tls",
                        "without it the password is sent in the clear, and everybody between here and " + endpoint
                                + " may move light: write tls, or insecure: true, or use 127.0.0.1");
            }
            OptionalLong election = OptionalLong.empty();
            if (each.text("electionId").isPresent()) {
                election = OptionalLong.of(number(each, "electionId", 1, 1, Integer.MAX_VALUE));
            }
            all.add(new GnmiDevice(
                    id,
                    endpoint.toString(),
                    login(each),
                    each.text("serverName"),
                    matching(each, "size", TWO_SIDES, "such as 64x64: ports of side A x ports of side B")
                            .orElse(""),
                    yangRevision(each, "2024-11-21"),
                    election,
                    Duration.ofSeconds(number(each, "pollSeconds", 2, 1, 600))));
        }
        return new AdapterConfig.GnmiSonicOcs(files, all);
    }

    private Optional<AdapterConfig.GnmiLogin> login(YamlMap device) throws ConfigException {
        Optional<String> user = matching(device, "user", PRINTABLE, "1 to 64 printable characters of ASCII");
        Optional<Path> password = secret(device, "passwordFile", "a file with the password");
        if (user.isPresent() != password.isPresent()) {
            throw device.missing(user.isPresent() ? "passwordFile" : "user", "user and passwordFile belong together");
        }
        return user.map(name -> new AdapterConfig.GnmiLogin(name, password.orElseThrow()));
    }

    private static String yangRevision(YamlMap device, String example) throws ConfigException {
        return matching(device, "yangRevision", DATE, "a date such as " + example)
                .orElse("");
    }

    private Optional<Path> secret(YamlMap map, String field, String allowed) throws ConfigException {
        Optional<String> text = map.text(field);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Path path = path(map, field, allowed);
        if (!Files.isReadable(path)) {
            throw map.wrong(field, text.get(), allowed + " that can be read");
        }
        return Optional.of(path);
    }

    private static Optional<String> matching(YamlMap map, String field, Pattern form, String allowed)
            throws ConfigException {
        Optional<String> text = map.text(field);
        if (text.isPresent() && !form.matcher(text.get()).matches()) {
            throw map.wrong(field, text.get(), allowed);
        }
        return text;
    }

    private static Address endpoint(YamlMap adapter, String allowed) throws ConfigException {
        String endpoint = adapter.required("endpoint", allowed);
        Address address = address(adapter, "endpoint", endpoint);
        if (address.port() == 0 || endpoint.indexOf(':') <= 0) {
            throw adapter.wrong("endpoint", endpoint, allowed);
        }
        return address;
    }

    private static boolean insecure(YamlMap map) throws ConfigException {
        String insecure = map.text("insecure").orElse("false");
        if (!insecure.equals("true") && !insecure.equals("false")) {
            throw map.wrong("insecure", insecure, "true or false");
        }
        return insecure.equals("true");
    }

    private Optional<Tls> tls(YamlMap top) throws ConfigException {
        Optional<YamlMap> tls = top.map("tls", ordered("certificate", "key", "clientCa", "roles"));
        if (tls.isEmpty()) {
            return Optional.empty();
        }
        List<Access.Rule> rules = new ArrayList<>();
        for (YamlMap each : tls.get().maps("roles", ordered("san", "role", "devices", "fencingRoles"))) {
            rules.add(new Access.Rule(
                    each.required("san", "dns:NAME or uri:URI of client certificates"),
                    access(each),
                    each.textsIfThere("devices").orElse(List.of(Access.ALL)),
                    each.textsIfThere("fencingRoles")));
        }
        return Optional.of(
                new Tls(pem(tls.get(), "certificate"), pem(tls.get(), "key"), pem(tls.get(), "clientCa"), rules));
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

    private Path pem(YamlMap tls, String field) throws ConfigException {
        Path path = path(tls, field, "a PEM file");
        if (!Files.isReadable(path)) {
            throw tls.wrong(field, tls.required(field, "a PEM file"), "a PEM file that can be read");
        }
        return path;
    }

    private Path path(YamlMap map, String field, String allowed) throws ConfigException {
        String text = map.required(field, allowed);
        Path parent = file.toAbsolutePath().getParent();
        try {
            return parent == null ? Path.of(text) : parent.resolve(text).normalize();
        } catch (InvalidPathException e) {
            throw map.wrong(field, text, allowed);
        }
    }

    private static Set<String> ordered(String... names) {
        return new LinkedHashSet<>(List.of(names));
    }
}
