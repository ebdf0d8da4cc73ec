package dev.lightpath.app.publish.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.reading.AdmissionPolicies;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MatchCondition;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which policies are in force, as the operator's identity with its shipped rights sees it. */
@ExtendWith(ApiServerExtension.class)
class PolicyWatchIT {
    private static final Path ACCESS = Path.of("..", "..", "deploy", "kubernetes", "access");

    private final List<HasMetadata> policies = new ArrayList<>();
    private KubernetesClient admin;
    private KubernetesClient operator;
    private PolicyWatch watch;

    @BeforeEach
    void install(ApiServer server) throws IOException {
        admin = server.client();
        ApiServer.namespace(admin, "lightpath-system");
        try (Stream<Path> files = Files.list(ACCESS)) {
            for (Path file : files.filter(each -> each.toString().endsWith("-policy.yaml"))
                    .toList()) {
                load(file).forEach(policy -> policies.add(harmless(policy)));
            }
        }
        load(ACCESS.resolve("operator.yaml"))
                .forEach(object -> admin.resource(object).serverSideApply());
        Config config = Config.fromKubeconfig(server.kubeConfigYaml());
        config.setImpersonateUsername("system:serviceaccount:lightpath-system:lightpath-operator");
        config.setImpersonateGroups("system:authenticated");
        operator = new KubernetesClientBuilder().withConfig(config).build();
        watch = new PolicyWatch(operator, new FabricMetrics(new SimpleMeterRegistry()));
        Awaitility.await("the operator's rights are in force")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(watch.missing().values()).containsOnly("is not there"));
    }

    @AfterEach
    void uninstall() {
        admin.resourceList(policies).delete();
        watch.close();
        operator.close();
        admin.close();
    }

    private List<HasMetadata> load(Path file) throws IOException {
        try (InputStream yaml = Files.newInputStream(file)) {
            return admin.load(yaml).items();
        }
    }

    /** The API server is shared by all tests of the run: no other test may be refused by these policies. */
    private static HasMetadata harmless(HasMetadata object) {
        if (object instanceof ValidatingAdmissionPolicy policy) {
            MatchCondition never = new MatchCondition("false", "never");
            policy.getSpec().setMatchConditions(List.of(never));
        }
        return object;
    }

    @Test
    void allThatAreShippedAndDenyAreLookedFor() {
        assertThat(policies)
                .filteredOn(object -> object instanceof ValidatingAdmissionPolicyBinding binding
                        && binding.getSpec().getValidationActions().contains("Deny"))
                .extracting(binding -> binding.getMetadata().getName())
                .containsExactlyInAnyOrderElementsOf(AdmissionPolicies.NAMES);
        assertThat(watch.missing()).containsOnlyKeys(AdmissionPolicies.NAMES);
    }

    @Test
    void whatIsTakenAwayOrWeakenedIsMissed() {
        policies.forEach(policy -> admin.resource(policy).serverSideApply());
        assertThat(watch.missing()).isEmpty();

        admin.resource(binding("lightpath-use")).delete();
        ValidatingAdmissionPolicyBinding audited = binding("lightpath-pods");
        audited.getSpec().setValidationActions(List.of("Audit"));
        admin.resource(audited).update();
        ValidatingAdmissionPolicy lenient = admin.admissionRegistration()
                .v1()
                .validatingAdmissionPolicies()
                .withName("lightpath-ledger")
                .get();
        lenient.getSpec().setFailurePolicy("Ignore");
        admin.resource(lenient).update();
        admin.admissionRegistration()
                .v1()
                .validatingAdmissionPolicies()
                .withName("lightpath-acts")
                .delete();

        assertThat(watch.missing())
                .containsOnlyKeys("lightpath-acts", "lightpath-ledger", "lightpath-pods", "lightpath-use")
                .containsEntry("lightpath-acts", "is not there")
                .containsEntry("lightpath-ledger", "has failurePolicy Ignore, not Fail")
                .containsEntry("lightpath-pods", "has a binding that does not deny")
                .containsEntry("lightpath-use", "has no binding of its name");
    }

    private ValidatingAdmissionPolicyBinding binding(String name) {
        return admin.admissionRegistration()
                .v1()
                .validatingAdmissionPolicyBindings()
                .withName(name)
                .get();
    }
}
