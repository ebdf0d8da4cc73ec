package dev.lightpath.cli.cluster.access;

import dev.lightpath.console.forecast.NamedObjects;
import dev.lightpath.console.report.Leader;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.ApiGroup;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.pod.Controller;
import dev.lightpath.reading.pod.PodAttribution;
import dev.lightpath.reading.pod.PodUse;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Listable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The API server, read. Lists are sorted by namespace and name.
 *
 * @param client connected
 * @param namespace of objects named without one
 */
public record Cluster(KubernetesClient client, String namespace) implements NamedObjects {
    private static final Comparator<HasMetadata> BY_NAME = Comparator.comparing(
                    (HasMetadata object) -> String.valueOf(object.getMetadata().getNamespace()))
            .thenComparing(object -> object.getMetadata().getName());

    public List<OpticalFabric> fabrics() {
        return list(OpticalFabric.class, client.resources(OpticalFabric.class));
    }

    public List<OpticalSwitch> switches() {
        return list(OpticalSwitch.class, client.resources(OpticalSwitch.class));
    }

    /** @param only of this namespace, of all when empty */
    public List<TrainingJob> jobs(Optional<String> only) {
        return list(TrainingJob.class, in(client.resources(TrainingJob.class), only));
    }

    /** @param only of this namespace, of all when empty */
    public List<FabricSlice> slices(Optional<String> only) {
        return list(FabricSlice.class, in(client.resources(FabricSlice.class), only));
    }

    public List<Node> nodes() {
        return list(Node.class, client.nodes());
    }

    /** Which job's light the pods of all namespaces use, as the operator tells it: by what controls them. */
    public PodAttribution attributed(List<TrainingJob> jobs, List<FabricSlice> slices, List<Node> nodes) {
        Map<String, TrainingJob> known = new HashMap<>();
        jobs.forEach(job -> known.put(
                job.getMetadata().getNamespace() + "/" + job.getMetadata().getName(), job));
        Map<String, Optional<Controller>> batchJobs = new HashMap<>();
        list(Job.class, client.batch().v1().jobs().inAnyNamespace())
                .forEach(job -> batchJobs.put(job.getMetadata().getUid(), Controller.of(job)));
        Set<String> names =
                nodes.stream().map(node -> node.getMetadata().getName()).collect(Collectors.toSet());
        return PodAttribution.of(
                list(Pod.class, client.pods().inAnyNamespace()).stream().map(PodUse::of),
                batchJobs,
                known::get,
                slices,
                names::contains);
    }

    /** Pods of the namespace that carry the label. */
    public List<Pod> pods(String of, String label, String value) {
        return list(Pod.class, client.pods().inNamespace(of).withLabel(label, value));
    }

    public OpticalFabric fabric(String name) {
        return found(
                "fabric",
                name,
                fabrics(),
                client.resources(OpticalFabric.class).withName(name).get());
    }

    @Override
    public Optional<PriorityClass> priorityClass(String name) {
        return Optional.ofNullable(
                client.scheduling().v1().priorityClasses().withName(name).get());
    }

    @Override
    public Optional<Namespace> namespace(String name) {
        return Optional.ofNullable(client.namespaces().withName(name).get());
    }

    @Override
    public Optional<ConfigMap> configMap(String of, String name) {
        return Optional.ofNullable(
                client.configMaps().inNamespace(of).withName(name).get());
    }

    public OpticalSwitch opticalSwitch(String name) {
        return found(
                "switch",
                name,
                switches(),
                client.resources(OpticalSwitch.class).withName(name).get());
    }

    public TrainingJob job(String name) {
        TrainingJob job = client.resources(TrainingJob.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
        if (job != null) {
            return job;
        }
        List<String> others = jobs(Optional.of(namespace)).stream()
                .map(known -> known.getMetadata().getName())
                .toList();
        throw BadInput.unknown("TrainingJob", name, " in namespace " + namespace, others);
    }

    public Node node(String name) {
        Node node = client.nodes().withName(name).get();
        if (node == null) {
            throw new BadInput("there is no node " + name);
        }
        return node;
    }

    /** The epoch counter of the operator in a namespace. */
    public @Nullable ConfigMap epoch(String of) {
        return client.configMaps()
                .inNamespace(of)
                .withName(LightpathNames.EPOCH_CONFIG_MAP)
                .get();
    }

    /** The last epoch that the operator of a namespace gave; empty where one may not ask, or none was given. */
    public OptionalLong lastEpoch(String of) {
        ConfigMap stored;
        try {
            stored = epoch(of);
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return OptionalLong.empty();
            }
            throw e;
        }
        String told = stored == null || stored.getData() == null
                ? null
                : stored.getData().get(LightpathNames.EPOCH_KEY);
        if (told == null) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(told));
        } catch (NumberFormatException e) {
            throw new BadInput("ConfigMap " + of + "/" + LightpathNames.EPOCH_CONFIG_MAP + ": data.epoch is '" + told
                    + "'; allowed is a whole number");
        }
    }

    /** Who leads in a namespace; empty where one may not ask, as most users may not. */
    public Optional<Leader> leader(String of, Instant now) {
        try {
            return Optional.of(Leader.of(
                    of,
                    client.leases()
                            .inNamespace(of)
                            .withName(LightpathNames.LEASE)
                            .get(),
                    now));
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static <T extends HasMetadata> T found(String kind, String name, List<T> known, @Nullable T object) {
        if (object != null) {
            return object;
        }
        throw BadInput.unknown(
                kind,
                name,
                "",
                known.stream().map(each -> each.getMetadata().getName()).toList());
    }

    /**
     * Whether the caller may do something with objects of Lightpath in a namespace.
     *
     * @param object null where it has no name yet, or all are meant
     */
    public boolean may(String verb, String resource, String in, @Nullable String object) {
        return client.authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(new SelfSubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withNewResourceAttributes()
                        .withGroup(ApiGroup.NAME)
                        .withResource(resource)
                        .withNamespace(in)
                        .withName(object)
                        .withVerb(verb)
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed();
    }

    private static <T extends HasMetadata, L extends KubernetesResourceList<T>> Listable<L> in(
            MixedOperation<T, L, Resource<T>> resources, Optional<String> only) {
        return only.<Listable<L>>map(resources::inNamespace).orElseGet(resources::inAnyNamespace);
    }

    private static <T extends HasMetadata> List<T> list(
            Class<T> type, Listable<? extends KubernetesResourceList<T>> resources) {
        try {
            return resources.list().getItems().stream().sorted(BY_NAME).toList();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                throw new BadInput(
                        "the API server knows no " + HasMetadata.getFullResourceName(type)
                                + ": install Lightpath's resources first"
                                + " (docs/install.md)",
                        e);
            }
            throw e;
        }
    }
}
