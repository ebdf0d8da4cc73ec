package dev.lightpath.driver.tl1;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A connection of a Calient switch, as {@code RTRV-CRS} tells it. It may be entered without being active: then it holds
 * its ports, and no light passes.
 *
 * @param group that it belongs to
 * @param name in that group
 * @param bothWays light goes from the second port to the first too
 * @param active whether it is in service
 * @param state of the light, where it is active
 */
record Connection(CircuitPair pair, String group, String name, boolean bothWays, boolean active, CircuitState state) {
    /** What may be repeated in a command. */
    private static final Pattern WORD = Pattern.compile("[\\x21-\\x7e&&[^:;,\"\\\\]]{1,64}");

    /** @throws LostException when it is none */
    static Connection read(Map<String, String> fields, CalientPorts ports) throws LostException {
        String group = word(fields, "GRPNAME");
        String name = word(fields, "CONNNAME");
        String type = word(fields, "CONNTYPE");
        if (!type.equalsIgnoreCase("1WAY") && !type.equalsIgnoreCase("2WAY")) {
            throw new LostException("RTRV-CRS names connection type '" + MessageReader.oneLine(type)
                    + "' where 1WAY or 2WAY is expected");
        }
        return new Connection(
                new CircuitPair(
                        ports.known(word(fields, "SRCPORT"), "a connection"),
                        ports.known(word(fields, "DSTPORT"), "a connection")),
                group,
                name,
                type.equalsIgnoreCase("2WAY"),
                fields.getOrDefault("AS", "").equals("IS"),
                state(fields));
    }

    private static String word(Map<String, String> fields, String field) throws LostException {
        String word = fields.getOrDefault(field, "");
        if (!WORD.matcher(word).matches()) {
            throw new LostException("RTRV-CRS tells a connection whose " + field + " is '" + MessageReader.oneLine(word)
                    + "'; 1 to 64 signs other than : ; , \" \\ and blanks are expected");
        }
        return word;
    }

    private static CircuitState state(Map<String, String> fields) {
        if (!fields.getOrDefault("OC", "OK").equals("OK")) {
            return CircuitState.CIRCUIT_STATE_FAILED;
        }
        return fields.getOrDefault("OS", "").equals("IS")
                ? CircuitState.CIRCUIT_STATE_CONNECTED
                : CircuitState.CIRCUIT_STATE_TUNING;
    }

    /** The ways of light that it has. */
    List<CircuitPair> ways() {
        return bothWays ? List.of(pair, new CircuitPair(pair.egress(), pair.ingress())) : List.of(pair);
    }

    private Tl1Session.Command command(String verb) {
        return new Tl1Session.Command(verb, pair.ingress() + "," + pair.egress(), ":," + group + "," + name);
    }

    /** Takes it out of service. */
    Tl1Session.Command cancel() {
        return command("CANC-CRS");
    }

    /** Deletes it, once it is out of service. */
    Tl1Session.Command delete() {
        return command("DLT-CRS");
    }
}
