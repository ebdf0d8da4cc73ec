package dev.lightpath.cli.stripe;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.cli.Checked;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.planner.stripe.Circuit;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.stripe.LogicalTopology;
import dev.lightpath.planner.stripe.StripingRequest;
import dev.lightpath.planner.stripe.SwitchCircuits;
import dev.lightpath.planner.stripe.SwitchPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Reads the document of {@code lightpath stripe}; every refusal names the file and the field. */
final class StripeInput {
    private static final Set<String> FIELDS =
            Set.of("switches", "portsPerPodPerSwitch", "device", "topology", "previous", "unusablePorts");

    /** Of an answer of this command, whose figures are not read. */
    private static final Set<String> ANSWER = Set.of("switches", "moved", "lowerBound", "kept", "stages");

    private static final Set<String> SWITCH = Set.of("switch", "circuits");
    private static final Set<String> PORT = Set.of("switch", "port", "ports", "side");

    private final String file;

    private StripeInput(String file) {
        this.file = file;
    }

    static StripingRequest read(String file, JsonNode document) {
        return new StripeInput(file).request(document);
    }

    private StripingRequest request(JsonNode document) {
        if (!document.isObject()) {
            throw bad("", "is no JSON object with switches, portsPerPodPerSwitch, device and topology");
        }
        only(document, "", FIELDS);
        int switches = integer(document.path("switches"), "switches");
        int ports = integer(document.path("portsPerPodPerSwitch"), "portsPerPodPerSwitch");
        if (!document.path("device").isTextual()) {
            throw bad(
                    "device",
                    (document.has("device") ? "is " + document.get("device") : "is missing")
                            + ": two-sided or any-to-any");
        }
        DeviceKind device =
                Checked.input(file, () -> DeviceKind.of(document.path("device").asText()));
        LogicalTopology topology = topology(document.path("topology"));
        List<SwitchCircuits> previous = previous(document.path("previous"));
        TreeSet<SwitchPort> unusable = unusable(document.path("unusablePorts"));
        return Checked.input(file, () -> new StripingRequest(switches, ports, device, topology, previous, unusable));
    }

    /** Refuses an unknown field, which is probably misspelt. */
    private void only(JsonNode node, String where, Set<String> allowed) {
        node.fieldNames().forEachRemaining(name -> {
            if (!allowed.contains(name)) {
                throw bad(
                        where.isEmpty() ? name : where + "." + name,
                        "is no field: allowed are " + String.join(", ", new TreeSet<>(allowed)));
            }
        });
    }

    private LogicalTopology topology(JsonNode node) {
        if (!node.isArray()) {
            throw bad("topology", "is no matrix: one row of circuit counts per pod");
        }
        int[][] counts = new int[node.size()][];
        for (int i = 0; i < counts.length; i++) {
            JsonNode row = node.get(i);
            if (!row.isArray()) {
                throw bad("topology[" + i + "]", "is no row of circuit counts");
            }
            counts[i] = new int[row.size()];
            for (int j = 0; j < row.size(); j++) {
                counts[i][j] = integer(row.get(j), "topology[" + i + "][" + j + "]");
            }
        }
        return Checked.input(file, () -> LogicalTopology.of(counts));
    }

    private List<SwitchCircuits> previous(JsonNode node) {
        List<SwitchCircuits> previous = new ArrayList<>();
        if (node.isMissingNode() || node.isNull() || (node.isObject() && node.isEmpty())) {
            return previous;
        }
        only(node, "previous", ANSWER);
        JsonNode switches = node.path("switches");
        if (!switches.isArray()) {
            throw bad(
                    "previous.switches", "is missing: a list of {\"switch\", \"circuits\"}, as this command prints it");
        }
        for (int s = 0; s < switches.size(); s++) {
            String where = "previous.switches[" + s + "]";
            only(switches.get(s), where, SWITCH);
            List<Circuit> circuits = new ArrayList<>();
            JsonNode list = switches.get(s).path("circuits");
            if (!list.isArray()) {
                throw bad(where + ".circuits", "is missing: a list of pairs of ports");
            }
            for (int c = 0; c < list.size(); c++) {
                String at = where + ".circuits[" + c + "]";
                if (!list.get(c).isArray() || list.get(c).size() != 2) {
                    throw bad(at, "is no pair of ports");
                }
                circuits.add(new Circuit(
                        integer(list.get(c).get(0), at + "[0]"),
                        integer(list.get(c).get(1), at + "[1]")));
            }
            previous.add(new SwitchCircuits(integer(switches.get(s).path("switch"), where + ".switch"), circuits));
        }
        return previous;
    }

    /**
     * Entries are {"switch", "port"} or {"switch", "ports"}, with an optional "side" ingress or egress, or [switch,
     * port].
     */
    private TreeSet<SwitchPort> unusable(JsonNode node) {
        TreeSet<SwitchPort> unusable = new TreeSet<>();
        if (node.isMissingNode() || node.isNull()) {
            return unusable;
        }
        if (!node.isArray()) {
            throw bad("unusablePorts", "is no list of {\"switch\", \"port\"}");
        }
        for (int i = 0; i < node.size(); i++) {
            JsonNode entry = node.get(i);
            String where = "unusablePorts[" + i + "]";
            only(entry, where, PORT);
            if (entry.isArray() && entry.size() == 2) {
                unusable.add(new SwitchPort(
                        integer(entry.get(0), where + "[0]"),
                        integer(entry.get(1), where + "[1]"),
                        SwitchPort.Side.BOTH));
            } else if (entry.path("ports").isArray()) {
                int of = integer(entry.path("switch"), where + ".switch");
                SwitchPort.Side side = side(entry.path("side"), where + ".side");
                for (int p = 0; p < entry.path("ports").size(); p++) {
                    unusable.add(
                            new SwitchPort(of, integer(entry.path("ports").get(p), where + ".ports[" + p + "]"), side));
                }
            } else if (entry.isObject()) {
                unusable.add(new SwitchPort(
                        integer(entry.path("switch"), where + ".switch"),
                        integer(entry.path("port"), where + ".port"),
                        side(entry.path("side"), where + ".side")));
            } else {
                throw bad(where, "is neither {\"switch\", \"port\"} nor [switch, port]");
            }
        }
        return unusable;
    }

    private SwitchPort.Side side(JsonNode node, String where) {
        if (node.isMissingNode() || node.isNull()) {
            return SwitchPort.Side.BOTH;
        }
        return switch (node.asText().toLowerCase(Locale.ROOT)) {
            case "ingress", "in" -> SwitchPort.Side.INGRESS;
            case "egress", "out" -> SwitchPort.Side.EGRESS;
            case "both" -> SwitchPort.Side.BOTH;
            default -> throw bad(where, "is \"" + node.asText() + "\": ingress, egress or both");
        };
    }

    private int integer(JsonNode node, String where) {
        if (node.isMissingNode()) {
            throw bad(where, "is missing: an integer");
        }
        if (node.canConvertToInt() && node.isIntegralNumber()) {
            return node.intValue();
        }
        if (node.isTextual()) {
            try {
                return Integer.parseInt(node.asText());
            } catch (NumberFormatException e) {
                throw bad(where, "is \"" + node.asText() + "\", no integer");
            }
        }
        throw bad(where, "is " + node + ", no integer");
    }

    private BadInput bad(String field, String what) {
        return new BadInput(file + ": " + (field.isEmpty() ? "" : field + " ") + what);
    }
}
