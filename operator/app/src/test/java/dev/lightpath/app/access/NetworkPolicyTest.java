package dev.lightpath.app.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every pod that ships has a policy, and every policy says from where, and to ports that there are. */
class NetworkPolicyTest {
    private static final Path MANIFESTS = Path.of(System.getProperty("basedir", "."), "../../deploy/kubernetes");

    private static List<HasMetadata> objects(String folder) throws IOException {
        List<HasMetadata> objects = new ArrayList<>();
        try (Stream<Path> files = Files.list(MANIFESTS.resolve(folder))) {
            for (Path file : files.sorted().toList()) {
                for (String document : Files.readString(file).split("(?m)^---$", -1)) {
                    if (document.contains("\nkind: NetworkPolicy") || document.contains("\nkind: Deployment")) {
                        objects.add(Serialization.unmarshal(document, HasMetadata.class));
                    }
                }
            }
        }
        return objects;
    }

    private static <T> T only(List<HasMetadata> objects, Class<T> type) {
        List<T> found =
                objects.stream().filter(type::isInstance).map(type::cast).toList();
        assertThat(found).as(type.getSimpleName()).hasSize(1);
        return found.getFirst();
    }

    private static PodTemplateSpec template(List<HasMetadata> objects) {
        return objects.stream()
                .flatMap(object -> switch (object) {
                    case Deployment deployment -> Stream.of(deployment.getSpec().getTemplate());
                    default -> Stream.<PodTemplateSpec>empty();
                })
                .findFirst()
                .orElseThrow();
    }

    private static Set<String> ports(PodTemplateSpec template) {
        Set<String> ports = new TreeSet<>();
        template.getSpec().getContainers().stream()
                .map(container -> container.getPorts())
                .flatMap(Collection::stream)
                .forEach(port -> ports.add(port.getName()));
        return ports;
    }

    @ParameterizedTest
    @CsvSource({"operator,https", "driver,grpc http", "emulator,grpc", "solver,grpc http"})
    void onlyTheseArePortsForOthers(String folder, String open) throws IOException {
        List<HasMetadata> objects = objects(folder);
        NetworkPolicy policy = only(objects, NetworkPolicy.class);
        PodTemplateSpec template = template(objects);

        assertThat(template.getMetadata().getLabels())
                .containsAllEntriesOf(policy.getSpec().getPodSelector().getMatchLabels());
        assertThat(policy.getSpec().getPolicyTypes()).startsWith("Ingress");
        assertThat(policy.getSpec().getIngress()).allSatisfy(rule -> {
            assertThat(rule.getFrom()).as("from anywhere").isNotEmpty();
            assertThat(rule.getPorts()).as("any port").isNotEmpty();
        });
        Set<String> named = new TreeSet<>();
        policy.getSpec().getIngress().stream()
                .flatMap(rule -> rule.getPorts().stream())
                .forEach(port -> named.add(port.getPort().getStrVal()));
        assertThat(named).containsExactlyInAnyOrder(open.split(" ", -1)).isSubsetOf(ports(template));
    }
}
