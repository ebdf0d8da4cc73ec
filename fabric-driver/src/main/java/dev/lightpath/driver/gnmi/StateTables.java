package dev.lightpath.driver.gnmi;

import com.github.gnmi.proto.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Where a switch tells what it does, and in which words. */
enum StateTables {
    /** Nowhere: what is read is what it was told. */
    NONE,
    /** In a module of their own, as {@code sonic-ocs/sonic-buildimage} has it. */
    MODULE,
    /** In tables of the module sonic-ocs, as {@code sonic-molex/sonic-buildimage} has it. */
    OWN;

    Path ports(Dialect dialect) {
        return this == OWN ? dialect.tables("OCS_PORT_TABLE") : dialect.portStates();
    }

    Path circuits(Dialect dialect) {
        return this == OWN ? dialect.tables("OCS_CROSS_CONNECT_TABLE") : dialect.circuitStates();
    }

    Path losses(Dialect dialect) {
        return this == OWN ? dialect.tables("OCS_FACTORY_INSERTION_LOSS_TABLE") : dialect.losses();
    }

    /** Leaf of a port by which light is held back. */
    String override() {
        return this == OWN ? "config_status" : "state";
    }

    /** All that changes. */
    List<Path> watched(Dialect dialect) {
        return this == NONE
                ? List.of(dialect.ports(), dialect.circuits())
                : List.of(ports(dialect), circuits(dialect), dialect.circuits());
    }

    /** A row of a table of ports, with the leaves {@code state} and {@code status} whatever the device calls them. */
    Map<String, String> port(Map<String, String> row) {
        if (this != OWN) {
            return row;
        }
        Map<String, String> named = new TreeMap<>(row);
        rename(named, "config_status", "state");
        rename(named, "oper_status", "status");
        return named;
    }

    private static void rename(Map<String, String> row, String from, String to) {
        String value = row.remove(from);
        if (value != null) {
            row.put(to, value);
        }
    }
}
