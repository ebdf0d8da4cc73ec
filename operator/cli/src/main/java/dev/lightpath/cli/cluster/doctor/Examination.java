package dev.lightpath.cli.cluster.doctor;

import dev.lightpath.cli.Answer;
import dev.lightpath.cli.cluster.access.DriverUse;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ServiceReference;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Listable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Asks the API server what the checks judge. What it refuses to tell becomes a warning, and the other checks go on.
 *
 * @param operatorNamespace where operator and client certificates are
 * @param driverNamespace where drivers and emulator are, as the chart has them
 * @param only the fabric to look at; all when empty
 * @param dials whether drivers are called too, from where this runs
 */
public record Examination(
        KubernetesClient client,
        String operatorNamespace,
        String driverNamespace,
        Optional<String> only,
        boolean dials,
        String version,
        Instant now) {
    private static final String UNSEEN = "this was not looked at: ";
    private static final List<String> DEFINITIONS =
            List.of("fabricslices", "opticalfabrics", "opticalswitches", "trainingjobs");
    private static final String EMULATOR = "lightpath-emulator";
    private static final int AGENTS_AT_MOST = 8;
    private static final String MONITORING = "monitoring.coreos.com";

    /** As the command prints it. */
    public Answer answer() {
        return report().answer();
    }

    /** One question after the other: about twenty requests. */
    DoctorReport report() {
        List<Diagnosis> checks = new ArrayList<>();
        checks.add(guarded("api-server", this::apiServer));
        checks.add(guarded("definitions", this::definitions));
        checks.add(guarded("jobset", this::jobSet));
        checks.add(guarded("operator", this::operator));
        checks.add(guarded("policies", this::policies));
        checks.add(guarded("roles", this::roles));
        if (checks.get(1).findings().stream().anyMatch(finding -> finding.what().equals(DefinitionCheck.MISSING))) {
            return new DoctorReport(checks); // there is nothing of ours to look at
        }
        List<OpticalFabric> fabrics = new ArrayList<>();
        List<OpticalSwitch> switches = new ArrayList<>();
        List<Node> nodes = new ArrayList<>();
        AtomicBoolean read = new AtomicBoolean();
        checks.add(guarded("fabrics", () -> {
            fabrics.addAll(chosen());
            switches.addAll(list(client.resources(OpticalSwitch.class)).stream()
                    .filter(of ->
                            only.isEmpty() || only.get().equals(of.getSpec().fabric()))
                    .toList());
            read.set(true);
            return ConditionCheck.fabrics(fabrics, switches);
        }));
        boolean told = read.get();
        checks.add(ofFabrics("drivers", told, () -> ConditionCheck.drivers(fabrics, switches)));
        checks.add(guarded("driver-pods", () -> ObjectCheck.driverPods(driverPods())));
        checks.add(guarded(
                "emulator",
                () -> ObjectCheck.emulator(client.apps()
                        .deployments()
                        .inNamespace(driverNamespace)
                        .withName(EMULATOR)
                        .get())));
        Map<String, Optional<Secret>> secrets = new HashMap<>();
        checks.add(ofFabrics("certificates", told, () -> certificates(fabrics, switches, secrets)));
        if (dials) {
            checks.add(ofFabrics(
                    "dial", told, () -> DialCheck.of(drivers(fabrics, switches), secrets, operatorNamespace)));
        }
        checks.add(guarded("nodes", () -> {
            nodes.addAll(list(client.nodes()));
            return NodeCheck.of(fabrics, nodes);
        }));
        checks.add(ofFabrics("wiring", told, () -> WiringDescriptionCheck.of(fabrics, switches, nodes)));
        checks.add(ofFabrics(
                "routes",
                told,
                () -> RouteCheck.of(
                        fabrics,
                        list(client.rbac().clusterRoleBindings()),
                        list(client.rbac().roleBindings().inAnyNamespace()))));
        checks.add(guarded("network-policies", this::networkPolicies));
        checks.add(guarded("monitoring", this::monitoring));
        return new DoctorReport(checks);
    }

    private List<OpticalFabric> chosen() {
        List<OpticalFabric> all = list(client.resources(OpticalFabric.class));
        if (only.isEmpty()) {
            return all;
        }
        List<OpticalFabric> chosen = all.stream()
                .filter(fabric -> only.get().equals(fabric.getMetadata().getName()))
                .toList();
        if (chosen.isEmpty()) {
            throw new BadInput("--fabric " + only.get() + ": there is no such OpticalFabric");
        }
        return chosen;
    }

    private Diagnosis apiServer() {
        return ApiServerCheck.of(
                client.getKubernetesVersion().getGitVersion(),
                client.supports("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy"));
    }

    private Diagnosis definitions() {
        SortedMap<String, CustomResourceDefinition> ours = new TreeMap<>();
        Map<String, CustomResourceDefinition> installed = new HashMap<>();
        for (String plural : DEFINITIONS) {
            String name = plural + ".lightpath.dev";
            ours.put(name, own(name));
            definition(name).ifPresent(definition -> installed.put(name, definition));
        }
        return DefinitionCheck.of(installed, ours);
    }

    private CustomResourceDefinition own(String name) {
        String file = "/META-INF/kubernetes/" + name + "-v1.yaml";
        try (InputStream yaml = Objects.requireNonNull(OpticalFabric.class.getResourceAsStream(file), file)) {
            return client.getKubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Optional<CustomResourceDefinition> definition(String name) {
        return Optional.ofNullable(client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(name)
                .get());
    }

    private Diagnosis jobSet() {
        SortedMap<String, Integer> services = new TreeMap<>();
        boolean byUrl = false;
        for (var configuration : list(client.admissionRegistration().v1().mutatingWebhookConfigurations())) {
            for (var webhook : Objects.requireNonNullElse(configuration.getWebhooks(), List.<MutatingWebhook>of())) {
                if (webhook.getRules().stream()
                        .anyMatch(rule -> rule.getResources().contains("jobsets"))) {
                    WebhookClientConfig way = webhook.getClientConfig();
                    ServiceReference service = way.getService();
                    if (service == null) {
                        byUrl = true;
                    } else {
                        services.put(
                                service.getNamespace() + "/" + service.getName(),
                                readyEndpoints(service.getNamespace(), service.getName()));
                    }
                }
            }
        }
        return JobSetCheck.of(definition(JobSetCheck.DEFINITION).orElse(null), services, byUrl);
    }

    private int readyEndpoints(String namespace, String service) {
        return client
                .discovery()
                .v1()
                .endpointSlices()
                .inNamespace(namespace)
                .withLabel("kubernetes.io/service-name", service)
                .list()
                .getItems()
                .stream()
                // null, not empty, of a Service that has no pod
                .flatMap(slice -> Objects.requireNonNullElse(slice.getEndpoints(), List.<Endpoint>of()).stream())
                .filter(endpoint -> endpoint.getConditions() == null
                        || !Boolean.FALSE.equals(endpoint.getConditions().getReady()))
                .mapToInt(endpoint -> Objects.requireNonNullElse(endpoint.getAddresses(), List.of())
                        .size())
                .sum();
    }

    private Diagnosis operator() {
        return OperatorCheck.of(
                operatorNamespace,
                client.apps()
                        .deployments()
                        .inNamespace(operatorNamespace)
                        .withName(OperatorCheck.NAME)
                        .get(),
                client.leases()
                        .inNamespace(operatorNamespace)
                        .withName(LightpathNames.LEASE)
                        .get(),
                version,
                now);
    }

    private Diagnosis policies() {
        var api = client.admissionRegistration().v1();
        return PolicyCheck.of(
                byName(list(api.validatingAdmissionPolicies())), byName(list(api.validatingAdmissionPolicyBindings())));
    }

    private Diagnosis roles() {
        return RoleCheck.of(
                operatorNamespace,
                list(client.rbac().clusterRoles()),
                list(client.rbac().clusterRoleBindings()),
                list(client.rbac().roleBindings().inAnyNamespace()));
    }

    private List<Deployment> driverPods() {
        return client.apps().deployments().inNamespace(driverNamespace).list().getItems().stream()
                .filter(set -> "driver"
                        .equals(Objects.requireNonNullElse(
                                        set.getSpec()
                                                .getTemplate()
                                                .getMetadata()
                                                .getLabels(),
                                        Map.<String, String>of())
                                .get("app.kubernetes.io/component")))
                .toList();
    }

    /** Of agents of nodes some: all are told of by the condition Connected of their fabric. */
    private List<DriverUse> drivers(List<OpticalFabric> fabrics, List<OpticalSwitch> switches) {
        List<Node> nodes = DriverUse.anyAgents(fabrics) ? list(client.nodes()) : List.of();
        return DriverUse.all(fabrics, switches, nodes, AGENTS_AT_MOST);
    }

    private Diagnosis certificates(
            List<OpticalFabric> fabrics, List<OpticalSwitch> switches, Map<String, Optional<Secret>> secrets) {
        List<DriverUse> uses = drivers(fabrics, switches);
        for (DriverUse use : uses) {
            CertificateCheck.clientSecret(use, operatorNamespace).ifPresent(name -> look(name, secrets));
            if (use.secret().isPresent()) {
                CertificateCheck.serverSecret(use).ifPresent(name -> look(name, secrets));
            }
        }
        return CertificateCheck.of(uses, DriverUse.withoutTls(fabrics, switches), secrets, operatorNamespace, now);
    }

    private void look(String name, Map<String, Optional<Secret>> into) {
        if (into.containsKey(name)) {
            return;
        }
        String[] parts = name.split("/", 2);
        try {
            into.put(
                    name,
                    Optional.ofNullable(client.secrets()
                            .inNamespace(parts[0])
                            .withName(parts[1])
                            .get()));
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw e;
            }
        }
    }

    private Diagnosis networkPolicies() {
        var policies =
                new ArrayList<>(list(client.network().v1().networkPolicies().inNamespace(operatorNamespace)));
        policies.addAll(list(client.network().v1().networkPolicies().inNamespace(driverNamespace)));
        Map<String, List<String>> wanted = new TreeMap<>();
        if (client.apps()
                        .deployments()
                        .inNamespace(operatorNamespace)
                        .withName(OperatorCheck.NAME)
                        .get()
                != null) {
            wanted.put(operatorNamespace, List.of(OperatorCheck.NAME));
        }
        List<String> drivers = new ArrayList<>(
                driverPods().stream().map(set -> set.getMetadata().getName()).toList());
        if (client.apps()
                        .deployments()
                        .inNamespace(driverNamespace)
                        .withName(EMULATOR)
                        .get()
                != null) {
            drivers.add(EMULATOR);
        }
        if (!drivers.isEmpty()) {
            wanted.put(driverNamespace, drivers);
        }
        return ObjectCheck.networkPolicies(policies, wanted);
    }

    private Diagnosis monitoring() {
        boolean served = client.supports(MONITORING + "/v1", "PodMonitor");
        return ObjectCheck.monitoring(
                served,
                served ? named("PodMonitor", "podmonitors") : List.of(),
                served ? named("PrometheusRule", "prometheusrules") : List.of());
    }

    private List<String> named(String kind, String plural) {
        ResourceDefinitionContext type = new ResourceDefinitionContext.Builder()
                .withGroup(MONITORING)
                .withVersion("v1")
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(true)
                .build();
        return client.genericKubernetesResources(type).inNamespace(operatorNamespace).list().getItems().stream()
                .map(GenericKubernetesResource::getMetadata)
                .map(metadata -> metadata.getName())
                .toList();
    }

    /** What is said of fabrics says nothing if they could not be read. */
    private static Diagnosis ofFabrics(String name, boolean told, Supplier<Diagnosis> check) {
        return told
                ? guarded(name, check)
                : new Diagnosis(
                        name,
                        "",
                        List.of(Finding.warning(
                                "kube-apiserver",
                                UNSEEN + "fabrics and switches could not be read",
                                "bind ClusterRole lightpath-doctor")));
    }

    /**
     * What may not be read, or is of a kind that this API server does not serve, keeps nothing else from being looked
     * at.
     */
    private static Diagnosis guarded(String name, Supplier<Diagnosis> check) {
        try {
            return check.get();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return new Diagnosis(
                        name,
                        "",
                        List.of(Finding.warning(
                                "kube-apiserver",
                                UNSEEN + "it serves no objects of this kind",
                                "see what api-server and definitions find")));
            }
            if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw e;
            }
            String said = e.getStatus() == null
                    ? "forbidden"
                    : String.valueOf(e.getStatus().getMessage());
            return new Diagnosis(
                    name,
                    "",
                    List.of(Finding.warning("kube-apiserver", UNSEEN + said, "bind ClusterRole lightpath-doctor")));
        }
    }

    private static <T extends HasMetadata> List<T> list(Listable<? extends KubernetesResourceList<T>> resources) {
        return resources.list().getItems();
    }

    private static <T extends HasMetadata> Map<String, T> byName(List<T> objects) {
        return objects.stream()
                .collect(Collectors.toMap(object -> object.getMetadata().getName(), Function.identity()));
    }
}
