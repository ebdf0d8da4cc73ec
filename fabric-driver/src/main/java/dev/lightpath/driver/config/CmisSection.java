package dev.lightpath.driver.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Transceivers of nodes. */
final class CmisSection {
    private static final Pattern BUS = Pattern.compile("([^/\\s]+):(\\d{1,5})/(\\d{1,2})");
    private static final String NODE_NAME = "NODE_NAME";
    private static final int POLL_SECONDS = 1;

    private CmisSection() {}

    static AdapterConfig.Cmis read(YamlMap adapter, DeviceIds ids) throws ConfigException {
        adapter.allowsOnly(AdapterConfig.Cmis.KIND, "kind", "devices");
        List<AdapterConfig.CmisNode> nodes = new ArrayList<>();
        Map<Path, ModuleType> types = new HashMap<>();
        for (YamlMap each : adapter.maps("devices", "id", "pollSeconds", "modules")) {
            Optional<String> written = each.text("id");
            String id = written.isPresent() ? written.get() : System.getenv().getOrDefault(NODE_NAME, "");
            if (id.isEmpty()) {
                throw each.missing("id", "write the name of the node, or set the variable " + NODE_NAME);
            }
            ids.take(each, id);
            List<AdapterConfig.CmisModuleConfig> modules = new ArrayList<>();
            for (YamlMap module : each.maps("modules", "name", "type", "i2c", "eeprom", "socket")) {
                String name = module.required("name", "b0, b1 and so on, in order");
                if (!name.equals("b" + modules.size())) {
                    throw module.wrong("name", name, "b" + modules.size() + ": bundles are numbered in order");
                }
                Path type = module.path("type", "the file of its module type");
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
                    id, modules, Duration.ofSeconds(each.number("pollSeconds", POLL_SECONDS, 1, 60))));
        }
        return new AdapterConfig.Cmis(nodes);
    }

    private static AdapterConfig.CmisBus bus(YamlMap module) throws ConfigException {
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
            return new AdapterConfig.CmisBus.I2c(module.path("i2c", "a device such as /dev/i2c-5"));
        }
        if (eeprom) {
            return new AdapterConfig.CmisBus.Eeprom(
                    module.path("eeprom", "a file such as /sys/bus/i2c/devices/5-0050/eeprom"));
        }
        Matcher form = BUS.matcher(socket.get());
        if (!form.matches()) {
            throw module.wrong("socket", socket.get(), "host:port/module, for example 127.0.0.1:9460/0");
        }
        return new AdapterConfig.CmisBus.Socket(
                form.group(1), Integer.parseInt(form.group(2)), Integer.parseInt(form.group(3)));
    }
}
