package dev.lightpath.sim.scenario;

import dev.lightpath.sim.core.plant.Cabling;
import dev.lightpath.sim.core.plant.DeviceKind;
import dev.lightpath.sim.core.plant.DeviceSpec;
import dev.lightpath.sim.core.plant.DeviceSpec.Domains;
import dev.lightpath.sim.core.plant.Plant;
import dev.lightpath.sim.core.plant.Preset;
import dev.lightpath.sim.scenario.Scenario.Endpoint;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads a scenario and checks all of it, the fibres included, before anything starts. */
final class ScenarioReader {
    private static final int MAX_PORTS = 1 << 23;
    private static final int MAX_DEVICES = 1 << 20;
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9000-01-01T00:00:00Z");

    private final Yaml root;
    private final boolean usualHttp;
    private final Map<String, Yaml> fields;
    private final List<DeviceSpec> devices = new ArrayList<>();
    private final Map<String, Yaml> declared = new HashMap<>();

    /** @param usualHttp whether HTTP is served at its usual port where the scenario does not say */
    ScenarioReader(Yaml root, boolean usualHttp) {
        this.root = root;
        this.usualHttp = usualHttp;
        fields = root.fields(
                "the scenario",
                Set.of(
                        "listen",
                        "http",
                        "seed",
                        "clock",
                        "start",
                        "presets",
                        "ring",
                        "devices",
                        "fibres",
                        "timeline",
                        "faultRates",
                        "netconf",
                        "tl1",
                        "gnmi",
                        "openflow",
                        "cmis",
                        "deviceApi"));
    }

    Scenario read() {
        SortedMap<String, Preset> presets = Preset.known();
        Yaml custom = fields.get("presets");
        if (custom != null) {
            PresetReader.read(custom, presets);
        }
        RingPlan ring = fields.containsKey("ring") ? ring(root.need(fields, "ring", "the scenario"), presets) : null;
        Yaml listed = fields.get("devices");
        if (listed != null) {
            for (Yaml device : listed.list("devices")) {
                device(device, presets);
            }
        }
        if (devices.isEmpty()) {
            throw root.wrong("no devices: the scenario needs 'ring' or 'devices'");
        }
        long ports = devices.stream().mapToLong(DeviceSpec::ports).sum();
        if (ports > MAX_PORTS) {
            throw root.wrong(ports + " ports, at most " + MAX_PORTS + " are emulated");
        }
        Plant plant = new Plant(devices);
        List<int[]> strands = new ArrayList<>();
        List<int[]> duplexes = new ArrayList<>();
        Cabling check = new Cabling(plant);
        if (ring != null) {
            duplexes.addAll(ring.fibres(plant));
            new Wiring(List.of(), duplexes).plugInto(check);
        }
        Yaml fibres = fields.get("fibres");
        if (fibres != null) {
            for (Yaml fibre : fibres.list("fibres")) {
                fibre(fibre, plant, check, strands, duplexes);
            }
        }
        long seed = fields.containsKey("seed")
                ? root.need(fields, "seed", "the scenario").whole("seed", Long.MIN_VALUE, Long.MAX_VALUE)
                : 1;
        Endpoint listen = fields.containsKey("listen")
                ? endpoint(root.need(fields, "listen", "the scenario"), "listen")
                : new Endpoint("127.0.0.1", 9450);
        return new Scenario(
                listen,
                http(listen),
                seed,
                fields.containsKey("clock")
                        && root.need(fields, "clock", "the scenario")
                                .oneOf("clock", Set.of("real", "virtual"))
                                .equals("virtual"),
                fields.containsKey("start") ? instant(root.need(fields, "start", "the scenario")) : null,
                plant,
                new Wiring(strands, duplexes),
                ScheduleReader.read(fields, plant, check, seed),
                netconf(plant),
                tl1(plant),
                gnmi(plant),
                openflow(plant),
                cmis(plant),
                fields.containsKey("deviceApi")
                        ? DeviceApiReader.read(root.need(fields, "deviceApi", "the scenario"), plant)
                        : List.of());
    }

    private @Nullable Endpoint http(Endpoint listen) {
        Yaml http = fields.get("http");
        if (http == null) {
            return usualHttp ? new Endpoint(listen.host(), 9451) : null;
        }
        return http.text("http").equals("none") ? null : endpoint(http, "http");
    }

    private List<NetconfSpec> netconf(Plant plant) {
        List<NetconfSpec> all = new ArrayList<>();
        Yaml listed = fields.get("netconf");
        if (listed == null) {
            return all;
        }
        for (Yaml yaml : listed.list("netconf")) {
            Map<String, Yaml> front = yaml.fields(
                    "netconf",
                    Set.of(
                            "device",
                            "listen",
                            "user",
                            "password",
                            "base",
                            "datastore",
                            "notifications",
                            "revision",
                            "quirks"));
            String device = managed(
                    "netconf",
                    yaml,
                    front,
                    plant,
                    all.stream().map(NetconfSpec::device).toList());
            Yaml base = front.get("base");
            Yaml datastore = front.get("datastore");
            Yaml notifications = front.get("notifications");
            Yaml revision = front.get("revision");
            if (revision != null && !revision.text("revision").matches("[0-9]{4}-[0-9]{2}-[0-9]{2}")) {
                throw revision.wrong(
                        "revision is '" + revision.text("revision") + "', a date like 2018-03-22 is needed");
            }
            all.add(new NetconfSpec(
                    device,
                    endpoint(yaml.need(front, "listen", "netconf"), "netconf.listen"),
                    yaml.need(front, "user", "netconf").text("user"),
                    yaml.need(front, "password", "netconf").text("password"),
                    base == null || base.oneOf("base", Set.of("1.0", "1.1")).equals("1.1"),
                    datastore == null
                            || datastore
                                    .oneOf("datastore", Set.of("candidate", "running"))
                                    .equals("candidate"),
                    notifications == null || notifications.flag("notifications"),
                    revision == null ? "2018-03-22" : revision.text("revision"),
                    quirks(front, NetconfSpec.Quirk.values())));
        }
        return all;
    }

    /** The switch that is managed so. */
    private static String managed(
            String protocol, Yaml yaml, Map<String, Yaml> front, Plant plant, List<String> others) {
        Yaml device = yaml.need(front, "device", protocol);
        String id = device.text("device");
        int number = plant.findDevice(id);
        if (number < 0 || plant.device(number).kind() != DeviceKind.SWITCH) {
            throw device.wrong(protocol + ": '" + id + "' is no switch of this scenario");
        }
        if (others.contains(id)) {
            throw device.wrong(protocol + ": '" + id + "' is there twice");
        }
        return id;
    }

    /** Those that are listed, in small letters with hyphens. */
    static <Q extends Enum<Q>> Set<Q> quirks(Map<String, Yaml> front, Q[] all) {
        SortedMap<String, Q> words = new TreeMap<>();
        for (Q quirk : all) {
            words.put(quirk.name().toLowerCase(Locale.ROOT).replace('_', '-'), quirk);
        }
        Set<Q> quirks = new HashSet<>();
        Yaml listed = front.get("quirks");
        if (listed != null) {
            for (Yaml quirk : listed.list("quirks")) {
                quirks.add(Objects.requireNonNull(words.get(quirk.oneOf("a quirk", words.keySet()))));
            }
        }
        return quirks;
    }

    private List<Tl1Spec> tl1(Plant plant) {
        List<Tl1Spec> all = new ArrayList<>();
        Yaml listed = fields.get("tl1");
        if (listed == null) {
            return all;
        }
        for (Yaml yaml : listed.list("tl1")) {
            Map<String, Yaml> front =
                    yaml.fields("tl1", Set.of("device", "listen", "user", "password", "dialect", "name", "quirks"));
            String device = managed(
                    "tl1", yaml, front, plant, all.stream().map(Tl1Spec::device).toList());
            Yaml name = front.get("name");
            Tl1Spec.Dialect dialect = dialect(front.get("dialect"));
            if (dialect == Tl1Spec.Dialect.CALIENT && !equalSides(device, plant)) {
                throw yaml.wrong("tl1: '" + device + "' has not two sides of one size; dialect calient needs them");
            }
            all.add(new Tl1Spec(
                    device,
                    endpoint(yaml.need(front, "listen", "tl1"), "tl1.listen"),
                    yaml.need(front, "user", "tl1").text("user"),
                    yaml.need(front, "password", "tl1").text("password"),
                    dialect,
                    name == null ? device : name.text("name"),
                    quirks(front, Tl1Spec.Quirk.values())));
        }
        return all;
    }

    private static Tl1Spec.Dialect dialect(@Nullable Yaml dialect) {
        if (dialect == null) {
            return Tl1Spec.Dialect.POLATIS;
        }
        return switch (dialect.oneOf("tl1.dialect", Set.of("polatis", "calient"))) {
            case "calient" -> Tl1Spec.Dialect.CALIENT;
            default -> Tl1Spec.Dialect.POLATIS;
        };
    }

    private List<CmisSpec> cmis(Plant plant) {
        List<CmisSpec> all = new ArrayList<>();
        Yaml listed = fields.get("cmis");
        if (listed == null) {
            return all;
        }
        for (Yaml yaml : listed.list("cmis")) {
            Map<String, Yaml> front = yaml.fields("cmis", Set.of("device", "listen", "quirks"));
            Yaml device = yaml.need(front, "device", "cmis");
            String id = device.text("device");
            int number = plant.findDevice(id);
            if (number < 0 || plant.device(number).kind() != DeviceKind.TRANSCEIVERS) {
                throw device.wrong("cmis: '" + id + "' is no device with transceivers of this scenario");
            }
            if (all.stream().anyMatch(spec -> spec.device().equals(id))) {
                throw device.wrong("cmis: '" + id + "' is there twice");
            }
            all.add(new CmisSpec(
                    id,
                    endpoint(yaml.need(front, "listen", "cmis"), "cmis.listen"),
                    quirks(front, CmisSpec.Quirk.values())));
        }
        return all;
    }

    private List<GnmiSpec> gnmi(Plant plant) {
        List<GnmiSpec> all = new ArrayList<>();
        Yaml listed = fields.get("gnmi");
        if (listed == null) {
            return all;
        }
        for (Yaml yaml : listed.list("gnmi")) {
            Map<String, Yaml> front =
                    yaml.fields("gnmi", Set.of("device", "listen", "user", "password", "certificate", "key", "quirks"));
            String device = managed(
                    "gnmi",
                    yaml,
                    front,
                    plant,
                    all.stream().map(GnmiSpec::device).toList());
            if (!equalSides(device, plant)) {
                throw yaml.wrong("gnmi: '" + device + "' has not two sides of one size, and its ports are 1A and 1B");
            }
            all.add(new GnmiSpec(
                    device,
                    endpoint(yaml.need(front, "listen", "gnmi"), "gnmi.listen"),
                    yaml.need(front, "user", "gnmi").text("user"),
                    yaml.need(front, "password", "gnmi").text("password"),
                    identity(yaml, front),
                    quirks(front, GnmiSpec.Quirk.values())));
        }
        return all;
    }

    private static boolean equalSides(String device, Plant plant) {
        DeviceSpec spec = plant.device(plant.findDevice(device));
        return spec.twoSided() && 2 * spec.ingressPorts() == spec.size();
    }

    private List<OpenFlowSpec> openflow(Plant plant) {
        List<OpenFlowSpec> all = new ArrayList<>();
        Yaml listed = fields.get("openflow");
        if (listed == null) {
            return all;
        }
        for (Yaml yaml : listed.list("openflow")) {
            Map<String, Yaml> front =
                    yaml.fields("openflow", Set.of("device", "controller", "datapath", "version", "quirks"));
            String device = managed(
                    "openflow",
                    yaml,
                    front,
                    plant,
                    all.stream().map(OpenFlowSpec::device).toList());
            if (!plant.device(plant.findDevice(device)).twoSided()) {
                throw yaml.wrong("openflow: '" + device + "' has one side; a flow goes from one side to the other");
            }
            Yaml version = front.get("version");
            all.add(new OpenFlowSpec(
                    device,
                    endpoint(yaml.need(front, "controller", "openflow"), "openflow.controller"),
                    datapath(yaml.need(front, "datapath", "openflow")),
                    version == null
                                    || version.oneOf("openflow.version", Set.of("1.3", "1.4"))
                                            .equals("1.4")
                            ? OpenFlowSpec.VERSION_14
                            : OpenFlowSpec.VERSION_14 - 1,
                    quirks(front, OpenFlowSpec.Quirk.values())));
        }
        return all;
    }

    private static long datapath(Yaml yaml) {
        String text = yaml.text("openflow.datapath");
        if (!text.matches("[0-9a-fA-F]{16}")) {
            throw yaml.wrong("openflow.datapath is '" + text + "', 16 hexadecimal digits in quotes are needed");
        }
        return Long.parseUnsignedLong(text, 16);
    }

    private static Optional<GnmiSpec.Identity> identity(Yaml yaml, Map<String, Yaml> front) {
        if (!front.containsKey("certificate") && !front.containsKey("key")) {
            return Optional.empty();
        }
        return Optional.of(new GnmiSpec.Identity(
                path(yaml.need(front, "certificate", "gnmi with TLS"), "certificate"),
                path(yaml.need(front, "key", "gnmi with TLS"), "key")));
    }

    static Path path(Yaml yaml, String field) {
        try {
            return Path.of(yaml.text(field));
        } catch (InvalidPathException e) {
            throw yaml.wrong(field + " is '" + yaml.text(field) + "', a PEM file is needed");
        }
    }

    private RingPlan ring(Yaml yaml, Map<String, Preset> presets) {
        Map<String, Yaml> ring =
                yaml.fields("ring", Set.of("nodes", "reach", "shape", "gpusPerNode", "namePrefix", "preset"));
        int nodes = (int) yaml.need(ring, "nodes", "ring").whole("ring.nodes", 2, MAX_DEVICES);
        int reach = (int) yaml.need(ring, "reach", "ring").whole("ring.reach", 1, 16);
        boolean closed = !ring.containsKey("shape")
                || yaml.need(ring, "shape", "ring")
                        .oneOf("ring.shape", Set.of("ring", "line"))
                        .equals("ring");
        Yaml gpus = ring.get("gpusPerNode");
        if (gpus != null && reach > gpus.whole("ring.gpusPerNode", 1, 1024)) {
            throw gpus.wrong("ring.reach " + reach + " is greater than ring.gpusPerNode " + gpus.text("gpusPerNode")
                    + ": each bundle needs a pair of GPUs of its own");
        }
        if (closed ? 2 * reach > nodes : reach >= nodes) {
            throw yaml.wrong("ring.reach " + reach + " is too far for " + nodes + " nodes: at most "
                    + (closed ? nodes / 2 : nodes - 1));
        }
        Yaml prefix = ring.get("namePrefix");
        String name = prefix == null ? "n" : prefix.text("ring.namePrefix");
        if (prefix != null) {
            checkName(prefix, name + "0");
        }
        Yaml preset = ring.get("preset");
        RingPlan plan = new RingPlan(nodes, reach, closed, name, preset(preset, "ocstrx", presets));
        for (DeviceSpec spec : plan.devices()) {
            add(yaml, spec);
        }
        return plan;
    }

    private void device(Yaml yaml, Map<String, Preset> presets) {
        Map<String, Yaml> device = yaml.fields(
                "a device",
                Set.of(
                        "id",
                        "count",
                        "kind",
                        "ports",
                        "modules",
                        "twoSided",
                        "ingressPorts",
                        "preset",
                        "firmware",
                        "power",
                        "control",
                        "rack"));
        Yaml idField = yaml.need(device, "id", "a device");
        String id = idField.text("id");
        DeviceKind kind = switch (yaml.need(device, "kind", "device " + id)
                .oneOf("kind", Set.of("switch", "transceivers", "endpoints"))) {
            case "switch" -> DeviceKind.SWITCH;
            case "transceivers" -> DeviceKind.TRANSCEIVERS;
            default -> DeviceKind.ENDPOINTS;
        };
        boolean transceivers = kind == DeviceKind.TRANSCEIVERS;
        String size = transceivers ? "modules" : "ports";
        Yaml foreign = device.get(transceivers ? "ports" : "modules");
        if (foreign != null) {
            throw foreign.wrong("device " + id + " has " + size + ", not " + (transceivers ? "ports" : "modules"));
        }
        Yaml sizeField = yaml.need(device, size, "device " + id);
        int units = (int) sizeField.whole(size, 1, transceivers ? 64 : 65_536);
        int ingress = ingressPorts(device, id, kind, units);
        String usual = kind == DeviceKind.SWITCH ? "mems" : transceivers ? "ocstrx" : "fixed";
        Preset preset = preset(device.get("preset"), usual, presets);
        Yaml firmware = device.get("firmware");
        Domains domains = new Domains(text(device, "power"), text(device, "control"), text(device, "rack"));
        String version = firmware == null ? "1.0.0" : firmware.text("firmware");
        Yaml count = device.get("count");
        if (count == null) {
            checkName(idField, id);
            add(idField, new DeviceSpec(id, kind, units, ingress, preset, version, domains));
            return;
        }
        long many = count.whole("count", 1, MAX_DEVICES);
        checkName(idField, id + "0");
        for (int i = 0; i < many; i++) {
            add(idField, new DeviceSpec(id + i, kind, units, ingress, preset, version, domains));
        }
    }

    /** Half of the ports, unless the scenario says how many; 0 for a device without sides. */
    private static int ingressPorts(Map<String, Yaml> device, String id, DeviceKind kind, int ports) {
        Yaml sides = device.get("twoSided");
        Yaml ingress = device.get("ingressPorts");
        if (sides == null || !sides.flag("twoSided")) {
            if (ingress != null) {
                throw ingress.wrong("device " + id + ": only with 'twoSided: true' it has ingressPorts");
            }
            return 0;
        }
        if (kind != DeviceKind.SWITCH || ports < 2 || (ingress == null && ports % 2 != 0)) {
            throw sides.wrong("device " + id
                    + ": only a switch with an even number of ports, or with ingressPorts, is two-sided");
        }
        return ingress == null ? ports / 2 : (int) ingress.whole("ingressPorts", 1, ports - 1);
    }

    private void add(Yaml at, DeviceSpec spec) {
        if (declared.put(spec.id(), at) != null) {
            throw at.wrong("device " + spec.id() + " is declared twice");
        }
        devices.add(spec);
    }

    private static void fibre(Yaml yaml, Plant plant, Cabling check, List<int[]> strands, List<int[]> duplexes) {
        Map<String, Yaml> fibre = yaml.fields("a fibre", Set.of("a", "b", "from", "to"));
        boolean duplex = fibre.containsKey("a") || fibre.containsKey("b");
        if (fibre.size() != 2) {
            throw yaml.wrong("a fibre needs 'a' and 'b' (duplex) or 'from' and 'to' (one strand)");
        }
        int[] ends = {
            port(yaml.need(fibre, duplex ? "a" : "from", "a fibre"), plant),
            port(yaml.need(fibre, duplex ? "b" : "to", "a fibre"), plant)
        };
        try {
            if (duplex) {
                check.duplex(ends[0], ends[1]);
                duplexes.add(ends);
            } else {
                check.strand(ends[0], ends[1]);
                strands.add(ends);
            }
        } catch (IllegalArgumentException e) {
            throw yaml.wrong(String.valueOf(e.getMessage()));
        }
    }

    private static int port(Yaml yaml, Plant plant) {
        String name = yaml.text("an end of a fibre");
        int slash = name.indexOf('/');
        int device = slash < 0 ? -1 : plant.findDevice(name.substring(0, slash));
        if (slash < 0) {
            throw yaml.wrong("end of a fibre '" + name + "', device/port is needed");
        }
        if (device < 0) {
            throw yaml.wrong("fibre to unknown device " + name.substring(0, slash));
        }
        int port = plant.findPort(device, name.substring(slash + 1));
        if (port < 0) {
            DeviceSpec spec = plant.device(device);
            throw yaml.wrong("fibre to unknown port " + name + ", ports of " + spec.id() + " are " + spec.portName(0)
                    + ".." + spec.portName(spec.ports() - 1));
        }
        return port;
    }

    private static Preset preset(@Nullable Yaml yaml, String usual, Map<String, Preset> presets) {
        String name = yaml == null ? usual : yaml.oneOf("preset", presets.keySet());
        Preset preset = presets.get(name);
        if (preset == null) {
            throw new IllegalStateException("no preset " + name);
        }
        return preset;
    }

    private static void checkName(Yaml yaml, String name) {
        if (!name.matches("[a-zA-Z0-9]([-._a-zA-Z0-9]{0,251}[a-zA-Z0-9])?")) {
            throw yaml.wrong("'" + name + "' is no device name: letters, digits, '-', '.', '_', at most 253");
        }
    }

    private static String text(Map<String, Yaml> device, String name) {
        Yaml yaml = device.get(name);
        return yaml == null ? "" : yaml.text(name);
    }

    static Endpoint endpoint(Yaml yaml, String what) {
        String text = yaml.text(what);
        int colon = text.lastIndexOf(':');
        int port = -1;
        if (colon > 0 && text.substring(colon + 1).matches("[0-9]{1,5}")) {
            port = Integer.parseInt(text.substring(colon + 1));
        }
        if (port < 0 || port > 65_535) {
            throw yaml.wrong(what + " is '" + text + "', host:port with a port from 0 to 65535 is needed");
        }
        return new Endpoint(text.substring(0, colon), port);
    }

    /** Early enough that what a clock of centuries tells still has a year of four digits. */
    private static Instant instant(Yaml yaml) {
        try {
            Instant start = Instant.parse(yaml.text("start"));
            if (!start.isBefore(EARLIEST) && start.isBefore(LATEST)) {
                return start;
            }
        } catch (DateTimeParseException e) {
            // reported below, with what is allowed
        }
        throw yaml.wrong("start is '" + yaml.text("start")
                + "', a time like 2026-01-01T00:00:00Z of the years 1 to 8999 is needed");
    }
}
