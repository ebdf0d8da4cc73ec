package dev.lightpath.benchmarks.whole;

import static dev.lightpath.benchmarks.whole.Speed.say;

import dev.lightpath.benchmarks.Samples;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.GroupAllocation;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How soon pods are told of light that changed: from the moment at which a watch shows the new record until one shows
 * the annotation of a pod whose light is another by it. The kubelet makes {@code light.json} of that annotation; its
 * own delay is none of the operator's, and is not in it. Nobody else schedules or runs pods here: what a scheduler and
 * a kubelet would write is written at once.
 */
final class LightFileTrial implements AutoCloseable {
    private static final List<Integer> PODS = List.of(64, 256);
    private static final int MANY = 8;
    private static final int WARM_UP = 2;
    private static final String JOB = "lightpath.dev/job";
    private static final Pattern REVISION = Pattern.compile("\"revision\":\\s*([0-9]+)");

    private final Site site;
    private final Trial trial;
    private final Ring ring;
    private final Random random = new Random(1);
    /** Job to revision to what was recorded. */
    private final ConcurrentMap<String, ConcurrentNavigableMap<Long, Recorded>> records = new ConcurrentHashMap<>();
    /** Uid of a pod to revision to when its annotation first said so. */
    private final ConcurrentMap<String, ConcurrentNavigableMap<Long, Long>> told = new ConcurrentHashMap<>();

    private final Set<String> scheduled = ConcurrentHashMap.newKeySet();
    private final ExecutorService cluster = Executors.newFixedThreadPool(8);
    private final SharedIndexInformer<FabricSlice> slices;
    private final SharedIndexInformer<Pod> pods;

    /** @param places by rank */
    private record Recorded(long nanos, List<Place> places) {}

    /** A node and those it has light to. */
    private record Place(String node, List<String> beside) {}

    private record Seen<T>(Consumer<T> look) implements ResourceEventHandler<T> {
        @Override
        public void onAdd(T object) {
            look.accept(object);
        }

        @Override
        public void onUpdate(T before, T object) {
            look.accept(object);
        }

        @Override
        public void onDelete(T object, boolean unknown) {}
    }

    LightFileTrial(Site site, Trial trial) {
        this.site = site;
        this.trial = trial;
        this.ring = new Ring(site.size.nodes());
        slices = site.client()
                .resources(FabricSlice.class)
                .inNamespace(Manifests.NAMESPACE)
                .inform(new Seen<>(this::recorded));
        pods = site.client()
                .pods()
                .inNamespace(Manifests.NAMESPACE)
                .withLabel(JOB)
                .inform(new Seen<>(this::seen));
    }

    private void recorded(FabricSlice slice) {
        long now = System.nanoTime();
        if (slice.getSpec().job() != null
                && slice.getStatus() != null
                && slice.getStatus().allocation() != null) {
            records.computeIfAbsent(slice.getSpec().job().name(), none -> new ConcurrentSkipListMap<>())
                    .putIfAbsent(
                            slice.getStatus().allocation().revision(),
                            new Recorded(
                                    now, places(slice.getStatus().allocation().groups())));
        }
    }

    private static List<Place> places(List<GroupAllocation> groups) {
        List<Place> places = new ArrayList<>();
        groups.stream().sorted(Comparator.comparingInt(GroupAllocation::index)).forEach(group -> {
            List<String> nodes = group.nodes();
            for (int i = 0; i < nodes.size(); i++) {
                List<String> beside = new ArrayList<>(nodes.subList(Math.max(0, i - 1), i));
                beside.addAll(nodes.subList(i + 1, Math.min(nodes.size(), i + 2)));
                places.add(new Place(nodes.get(i), beside));
            }
        });
        return places;
    }

    private void seen(Pod pod) {
        long now = System.nanoTime();
        if (pod.getSpec().getNodeName() != null) {
            revision(pod)
                    .ifPresent(revision -> told.computeIfAbsent(uid(pod), none -> new ConcurrentSkipListMap<>())
                            .putIfAbsent(revision, now));
        } else if (pod.getSpec().getSchedulingGates().isEmpty() && scheduled.add(uid(pod))) {
            cluster.execute(() -> run(pod));
        }
    }

    private static String uid(Pod pod) {
        return pod.getMetadata().getUid();
    }

    private static OptionalLong revision(Pod pod) {
        @Nullable Map<String, String> annotations = pod.getMetadata().getAnnotations();
        Matcher revision =
                REVISION.matcher(annotations == null ? "" : annotations.getOrDefault("lightpath.dev/light", ""));
        return revision.find() ? OptionalLong.of(Long.parseLong(revision.group(1))) : OptionalLong.empty();
    }

    /** As a scheduler and a kubelet would. */
    private void run(Pod pod) {
        try {
            bind(pod);
            var unused = site.client()
                    .pods()
                    .inNamespace(Manifests.NAMESPACE)
                    .withName(pod.getMetadata().getName())
                    .subresource("status")
                    .patch(Trial.MERGE, "{\"status\": {\"phase\": \"Running\"}}");
        } catch (RuntimeException e) {
            say(pod.getMetadata().getName() + " does not run: " + e);
        }
    }

    private void bind(Pod pod) {
        var unused = site.client()
                .bindings()
                .inNamespace(Manifests.NAMESPACE)
                .resource(new BindingBuilder()
                        .withNewMetadata()
                        .withName(pod.getMetadata().getName())
                        .endMetadata()
                        .withNewTarget()
                        .withApiVersion("v1")
                        .withKind("Node")
                        .withName(pinned(pod))
                        .endTarget()
                        .build())
                .create();
    }

    private static String pinned(Pod pod) {
        return pod
                .getSpec()
                .getAffinity()
                .getNodeAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .getNodeSelectorTerms()
                .stream()
                .flatMap(term -> term.getMatchFields().stream())
                .map(NodeSelectorRequirement::getValues)
                .map(List::getFirst)
                .findFirst()
                .orElseThrow();
    }

    /** Returns a table. */
    String run() {
        say("jobs of " + PODS + " pods");
        for (int count : PODS) {
            String job = job(count);
            Site.each(IntStream.range(0, count).boxed().toList(), rank -> create(job, rank));
            site.apply(Manifests.jobOfPods(site.size, job, count));
        }
        PODS.forEach(this::untilWhole);
        trial.openSpares();
        trial.settle(3);
        StringBuilder rows = new StringBuilder("\n| from the record to the annotation, p50 / p99 / max (samples) |");
        PODS.forEach(count -> rows.append(" %d pods |".formatted(count)));
        rows.append("\n|---|").append("---|".repeat(PODS.size())).append('\n');
        row(rows, "a node fails", 1, this::failNode, this::mendNode);
        row(
                rows,
                "a port fails",
                1,
                member -> site.light.failPort(member.node(), member.path()),
                member -> site.light.heal(member.node()));
        row(rows, MANY + " nodes fail at once", MANY, this::failNode, this::mendNode);
        return rows.toString();
    }

    private void row(
            StringBuilder rows, String what, int many, Consumer<Ring.Member> breaks, Consumer<Ring.Member> mends) {
        rows.append("| ").append(what).append(" |");
        int faults = Math.ceilDiv(site.size.faults(), many == 1 ? 1 : 2);
        for (int count : PODS) {
            Samples samples = new Samples();
            try {
                for (int i = -WARM_UP; i < faults; i++) {
                    fault(count, members(job(count), many), breaks, mends, i < 0 ? new Samples() : samples);
                }
            } catch (IllegalStateException e) {
                say(what + ", " + count + " pods: " + e.getMessage());
                rows.append(" NOT MEASURED |");
                continue;
            }
            say(what + ", " + count + " pods: " + samples + ", " + faults + " times");
            rows.append(' ').append(samples).append(" |");
        }
        rows.append('\n');
    }

    private void failNode(Ring.Member member) {
        trial.markFaulty(member);
    }

    private void mendNode(Ring.Member member) {
        trial.markWell(member);
    }

    private void fault(
            int count,
            List<Ring.Member> members,
            Consumer<Ring.Member> breaks,
            Consumer<Ring.Member> mends,
            Samples samples) {
        String job = job(count);
        Map<Integer, Pod> before = running(job);
        long revision = records(job).lastKey();
        Set<String> broken = new HashSet<>();
        members.forEach(member -> broken.add(member.node()));
        Site.each(members, breaks);
        Patience.until(
                "a record of " + job + " after the fault of " + broken,
                60,
                () -> records(job).lastKey() > revision);
        Patience.until("the pods of " + job + " are told", 60, () -> isTold(job, before, revision));
        Site.each(members, mends);
        renew(job);
        untilWhole(count);
        Patience.until("the pods of " + job + " are told all", 60, () -> isTold(job, before, revision));
        news(job, before, revision)
                .forEach((pod, since) -> samples.addNanos(Math.max(
                        0,
                        Objects.requireNonNull(toldAt(pod, since))
                                - record(job, since).nanos())));
        Patience.sleepMillis(site.size.breathMillis());
    }

    private boolean isTold(String job, Map<Integer, Pod> before, long revision) {
        return news(job, before, revision).entrySet().stream()
                .allMatch(pod -> toldAt(pod.getKey(), pod.getValue()) != null);
    }

    /** When the pod of a uid was told of a revision, or of a later one. */
    private @Nullable Long toldAt(String pod, long since) {
        ConcurrentNavigableMap<Long, Long> revisions = told.getOrDefault(pod, new ConcurrentSkipListMap<>());
        return revisions.tailMap(since).values().stream().findFirst().orElse(null);
    }

    /**
     * Uids of the pods that keep their place and have other light, with the first later revision that says so. A rank
     * that moves to another node gets a new pod, which is told before it starts.
     */
    private Map<String, Long> news(String job, Map<Integer, Pod> before, long revision) {
        Map<String, Long> news = new HashMap<>();
        List<Place> were = record(job, revision).places();
        List<Place> last = latest(job);
        before.forEach((rank, pod) -> {
            Place was = were.get(rank);
            Place is = last.get(rank);
            if (is.node().equals(was.node()) && !is.equals(was)) {
                records(job).tailMap(revision, false).entrySet().stream()
                        .filter(later -> !later.getValue().places().get(rank).equals(was))
                        .findFirst()
                        .ifPresent(later -> news.put(uid(pod), later.getKey()));
            }
        });
        return news;
    }

    /** Pods whose rank has another node now end, and others of their names begin. */
    private void renew(String job) {
        List<Place> places = latest(job);
        List<Integer> moved = new ArrayList<>();
        running(job).forEach((rank, pod) -> {
            if (!pod.getSpec().getNodeName().equals(places.get(rank).node())) {
                moved.add(rank);
            }
        });
        Site.each(moved, rank -> {
            site.client()
                    .pods()
                    .inNamespace(Manifests.NAMESPACE)
                    .withName(job + "-" + rank)
                    .withGracePeriod(0)
                    .delete();
            create(job, rank);
        });
    }

    private void untilWhole(int count) {
        String job = job(count);
        Patience.until(job + " is Ready, and its pods run where the record has them", 300, () -> {
            Map<Integer, Pod> running = running(job);
            List<Place> places = running.isEmpty() ? List.of() : latest(job);
            return running.size() == count
                    && running.entrySet().stream()
                            .allMatch(pod -> pod.getValue()
                                    .getSpec()
                                    .getNodeName()
                                    .equals(places.get(pod.getKey()).node()))
                    && isReady(job);
        });
    }

    private boolean isReady(String name) {
        TrainingJob job = site.client()
                .resources(TrainingJob.class)
                .inNamespace(Manifests.NAMESPACE)
                .withName(name)
                .get();
        return job != null && Trial.isReady(job);
    }

    /** The pods that are bound, by rank. */
    private Map<Integer, Pod> running(String job) {
        Map<Integer, Pod> running = new HashMap<>();
        pods.getStore().list().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith(job + "-")
                        && pod.getSpec().getNodeName() != null)
                .forEach(pod ->
                        running.put(Integer.valueOf(pod.getMetadata().getName().substring(job.length() + 1)), pod));
        return running;
    }

    private ConcurrentNavigableMap<Long, Recorded> records(String job) {
        return records.getOrDefault(job, new ConcurrentSkipListMap<>());
    }

    private Recorded record(String job, long revision) {
        return Objects.requireNonNull(records(job).get(revision));
    }

    private List<Place> latest(String job) {
        return record(job, records(job).lastKey()).places();
    }

    /** Inner nodes that are not close to each other. */
    private List<Ring.Member> members(String job, int count) {
        List<Ring.Member> members = new ArrayList<>(ring.members(slices.getStore().list().stream()
                .filter(slice -> slice.getSpec().job() != null
                        && slice.getSpec().job().name().equals(job))
                .toList()));
        Collections.shuffle(members, random);
        List<Ring.Member> chosen = new ArrayList<>();
        Set<String> near = new HashSet<>();
        for (Ring.Member member : members) {
            if (chosen.size() < count && !near.contains(member.node())) {
                chosen.add(member);
                for (int step = -2; step <= 2; step++) {
                    near.add("n" + Math.floorMod(member.position() + step, site.size.nodes()));
                }
            }
        }
        return chosen;
    }

    private void create(String job, int rank) {
        site.create(Manifests.gatedPod(site.size, job, rank), Pod.class);
    }

    private static String job(int pods) {
        return "lit-" + pods;
    }

    @Override
    public void close() {
        slices.close();
        pods.close();
        cluster.shutdownNow();
    }
}
