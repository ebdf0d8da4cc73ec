package dev.lightpath.app.lead;

import dev.lightpath.app.Home;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Identity of this process in elections.
 *
 * @param name of its pod and something random: a restarted container is another candidate
 * @param namespace the operator's own
 * @param view URL of its view of the last World
 */
record Identity(String name, String namespace, String view) {
    static Identity of(Map<String, String> environment, KubernetesClient client) {
        String pod = environment.getOrDefault("POD_NAME", environment.getOrDefault("HOSTNAME", "lightpath-operator"));
        return new Identity(
                pod + "-" + UUID.randomUUID().toString().substring(0, 8),
                Home.namespace(environment, client),
                viewUrl());
    }

    /** Where it listens; of all addresses the one that others know the machine by. */
    private static String viewUrl() {
        Config config = ConfigProvider.getConfig();
        String host = config.getOptionalValue("quarkus.http.host", String.class).orElse("0.0.0.0");
        int port = config.getOptionalValue("quarkus.http.port", Integer.class).orElse(8080);
        return "http://" + (host.equals("0.0.0.0") ? address() : host) + ":" + port + "/view";
    }

    private static String address() {
        try {
            InetAddress address = InetAddress.getLocalHost();
            return address instanceof Inet6Address ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
