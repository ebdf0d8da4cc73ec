package dev.lightpath.driver.gnmi;

import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import com.google.protobuf.ByteString;
import dev.lightpath.driver.adapter.CircuitPair;

/** How a server wants paths and values to be written. */
enum Dialect {
    /** SONiC: the first name of a path has its module, and a value is within the name of its node. */
    SONIC,
    /** As the gNMI specification has it: names without modules, and the bare value. */
    BARE;

    /** Module of what is provisioned. */
    static final String MODULE = "sonic-ocs";

    private static final String CONFIG = MODULE;
    private static final String STATES = "sonic-ocs-states";
    private static final String CIRCUITS = "OCS_CROSS_CONNECT";
    private static final String PORTS = "OCS_PORT";
    private static final String LOSSES = "OCS_FACTORY_INSERTION_LOSS";

    /** Names of the lists, without their modules. */
    static final String CIRCUIT_LIST = CIRCUITS + "_LIST";

    static final String PORT_LIST = PORTS + "_LIST";
    static final String LOSS_LIST = LOSSES + "_LIST";

    /** Module of what the device does. */
    static final String STATES_MODULE = STATES;

    Path circuits() {
        return at(CONFIG, CIRCUITS);
    }

    Path ports() {
        return at(CONFIG, PORTS);
    }

    Path circuitStates() {
        return at(STATES, CIRCUITS);
    }

    Path portStates() {
        return at(STATES, PORTS);
    }

    Path losses() {
        return at(STATES, LOSSES);
    }

    /** A table of the module that has what is provisioned. */
    Path tables(String name) {
        return at(CONFIG, name);
    }

    /** Where SONiC tells the maker and the serial number. */
    Path eeprom() {
        return Path.newBuilder()
                .addElem(elem(this == SONIC ? "openconfig-platform:components" : "components"))
                .addElem(elem("component").toBuilder().putKey("name", "System Eeprom"))
                .addElem(elem("state"))
                .build();
    }

    private Path at(String module, String table) {
        return Path.newBuilder()
                .addElem(elem(this == SONIC ? module + ":" + module : module))
                .addElem(elem(table))
                .build();
    }

    private static PathElem elem(String name) {
        return PathElem.newBuilder().setName(name).build();
    }

    /** @param id name of the cross-connect */
    Path circuit(String id) {
        return circuits().toBuilder()
                .addElem(elem(CIRCUIT_LIST).toBuilder().putKey("cross_connect_id", id))
                .build();
    }

    /** Makes a cross-connect. */
    Update connect(String id, CircuitPair pair) {
        String entry = "{\"cross_connect_id\":\"%s\",\"a_side\":\"%s\",\"b_side\":\"%s\"}"
                .formatted(id, pair.ingress(), pair.egress());
        return update(circuit(id), CIRCUIT_LIST, entry);
    }

    /**
     * Lets light of a port through, or not.
     *
     * @param leaf that says so
     */
    Update shutter(String port, String leaf, boolean closed) {
        Path at = ports().toBuilder()
                .addElem(elem(PORT_LIST).toBuilder().putKey("simplex_port_id", port))
                .build();
        String state = closed ? "force_blocked" : "normal";
        return update(at, PORT_LIST, "{\"simplex_port_id\":\"%s\",\"%s\":\"%s\"}".formatted(port, leaf, state));
    }

    private Update update(Path at, String list, String entry) {
        String value = this == SONIC ? "{\"%s:%s\":[%s]}".formatted(CONFIG, list, entry) : entry;
        return Update.newBuilder()
                .setPath(at)
                .setVal(TypedValue.newBuilder().setJsonIetfVal(ByteString.copyFromUtf8(value)))
                .build();
    }
}
