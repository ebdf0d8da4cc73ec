package dev.lightpath.cli.cluster.support;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.HttpQuestion;
import dev.lightpath.cli.cluster.access.OperatorCall;
import dev.lightpath.cli.cluster.access.PodHttp;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.LightpathLabels;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What a bundle shows of an installation: objects, logs and pages. One question after the other; what is refused is
 * missing, and the others go on. Secrets are never read.
 *
 * @param only jobs, slices and their pods of this namespace; of all when empty
 * @param since how old a line of a log may be
 */
record Installation(
        Cluster cluster, String operatorNamespace, String driverNamespace, Optional<String> only, Duration since) {
    /** Lines of one log, at most. */
    private static final int LINES = 50_000;

    private static final int DRIVER_PORT = 9441;
    private static final String NAME = "app.kubernetes.io/name";
    private static final String COMPONENT = "app.kubernetes.io/component";
    private static final String OPERATOR = "lightpath-operator";

    private static final Collected EVENTS = Collected.core("Event", "events");

    private static final List<Collected> OF_TENANTS = List.of(
            Collected.ours("TrainingJob", "trainingjobs", true), Collected.ours("FabricSlice", "fabricslices", true));

    private static final List<Collected> OF_THE_CLUSTER = List.of(
            Collected.ours("OpticalFabric", "opticalfabrics", false),
            Collected.ours("OpticalSwitch", "opticalswitches", false),
            new Collected("", "v1", "Node", "nodes", false));

    /** Of these, those whose name says that they are ours. */
    private static final List<Collected> BY_NAME = List.of(
            new Collected("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", false),
            new Collected(
                    "admissionregistration.k8s.io",
                    "v1",
                    "ValidatingAdmissionPolicy",
                    "validatingadmissionpolicies",
                    false),
            new Collected(
                    "admissionregistration.k8s.io",
                    "v1",
                    "ValidatingAdmissionPolicyBinding",
                    "validatingadmissionpolicybindings",
                    false),
            new Collected("rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", false),
            new Collected("rbac.authorization.k8s.io", "v1", "ClusterRoleBinding", "clusterrolebindings", false));

    private static final List<Collected> OF_OUR_NAMESPACES = List.of(
            Collected.core("Pod", "pods"),
            Collected.core("Service", "services"),
            Collected.core("ConfigMap", "configmaps"),
            Collected.core("PersistentVolumeClaim", "persistentvolumeclaims"),
            new Collected("apps", "v1", "Deployment", "deployments", true),
            new Collected("apps", "v1", "StatefulSet", "statefulsets", true),
            new Collected("coordination.k8s.io", "v1", "Lease", "leases", true),
            new Collected("networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies", true),
            EVENTS);

    void into(Bundle bundle) {
        for (Collected kind : OF_THE_CLUSTER) {
            objects(bundle, kind, Optional.empty(), "", object -> true);
        }
        for (Collected kind : OF_TENANTS) {
            objects(bundle, kind, only, "", object -> true);
        }
        for (Collected kind : BY_NAME) {
            objects(bundle, kind, Optional.empty(), "", Installation::isNamedAsOurs);
        }
        objects(bundle, Collected.core("Pod", "pods"), only, "of jobs", Installation::isOfAJob);
        objects(bundle, EVENTS, only, "of jobs", Installation::isAboutOurs);
        for (String namespace : namespaces()) {
            for (Collected kind : OF_OUR_NAMESPACES) {
                objects(bundle, kind, Optional.of(namespace), namespace, object -> true);
            }
            pods(bundle, namespace).forEach(pod -> {
                logs(bundle, pod);
                pages(bundle, pod);
            });
        }
    }

    private List<String> namespaces() {
        return Stream.of(operatorNamespace, driverNamespace).distinct().toList();
    }

    private void objects(
            Bundle bundle,
            Collected kind,
            Optional<String> namespace,
            String where,
            Predicate<GenericKubernetesResource> shown) {
        String folder = where.isEmpty() ? "" : where.replace(' ', '-') + "/";
        bundle.attempt(
                kind.name() + (where.isEmpty() ? "" : " " + (shown(where) ? where : "in " + where)),
                "objects/" + folder + kind.name() + ".yaml",
                () -> list(kind, namespace, shown));
    }

    private static boolean shown(String where) {
        return where.startsWith("of ");
    }

    private String list(Collected kind, Optional<String> namespace, Predicate<GenericKubernetesResource> shown) {
        var resources = cluster.client()
                .genericKubernetesResources(new ResourceDefinitionContext.Builder()
                        .withGroup(kind.group())
                        .withVersion(kind.version())
                        .withKind(kind.kind())
                        .withPlural(kind.plural())
                        .withNamespaced(kind.namespaced())
                        .build());
        List<GenericKubernetesResource> items = (kind.namespaced()
                        ? namespace
                                .map(resources::inNamespace)
                                .map(each -> each.list())
                                .orElseGet(() -> resources.inAnyNamespace().list())
                        : resources.list())
                .getItems();
        ObjectNode list = JsonNodeFactory.instance.objectNode();
        list.put("apiVersion", "v1");
        list.put("kind", "List");
        ArrayNode written = list.putArray("items");
        items.stream()
                .filter(shown)
                .sorted(Comparator.comparing((GenericKubernetesResource object) ->
                                String.valueOf(object.getMetadata().getNamespace()))
                        .thenComparing(object -> object.getMetadata().getName()))
                .forEach(object -> written.add(Scrubber.object(
                        cluster.client().getKubernetesSerialization().convertValue(object, ObjectNode.class))));
        return cluster.client().getKubernetesSerialization().asYaml(list);
    }

    private static boolean isNamedAsOurs(GenericKubernetesResource object) {
        String name = object.getMetadata().getName();
        return name.startsWith("lightpath-") || name.endsWith(".lightpath.dev");
    }

    private static boolean isOfAJob(GenericKubernetesResource pod) {
        return pod.getMetadata().getLabels() != null
                && pod.getMetadata().getLabels().containsKey(LightpathLabels.JOB);
    }

    private static boolean isAboutOurs(GenericKubernetesResource event) {
        return String.valueOf(event.<Object>get("involvedObject", "apiVersion")).startsWith("lightpath.dev/");
    }

    private List<Pod> pods(Bundle bundle, String namespace) {
        try {
            return cluster.client().pods().inNamespace(namespace).list().getItems();
        } catch (KubernetesClientException e) {
            // said when the objects were read
            return List.of();
        }
    }

    private void logs(Bundle bundle, Pod pod) {
        String name = pod.getMetadata().getName();
        if (pod.getStatus() == null) {
            return;
        }
        Stream.of(pod.getStatus().getInitContainerStatuses(), pod.getStatus().getContainerStatuses())
                .flatMap(Collection::stream)
                .forEach(container -> {
                    log(bundle, pod, container, false);
                    if (container.getRestartCount() > 0) {
                        log(bundle, pod, container, true);
                    }
                });
        if (pod.getStatus().getContainerStatuses().isEmpty()) {
            bundle.attempt("log of pod " + name, "", () -> {
                throw new BadInput("no container of it has started");
            });
        }
    }

    private void log(Bundle bundle, Pod pod, ContainerStatus container, boolean previous) {
        String name = pod.getMetadata().getName();
        String of = container.getName() + (previous ? ".previous" : "");
        bundle.attempt(
                "log of pod " + name + ", " + of,
                "logs/" + pod.getMetadata().getNamespace() + "/" + name + "/" + of + ".log",
                () -> {
                    var one = cluster.client()
                            .pods()
                            .inNamespace(pod.getMetadata().getNamespace())
                            .withName(name)
                            .inContainer(container.getName());
                    var which = previous ? one.terminated() : one;
                    return Scrubber.text(which.sinceSeconds((int) since.toSeconds())
                            .tailingLines(LINES)
                            .getLog());
                });
    }

    private void pages(Bundle bundle, Pod pod) {
        String name = pod.getMetadata().getName();
        var labels = pod.getMetadata().getLabels();
        if (labels == null
                || !"Running"
                        .equals(pod.getStatus() == null ? "" : pod.getStatus().getPhase())) {
            return;
        }
        if (OPERATOR.equals(labels.get(NAME))) {
            OperatorCall call = new OperatorCall(cluster, operatorNamespace);
            page(bundle, name, "metrics", ".txt", () -> call.read(pod, HttpQuestion.get("/q/metrics")));
            if (leads(call, name)) {
                page(bundle, name, "view", ".json", () -> call.read(pod, HttpQuestion.get("/view")));
            }
        } else if ("driver".equals(labels.get(COMPONENT))) {
            PodHttp http = new PodHttp(cluster.client(), pod, "the driver", DRIVER_PORT);
            for (String path : List.of("health", "metrics")) {
                page(bundle, name, path, ".txt", () -> http.read(HttpQuestion.get("/" + path), Optional.empty()));
            }
            page(
                    bundle,
                    name,
                    "audit",
                    ".jsonl",
                    () -> http.read(HttpQuestion.get("/audit?lines=1000"), Optional.empty()));
            page(bundle, name, "journal", ".json", () -> http.read(HttpQuestion.get("/journal"), Optional.empty()));
        }
    }

    /** Only the leader has a view. */
    private static boolean leads(OperatorCall call, String name) {
        try {
            return call.leader()
                    .filter(leader -> leader.getMetadata().getName().equals(name))
                    .isPresent();
        } catch (KubernetesClientException e) {
            // who may not know is told so by the request
            return true;
        }
    }

    private static void page(
            Bundle bundle, String pod, String page, String ending, java.util.function.Supplier<String> read) {
        bundle.attempt(page + " of pod " + pod, "pages/" + pod + "/" + page + ending, () -> Scrubber.text(read.get()));
    }
}
