package dev.lightpath.cli.cluster.access;

import dev.lightpath.console.text.BadInput;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.LocalPortForward;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The port named {@code http} of a pod, by a port forward. It ends on the pod's own loopback: a token is in the clear
 * nowhere on the way, and a certificate proves nothing more. TLS is spoken where the pod's probes speak it.
 *
 * @param who what runs in it, for people
 * @param usual its number, if the pod names none so
 */
public record PodHttp(KubernetesClient client, Pod pod, String who, int usual) {
    private static final String PORT = "http";

    /** @throws BadInput when it cannot be reached or refuses */
    public String read(HttpQuestion question, Optional<String> token) {
        String name = pod.getMetadata().getName();
        String namespace = pod.getMetadata().getNamespace();
        try (LocalPortForward forward = client.pods()
                .inNamespace(namespace)
                .withName(name)
                .portForward(port(), InetAddress.getLoopbackAddress(), 0)) {
            try {
                URI address = URI.create(scheme() + "://127.0.0.1:" + forward.getLocalPort() + question.path());
                return new Page(
                                who + " at " + address,
                                address,
                                Optional.of(AnyCertificate.context()),
                                token,
                                question.body())
                        .read();
            } catch (IOException e) {
                String why = forward.getServerThrowables().stream()
                        .findFirst()
                        .or(() -> forward.getClientThrowables().stream().findFirst())
                        .map(Throwable::getMessage)
                        .orElse(e.getMessage());
                throw new BadInput(
                        who + "'s pod " + name + " cannot be reached by a port forward, which needs create"
                                + " pods/portforward in namespace " + namespace + ": " + Connection.firstLine(why),
                        e);
            }
        } catch (IOException e) {
            throw new BadInput("the port forward to " + who + "'s pod " + name + " failed: " + e.getMessage(), e);
        }
    }

    /** {@code http} or {@code https}, as the kubelet is told. */
    String scheme() {
        boolean secured = pod.getSpec().getContainers().stream()
                .flatMap(container -> Stream.of(container.getReadinessProbe(), container.getLivenessProbe()))
                .filter(probe -> probe != null && probe.getHttpGet() != null)
                .map(Probe::getHttpGet)
                .filter(get -> PORT.equals(get.getPort().getStrVal())
                        || Integer.valueOf(port()).equals(get.getPort().getIntVal()))
                .anyMatch(get -> "HTTPS".equals(get.getScheme()));
        return secured ? "https" : "http";
    }

    private int port() {
        return pod.getSpec().getContainers().stream()
                .flatMap(container -> container.getPorts().stream())
                .filter(port -> PORT.equals(port.getName()))
                .map(ContainerPort::getContainerPort)
                .findFirst()
                .orElse(usual);
    }
}
