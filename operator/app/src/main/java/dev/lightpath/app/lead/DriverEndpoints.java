package dev.lightpath.app.lead;

import dev.lightpath.app.driver.DriverEndpoint;
import dev.lightpath.app.driver.TlsMaterial;
import dev.lightpath.crds.DriverTls;
import dev.lightpath.crds.fabric.FabricDriver;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.opticalswitch.SwitchDriver;
import dev.lightpath.reading.RingIntentReader;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The driver servers that fabrics name, with the TLS material of the operator's own namespace. */
public final class DriverEndpoints {
    private final KubernetesClient client;
    private final String namespace;
    private final RingIntentReader roles;

    /** @param namespace the operator's own: secrets are read from nowhere else */
    public DriverEndpoints(KubernetesClient client, String namespace, RingIntentReader roles) {
        this.client = client;
        this.namespace = namespace;
        this.roles = roles;
    }

    /** Under which light of the fabric is held at its drivers. */
    String role(OpticalFabric fabric) {
        return roles.role(fabric);
    }

    /**
     * A secret that is missing, or that the operator's Role does not name, gives material that no connection can use, never plaintext: the fabric then says what is
     * wrong with it.
     */
    public List<DriverEndpoint> of(Collection<OpticalFabric> fabrics, Collection<OpticalSwitch> switches) {
        List<DriverEndpoint> endpoints = new ArrayList<>();
        for (OpticalFabric fabric : fabrics) {
            if (fabric.getSpec().ocsTrx() == null) {
                continue;
            }
            FabricDriver driver = fabric.getSpec().ocsTrx().driver();
            endpoints.add(endpoint(driver.endpoint(), roles.role(fabric), driver.tls()));
        }
        Map<String, TlsMaterial> read = new HashMap<>();
        SortedSet<DriverEndpoint> ofSwitches = new TreeSet<>();
        for (OpticalSwitch of : switches) {
            fabrics.stream()
                    .filter(fabric -> fabric.getSpec().ocs() != null
                            && fabric.getMetadata()
                                    .getName()
                                    .equals(of.getSpec().fabric()))
                    .findFirst()
                    .ifPresent(fabric -> {
                        SwitchDriver driver = of.getSpec().driver();
                        DriverTls tls = driver.tls();
                        ofSwitches.add(
                                tls == null
                                        ? DriverEndpoint.plaintext(driver.endpoint(), roles.role(fabric))
                                        : DriverEndpoint.secured(
                                                driver.endpoint(),
                                                roles.role(fabric),
                                                read.computeIfAbsent(tls.secretName(), this::material)));
                    });
        }
        endpoints.addAll(ofSwitches);
        return List.copyOf(endpoints);
    }

    private DriverEndpoint endpoint(String address, String role, @Nullable DriverTls tls) {
        return tls == null
                ? DriverEndpoint.plaintext(address, role)
                : DriverEndpoint.secured(address, role, material(tls.secretName()));
    }

    private TlsMaterial material(String name) {
        String source = "Secret " + namespace + "/" + name;
        Secret secret;
        try {
            secret = client.secrets().inNamespace(namespace).withName(name).get();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw e;
            }
            return TlsMaterial.withheld(source);
        }
        if (secret == null) {
            return TlsMaterial.missing(source);
        }
        Map<String, String> data = secret.getData() == null ? Map.of() : secret.getData();
        return new TlsMaterial(source, text(data, "ca.crt"), text(data, "tls.crt"), text(data, "tls.key"));
    }

    private static String text(Map<String, String> data, String key) {
        return new String(Base64.getMimeDecoder().decode(data.getOrDefault(key, "")), StandardCharsets.UTF_8);
    }
}
