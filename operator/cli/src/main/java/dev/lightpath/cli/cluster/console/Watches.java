package dev.lightpath.cli.cluster.console;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.OperatorOptions;
import dev.lightpath.cli.cluster.access.OperatorView;
import dev.lightpath.console.History;
import dev.lightpath.console.Look;
import dev.lightpath.console.ReadBack;
import dev.lightpath.console.Seen;
import dev.lightpath.console.Sight;
import dev.lightpath.console.report.Leader;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.ApiGroup;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as its watches tell it, looked at anew after each burst of changes. What the user may not read is left
 * out and told of once.
 */
final class Watches implements AutoCloseable {
    /** Changes within this time are one. */
    private static final Duration BURST = Duration.ofMillis(100);
    /** How often the devices are asked for while someone looks: circuits may go dark without a change of any object. */
    private static final Duration READ_BACK = Duration.ofSeconds(5);
    /** After an operator that did not answer. */
    private static final Duration READ_BACK_AGAIN = Duration.ofSeconds(30);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Cluster api;
    private final OperatorOptions operator;
    private final Consumer<String> remark;
    private final History history = new History(Instant.now());
    private final List<SharedIndexInformer<?>> informers = new ArrayList<>();
    private final CopyOnWriteArrayList<Consumer<Set<String>>> viewers = new CopyOnWriteArrayList<>();
    private final SharedIndexInformer<OpticalFabric> fabrics;
    private final SharedIndexInformer<OpticalSwitch> switches;
    private final SharedIndexInformer<TrainingJob> jobs;
    private final SharedIndexInformer<FabricSlice> slices;
    private final SharedIndexInformer<Node> nodes;
    private final SharedIndexInformer<Event> events;
    private final Thread looker;
    private final Thread reader;

    // guarded by this
    private Set<String> changed = new TreeSet<>();
    private Map<String, ReadBack> light = Map.of();
    private Optional<Leader> leader = Optional.empty();
    private boolean unread;
    private boolean closed;

    private volatile @Nullable Seen seen;

    private Watches(Cluster api, Optional<String> namespace, OperatorOptions operator, Consumer<String> remark) {
        this.api = api;
        this.operator = operator;
        this.remark = remark;
        KubernetesClient client = api.client();
        fabrics = watch("fabrics", client.resources(OpticalFabric.class));
        switches = watch("switches", client.resources(OpticalSwitch.class));
        jobs = watch(
                "jobs",
                namespace
                        .<Informable<TrainingJob>>map(client.resources(TrainingJob.class)::inNamespace)
                        .orElseGet(client.resources(TrainingJob.class)::inAnyNamespace));
        slices = watch(
                "slices",
                namespace
                        .<Informable<FabricSlice>>map(client.resources(FabricSlice.class)::inNamespace)
                        .orElseGet(client.resources(FabricSlice.class)::inAnyNamespace));
        nodes = watch("nodes", client.nodes());
        events = watch(
                "events",
                client.v1()
                        .events()
                        .inAnyNamespace()
                        .withField("involvedObject.apiVersion", ApiGroup.NAME + "/" + ApiGroup.VERSION));
        leader = api.leader(operator.namespace(), Instant.now());
        look(Set.of("all"));
        looker = Thread.ofVirtual().name("console-look").unstarted(this::lookOn);
        reader = Thread.ofVirtual().name("console-read-back").unstarted(this::readOn);
    }

    /**
     * Lists everything once, and goes on watching.
     *
     * @param remark takes lines for the person who started it
     */
    static Watches over(Cluster api, Optional<String> namespace, OperatorOptions operator, Consumer<String> remark) {
        Watches watches = new Watches(api, namespace, operator, remark);
        watches.looker.start();
        watches.reader.start();
        return watches;
    }

    private <T extends HasMetadata> SharedIndexInformer<T> watch(String kind, Informable<T> resources) {
        SharedIndexInformer<T> informer = resources.runnableInformer(0);
        informer.exceptionHandler((started, failure) -> started);
        informer.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(T now) {
                changed(kind);
            }

            @Override
            public void onUpdate(T before, T now) {
                if (matters(before, now)) {
                    changed(kind);
                }
            }

            @Override
            public void onDelete(T gone, boolean unknown) {
                changed(kind);
            }
        });
        informers.add(informer);
        try {
            informer.start().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | CompletionException e) {
            if (e.getCause() instanceof KubernetesClientException refused
                    && refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                remark.accept("lightpath: " + kind + " are left out: you may not list and watch them");
            } else if (e.getCause() instanceof KubernetesClientException failed) {
                throw failed;
            } else {
                throw new IllegalStateException("the watch of " + kind + " did not start", e);
            }
        } catch (TimeoutException e) {
            throw new BadInput("the API server did not list the " + kind + " within " + PATIENCE.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BadInput("interrupted while listing the " + kind, e);
        }
        return informer;
    }

    /** Heartbeats change a node every few seconds, and nothing that is shown. */
    private static <T extends HasMetadata> boolean matters(T before, T now) {
        return before instanceof Node was && now instanceof Node is
                ? !dev.lightpath.reading.node.NodeSketch.of(was).equals(dev.lightpath.reading.node.NodeSketch.of(is))
                : !java.util.Objects.equals(
                        before.getMetadata().getResourceVersion(),
                        now.getMetadata().getResourceVersion());
    }

    private synchronized void changed(String kind) {
        changed.add(kind);
        unread = true;
        notifyAll();
    }

    /** What was seen last. */
    Seen seen() {
        return java.util.Objects.requireNonNull(seen);
    }

    /** Tells a viewer after each change what kinds of things changed; from a thread of its own, which must not wait. */
    Runnable follow(Consumer<Set<String>> viewer) {
        viewers.add(viewer);
        synchronized (this) {
            unread = true;
            notifyAll();
        }
        return () -> viewers.remove(viewer);
    }

    private void look(Set<String> what) {
        Map<String, ReadBack> shown;
        Optional<Leader> leads;
        synchronized (this) {
            shown = light;
            leads = leader;
        }
        Look now = new Look(
                Instant.now(),
                leads,
                fabrics.getStore().list(),
                switches.getStore().list(),
                jobs.getStore().list(),
                slices.getStore().list(),
                nodes.getStore().list(),
                events.getStore().list(),
                shown,
                Sight.ALL);
        seen = history.add(now);
        viewers.forEach(viewer -> viewer.accept(what));
    }

    private void lookOn() {
        try {
            while (true) {
                synchronized (this) {
                    while (changed.isEmpty() && !closed) {
                        wait();
                    }
                    if (closed) {
                        return;
                    }
                }
                Thread.sleep(BURST);
                Set<String> what;
                synchronized (this) {
                    what = changed;
                    changed = new TreeSet<>();
                }
                look(what);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks the operator what it read back, while someone looks. */
    private void readOn() {
        boolean told = false;
        try {
            while (true) {
                synchronized (this) {
                    while (viewers.isEmpty() && !closed) {
                        wait();
                    }
                    if (closed) {
                        return;
                    }
                    unread = false;
                }
                Duration pause = READ_BACK;
                try {
                    read(operator.view(api));
                } catch (BadInput | KubernetesClientException e) {
                    pause = READ_BACK_AGAIN;
                    if (!told) {
                        told = true;
                        remark.accept("lightpath: circuits are shown as recorded: " + e.getMessage());
                    }
                    read(null);
                }
                long until = System.nanoTime() + pause.toNanos();
                synchronized (this) {
                    // a change is followed by its light within a second; nothing changes at rest
                    while (!closed && until - System.nanoTime() > 0 && !(unread && pause.equals(READ_BACK))) {
                        wait(Math.max(1, Math.min(1000, (until - System.nanoTime()) / 1_000_000)));
                    }
                }
                Thread.sleep(500);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(@Nullable OperatorView view) {
        Map<String, ReadBack> read = new HashMap<>();
        if (view != null) {
            view.fabrics().forEach(fabric -> {
                Map<String, ReadBack.DeviceLight> devices = new HashMap<>();
                fabric.devices()
                        .forEach(device -> devices.put(
                                device.device(),
                                new ReadBack.DeviceLight(device.presence(), device.observed(), device.measured())));
                read.put(fabric.name(), new ReadBack(view.at(), fabric.foreign(), devices));
            });
        }
        Optional<Leader> leads = leads();
        synchronized (this) {
            if (!sameLight(light, read)) {
                changed.add("light");
            }
            if (!leads.map(Leader::leads).equals(leader.map(Leader::leads))) {
                changed.add("leader");
            }
            light = read;
            leader = leads;
            notifyAll();
        }
    }

    /** As it was while the API server does not answer. */
    private Optional<Leader> leads() {
        try {
            return api.leader(operator.namespace(), Instant.now());
        } catch (KubernetesClientException e) {
            synchronized (this) {
                return leader;
            }
        }
    }

    private static boolean sameLight(Map<String, ReadBack> before, Map<String, ReadBack> now) {
        return before.keySet().equals(now.keySet())
                && before.entrySet().stream().allMatch(each -> {
                    ReadBack is = java.util.Objects.requireNonNull(now.get(each.getKey()));
                    return is.devices().equals(each.getValue().devices())
                            && is.foreign().equals(each.getValue().foreign());
                });
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        informers.forEach(SharedIndexInformer::close);
    }
}
