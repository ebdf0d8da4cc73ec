package dev.lightpath.crds.apiserver;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Whatever tests made in a cluster without controllers, of every kind that its API server has. What the API server
 * makes for itself, and the resources of Lightpath, are none of it.
 */
final class Leftovers {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final long PATIENCE_SECONDS = 180;
    private static final long PATIENCE_WITH_A_DEFINITION_SECONDS = 60;
    private static final String POLICIES = "admissionregistration.k8s.io";
    private static final String DEFINITIONS = "apiextensions.k8s.io";
    /** Of these the API server keeps its own, and tests make none. */
    private static final Set<String> NOBODYS =
            Set.of("flowcontrol.apiserver.k8s.io", "apiregistration.k8s.io", "events.k8s.io", "metrics.k8s.io");

    private static final Set<String> NOBODYS_KINDS =
            Set.of("ComponentStatus", "ServiceCIDR", "IPAddress", "Endpoints", "EndpointSlice");

    private final KubernetesClient client;

    private record Kind(String group, APIResource of, ResourceDefinitionContext context) {
        boolean is(String kind) {
            return of.getKind().equals(kind);
        }
    }

    Leftovers(KubernetesClient client) {
        this.client = client;
    }

    /** Takes all of it away, without asking finalizers. No policy of before refuses anything afterwards. */
    void remove() {
        boolean ruled = kinds().stream()
                .anyMatch(kind ->
                        kind.group().equals(POLICIES) && left(kind).findAny().isPresent());
        removeAll();
        if (ruled) {
            new PolicyProbe(client).awaitPoliciesAsWritten();
        }
    }

    /** A policy that refuses a deletion does so for a moment after its own end. */
    private void removeAll() {
        long begun = System.nanoTime();
        while (true) {
            try {
                removeOnce();
                return;
            } catch (KubernetesClientException e) {
                if (System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            }
        }
    }

    private void removeOnce() {
        kinds().stream().sorted(Comparator.comparingInt(Leftovers::turn)).forEach(this::remove);
    }

    /** What refuses deletions goes first, definitions once nothing holds them, and namespaces once they are empty. */
    private static int turn(Kind kind) {
        if (kind.group().equals(POLICIES)) {
            return 0;
        }
        if (kind.group().equals(DEFINITIONS)) {
            return 2;
        }
        return kind.is("Namespace") ? 3 : 1;
    }

    /** Names of all there is, events aside, as kind/namespace/name. */
    List<String> names() {
        return kinds().stream()
                .flatMap(kind -> left(kind)
                        .map(object ->
                                kind.of().getKind() + "/" + object.getMetadata().getNamespace() + "/"
                                        + object.getMetadata().getName()))
                .sorted()
                .toList();
    }

    private List<Kind> kinds() {
        List<Kind> kinds = new ArrayList<>();
        Stream.concat(
                        Stream.of(Map.entry("", "v1")),
                        client.getApiGroups().getGroups().stream()
                                .map(group -> Map.entry(
                                        group.getName(),
                                        group.getPreferredVersion().getVersion())))
                .filter(group -> !NOBODYS.contains(group.getKey()))
                .forEach(group -> {
                    String version =
                            group.getKey().isEmpty() ? group.getValue() : group.getKey() + "/" + group.getValue();
                    APIResourceList of = client.getApiResources(version);
                    // none of a group whose last definition went just now
                    (of == null ? List.<APIResource>of() : of.getResources())
                            .stream()
                                    .filter(kind -> kind.getVerbs().containsAll(List.of("list", "delete"))
                                            && !kind.getName().contains("/")
                                            && !NOBODYS_KINDS.contains(kind.getKind()))
                                    .map(kind -> new Kind(
                                            group.getKey(), kind, context(group.getKey(), group.getValue(), kind)))
                                    .forEach(kinds::add);
                });
        return kinds;
    }

    private static ResourceDefinitionContext context(String group, String version, APIResource of) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion(version)
                .withKind(of.getKind())
                .withPlural(of.getName())
                .withNamespaced(of.getNamespaced())
                .build();
    }

    private void remove(Kind kind) {
        if (kind.is("Event")) {
            removeEvents(kind);
            return;
        }
        left(kind).forEach(object -> {
            try {
                remove(kind, object);
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                    throw e;
                }
            }
        });
    }

    /** All of a namespace at once, as there are many. They outlast their namespace. */
    private void removeEvents(Kind kind) {
        var events = client.genericKubernetesResources(kind.context());
        events.inAnyNamespace().list().getItems().stream()
                .map(event -> event.getMetadata().getNamespace())
                .distinct()
                .forEach(namespace -> events.inNamespace(namespace).delete());
    }

    private void remove(Kind kind, GenericKubernetesResource object) {
        var resource = client.genericKubernetesResources(kind.context()).resource(object);
        if (!object.getMetadata().getFinalizers().isEmpty() && !kind.group().equals(DEFINITIONS)) {
            resource.patch(MERGE, "{\"metadata\":{\"finalizers\":null}}");
        }
        resource.withGracePeriod(0).delete();
        if (kind.is("Namespace")) {
            String name = object.getMetadata().getName();
            client.raw(
                    "/api/v1/namespaces/" + name + "/finalize",
                    "PUT",
                    "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + name
                            + "\"},\"spec\":{\"finalizers\":[]}}");
        }
        if (kind.group().equals(DEFINITIONS)) {
            resource.waitUntilCondition(Objects::isNull, PATIENCE_WITH_A_DEFINITION_SECONDS, TimeUnit.SECONDS);
        }
    }

    private Stream<GenericKubernetesResource> left(Kind kind) {
        if (kind.is("Event")) {
            return Stream.empty();
        }
        var all = client.genericKubernetesResources(kind.context());
        return (kind.of().getNamespaced() ? all.inAnyNamespace() : all)
                .list().getItems().stream().filter(object -> !isKept(kind, object));
    }

    private static boolean isKept(Kind kind, GenericKubernetesResource object) {
        String name = object.getMetadata().getName();
        String namespace = Objects.requireNonNullElse(object.getMetadata().getNamespace(), "");
        Map<String, String> labels =
                Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
        return namespace.startsWith("kube-")
                || labels.containsKey("kubernetes.io/bootstrapping")
                || kind.is("Namespace") && (name.equals("default") || name.startsWith("kube-"))
                || kind.is("Service") && namespace.equals("default") && name.equals("kubernetes")
                || kind.is("PriorityClass") && name.startsWith("system-")
                || kind.group().equals(DEFINITIONS) && name.endsWith(".lightpath.dev");
    }
}
