package dev.lightpath.driver.session;

import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The ports of a switch, of which it tells one after the other. */
public final class Ports {
    private final PortLayout layout;
    private final Map<String, PortStatus.Builder> all = new LinkedHashMap<>();

    /** All in service, and nothing else known of them. */
    public Ports(PortLayout layout) {
        this.layout = layout;
        layout.names()
                .forEach(name -> all.put(
                        name,
                        PortStatus.newBuilder()
                                .setPort(name)
                                .setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE)));
    }

    /**
     * The port that a device names.
     *
     * @param where it names it, for people
     * @throws LostException when it has no such port
     */
    public PortStatus.Builder named(String said, String where) throws LostException {
        return Objects.requireNonNull(all.get(name(layout, said, where)));
    }

    /** In the order of the layout. */
    public List<PortStatus> build() {
        return all.values().stream().map(PortStatus.Builder::build).toList();
    }

    /**
     * The name of the port that a device names.
     *
     * @param where it names it, for people
     * @throws LostException when the layout has no such port
     */
    public static String name(PortLayout layout, String said, String where) throws LostException {
        int ports = layout.ingress() + layout.egress();
        try {
            int port = Integer.parseInt(said);
            if (port >= 1 && port <= ports) {
                return Integer.toString(port);
            }
        } catch (NumberFormatException notANumber) {
            // reported below
        }
        throw new LostException(where + " names port '" + OneLine.of(said)
                + "', but the device was described with ports 1 to " + ports);
    }
}
