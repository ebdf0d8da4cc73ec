package dev.lightpath.reading.node;

import io.fabric8.kubernetes.api.model.Node;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the agents of nodes listen: {@code {node}:9440} or {@code {address}:9440}. */
public final class AgentTemplate {
    private static final Pattern FORM = Pattern.compile("\\{(node|address)\\}:(\\d{1,5})");
    private static final String INTERNAL = "InternalIP";

    private final boolean byName;
    private final String port;

    private AgentTemplate(boolean byName, String port) {
        this.byName = byName;
        this.port = port;
    }

    /** Empty when this is the address of one driver. */
    public static Optional<AgentTemplate> of(String endpoint) {
        Matcher form = FORM.matcher(endpoint);
        return form.matches()
                ? Optional.of(new AgentTemplate(form.group(1).equals("node"), form.group(2)))
                : Optional.empty();
    }

    /** Where the agent of a node listens, as host:port; empty when the Node tells no address. */
    public Optional<String> address(Node node) {
        Optional<String> host = byName ? Optional.of(node.getMetadata().getName()) : internalAddress(node);
        return host.map(where -> (where.indexOf(':') < 0 ? where : "[" + where + "]") + ":" + port);
    }

    /** The first one; empty when there is none. */
    static Optional<String> internalAddress(Node node) {
        return node.getStatus() == null || node.getStatus().getAddresses() == null
                ? Optional.empty()
                : node.getStatus().getAddresses().stream()
                        .filter(address -> INTERNAL.equals(address.getType()))
                        .map(address -> address.getAddress())
                        .findFirst();
    }
}
