package dev.lightpath.app.job.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.app.job.facts.FabricFacts;
import dev.lightpath.app.job.facts.FabricGeometry;
import dev.lightpath.app.job.facts.JobFacts;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.crds.job.Parallelism;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Announcement;
import dev.lightpath.crds.slice.AnnouncementAnswer;
import dev.lightpath.crds.slice.ChosenCircuits;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.ScaleOutDemand;
import dev.lightpath.planner.ask.Deal;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.ring.BundlePath;
import dev.lightpath.planner.ring.PortMap;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.reading.AgreementReader;
import dev.lightpath.reading.TrafficReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the processes of each pod may know of their light: the content of {@code light.json}, described by
 * {@code docs/reference/light.schema.json}. It follows from the records, so it changes with them, and never on its own.
 */
public final class LightFile {
    /** Of the format; raised when a field changes its meaning or goes. */
    static final int VERSION = 1;

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final ObjectMapper JSON_WORDS = new ObjectMapper();
    private static final Pattern REVISION = Pattern.compile("\"revision\":[0-9]+");

    private final JobFacts facts;
    private final List<RankedNode> ranked;
    private final Map<String, Integer> ranks = new HashMap<>();
    private final Optional<PodHosts> hosts;
    private final Map<String, Circuits> circuits = new HashMap<>();
    /** Groups of each node, by slice. */
    private final Map<String, Map<String, List<Member>>> members = new HashMap<>();

    /** @param place in the group, from 0 */
    private record Member(GroupAllocation group, int place) {}

    /** Once all has moved that was announced; empty where nothing waits for that. */
    private final Optional<LightFile> then;

    private LightFile(JobFacts facts) {
        this.facts = facts;
        this.then = facts.current().stream()
                        .anyMatch(slice ->
                                slice.announcement().filter(Announcement::open).isPresent())
                ? Optional.of(new LightFile(facts.moved()))
                : Optional.empty();
        this.ranked = RankedNode.of(facts.current());
        this.hosts = PodHosts.of(facts.workload());
        ranked.forEach(node -> ranks.put(node.node(), node.rank()));
        for (SliceFacts slice : facts.current()) {
            circuits(slice).ifPresent(of -> circuits.put(slice.name(), of));
            slice.allocation().ifPresent(allocation -> members.put(slice.name(), members(groups(slice, allocation))));
        }
    }

    /**
     * Groups with their nodes. On two fabrics the record of the switches names the pod of the fabric that a stage has:
     * its nodes are those of its groups on the ring.
     */
    private List<GroupAllocation> groups(SliceFacts slice, Allocation allocation) {
        Optional<Allocation> ring = facts.current().stream()
                .filter(other -> other.demand().scaleUp() != null)
                .findFirst()
                .flatMap(SliceFacts::allocation);
        if (slice.demand().scaleOut() == null || ring.isEmpty()) {
            return allocation.groups();
        }
        int context = facts.job().getSpec().parallelism().context();
        Map<Integer, Set<String>> nodes = new HashMap<>();
        ring.get()
                .groups()
                .forEach(group -> nodes.computeIfAbsent(group.index() / context, none -> new LinkedHashSet<>())
                        .addAll(group.nodes()));
        return allocation.groups().stream()
                .map(stage -> {
                    Set<String> own = nodes.getOrDefault(stage.index(), Set.of());
                    return new GroupAllocation(
                            stage.index(),
                            List.copyOf(own),
                            stage.positions().stream()
                                    .limit(1)
                                    .flatMap(pod -> Collections.nCopies(own.size(), pod).stream())
                                    .toList());
                })
                .toList();
    }

    private static Map<String, List<Member>> members(List<GroupAllocation> groups) {
        Map<String, List<Member>> members = new HashMap<>();
        for (GroupAllocation group : groups) {
            for (int place = 0; place < group.nodes().size(); place++) {
                members.computeIfAbsent(group.nodes().get(place), none -> new ArrayList<>())
                        .add(new Member(group, place));
            }
        }
        return members;
    }

    /** None where the rank has gone to another node: the light of the node, if it has any, is another rank's. */
    private List<Member> members(SliceFacts slice, RankedNode place) {
        return Objects.equals(ranks.get(place.node()), place.rank())
                ? members.getOrDefault(slice.name(), Map.of()).getOrDefault(place.node(), List.of())
                : List.of();
    }

    /** Of a job that has its place. O(nodes). */
    public static LightFile of(JobFacts facts) {
        return new LightFile(facts);
    }

    /**
     * Whether a pod that reads one text knows the light that the other tells of. A later revision of a record that
     * leaves the light of the pod as it was is no difference, so the repair of one group writes to no pod of another.
     */
    public static boolean isSameLight(String one, String other) {
        return one.equals(other)
                || REVISION.matcher(one)
                        .replaceAll("")
                        .equals(REVISION.matcher(other).replaceAll(""));
    }

    /** What a pod is told that starts now. Compact JSON, the same for the same records. O(groups of the node). */
    public String text(RankedNode place) {
        return file(place).toString();
    }

    /** What a running pod is told: its light, and what was announced to its job. Every pod of the job is told that. */
    public String told(RankedNode place) {
        ObjectNode file = file(place);
        ArrayNode darkness = file.putArray("darkness");
        for (SliceFacts slice : facts.current()) {
            slice.announcement()
                    .filter(announced -> announced.open() || isMoving(slice))
                    .ifPresent(announced -> darkness(file, darkness, slice, announced, place));
        }
        return file.toString();
    }

    /**
     * What a pod is told of one move alone: the object that its file has among {@code darkness}. Of a slice of which
     * something is announced.
     */
    public String announcement(SliceFacts slice, RankedNode place) {
        ArrayNode alone = JSON.arrayNode();
        darkness(file(place), alone, slice, slice.announcement().orElseThrow(), place);
        return alone.get(0).toString();
    }

    private static boolean isMoving(SliceFacts slice) {
        return slice.allocation()
                .filter(recorded -> recorded.releasing() != null)
                .isPresent();
    }

    private void darkness(
            ObjectNode file, ArrayNode darkness, SliceFacts slice, Announcement announced, RankedNode place) {
        ObjectNode told = darkness.addObject()
                .put("fabric", slice.fabric())
                .put("revision", announced.revision())
                .put("agree", AgreementReader.word(slice.name(), announced.revision()))
                .put("announced", announced.at())
                .put("until", announced.until());
        @Nullable AnnouncementAnswer answer = announced.answer();
        if (answer != null) {
            told.put("answer", JSON_WORDS.convertValue(answer, String.class));
            return;
        }
        then.flatMap(next -> next.ranked.stream()
                        .filter(other ->
                                other.rank() == place.rank() && other.node().equals(place.node()))
                        .findFirst()
                        .map(next::file))
                .ifPresent(next -> List.of("ring", "switches").forEach(section -> {
                    JsonNode light = next.path(section);
                    if (slice.fabric().equals(light.path("fabric").asText())
                            && !isSameLight(light.toString(), file.path(section).toString())) {
                        told.set("then", light);
                    }
                }));
    }

    private ObjectNode file(RankedNode place) {
        ObjectNode file = JSON.objectNode();
        file.put("version", VERSION);
        file.putObject("job")
                .put("namespace", facts.job().getMetadata().getNamespace())
                .put("name", facts.job().getMetadata().getName())
                .put("attempt", facts.attempt());
        file.put("node", place.node()).put("rank", place.rank()).put("nodes", ranked.size());
        for (SliceFacts slice : facts.current()) {
            @Nullable Allocation allocation = slice.allocation().orElse(null);
            if (allocation == null) {
                continue;
            }
            switch (facts.fabricOf(slice).map(FabricFacts::geometry).orElseGet(FabricGeometry.Unknown::new)) {
                case FabricGeometry.Fibre fibre -> ring(file, slice, allocation, fibre, place);
                case FabricGeometry.Switches switches -> switches(file, slice, allocation, switches, place);
                case FabricGeometry.Unknown unknown -> {}
            }
        }
        file.putArray("darkness");
        return file;
    }

    private void ring(
            ObjectNode file, SliceFacts slice, Allocation allocation, FabricGeometry.Fibre fibre, RankedNode place) {
        ObjectNode ring = file.putObject("ring");
        ring.put("fabric", slice.fabric()).put("revision", allocation.revision());
        ArrayNode groups = ring.putArray("groups");
        Parallelism parallelism = facts.job().getSpec().parallelism();
        for (Member of : members(slice, place)) {
            GroupAllocation group = of.group();
            int member = of.place();
            if (group.positions().size() == group.nodes().size()) {
                ring.put("position", group.positions().get(member));
            }
            int stages = parallelism.context() * parallelism.pipeline();
            ObjectNode told = groups.addObject();
            told.put("group", group.index())
                    .put("stage", group.index() / parallelism.context() % parallelism.pipeline())
                    .put("replica", group.index() / stages)
                    .put("member", member)
                    .put("members", group.nodes().size());
            ArrayNode neighbours = told.putArray("neighbours");
            neighbour(neighbours, "left", group, member, member - 1, fibre);
            neighbour(neighbours, "right", group, member, member + 1, fibre);
        }
    }

    private void neighbour(
            ArrayNode neighbours,
            String side,
            GroupAllocation group,
            int member,
            int other,
            FabricGeometry.Fibre fibre) {
        if (other < 0 || other >= group.nodes().size()) {
            return;
        }
        ObjectNode neighbour = neighbours.addObject();
        neighbour.put("side", side);
        end(neighbour, group.nodes().get(other));
        if (group.positions().size() != group.nodes().size()) {
            return;
        }
        int here = group.positions().get(member);
        int there = group.positions().get(other);
        int hop = other > member ? fibre.hop(here, there) : -fibre.hop(there, here);
        neighbour.put("position", there);
        if (hop != 0 && Math.abs(hop) <= fibre.reach()) {
            BundlePath path = new PortMap(fibre.reach()).pathOf(hop);
            neighbour
                    .put("hop", hop)
                    .put("bundle", path.bundle())
                    .put("path", path.state().ordinal());
        }
    }

    private void end(ObjectNode of, String node) {
        of.put("node", node);
        @Nullable Integer rank = ranks.get(node);
        if (rank != null) {
            of.put("rank", rank);
            hosts.ifPresent(names -> of.put("host", names.name(rank)));
        }
    }

    private void switches(
            ObjectNode file,
            SliceFacts slice,
            Allocation allocation,
            FabricGeometry.Switches fabric,
            RankedNode place) {
        ObjectNode switches = file.putObject("switches");
        switches.put("fabric", slice.fabric())
                .put("revision", allocation.revision())
                .put("circuitGbps", fabric.circuitGbps());
        boolean traffic = allocation.chosen() != null;
        int pipeline = facts.job().getSpec().parallelism().pipeline();
        ArrayNode groups = switches.putArray("groups");
        @Nullable String pod = null;
        for (Member of : members(slice, place)) {
            GroupAllocation group = of.group();
            int member = of.place();
            ObjectNode told = groups.addObject().put("group", group.index());
            if (traffic) {
                told.put("stage", group.index() % pipeline).put("replica", group.index() / pipeline);
            }
            told.put("member", member).put("members", group.nodes().size());
            if (member < group.positions().size()) {
                pod = fabric.pods().get(group.positions().get(member));
            }
        }
        if (pod == null) {
            return;
        }
        switches.put("pod", pod);
        @Nullable Circuits dealt = circuits.get(slice.name());
        if (dealt != null) {
            ArrayNode list = switches.putArray("circuits");
            dealt.from(pod)
                    .forEach((other, count) -> list.addObject()
                            .put("pod", other)
                            .put("circuits", count)
                            .put("gbps", (long) count * fabric.circuitGbps()));
        }
    }

    /** Circuits between pods of the fabric, by both names. */
    private record Circuits(Map<String, SortedMap<String, Integer>> between) {
        SortedMap<String, Integer> from(String pod) {
            return between.getOrDefault(pod, new TreeMap<>());
        }

        void add(String from, String to, int count) {
            if (count > 0 && !from.equals(to)) {
                between.computeIfAbsent(from, none -> new TreeMap<>()).merge(to, count, Integer::sum);
                between.computeIfAbsent(to, none -> new TreeMap<>()).merge(from, count, Integer::sum);
            }
        }
    }

    /** Empty for circuits that follow no job's traffic. */
    private Optional<Circuits> circuits(SliceFacts slice) {
        @Nullable Allocation allocation = slice.allocation().orElse(null);
        @Nullable ChosenCircuits chosen = allocation == null ? null : allocation.chosen();
        @Nullable ScaleOutDemand demand = slice.demand().scaleOut();
        if (allocation == null
                || chosen == null
                || demand == null
                || !(facts.fabricOf(slice).map(FabricFacts::geometry).orElse(null)
                        instanceof FabricGeometry.Switches fabric)) {
            return Optional.empty();
        }
        Demand.Traffic traffic =
                TrafficReader.recorded(demand, allocation.groups().size());
        int stages = traffic.parallelism().pipeline();
        List<String> pods = new ArrayList<>();
        for (GroupAllocation group : allocation.groups()) {
            @Nullable
            String name = group.positions().isEmpty()
                    ? null
                    : fabric.pods().get(group.positions().getFirst());
            if (name == null) {
                return Optional.empty();
            }
            pods.add(name);
        }
        if (pods.size() != stages * traffic.parallelism().replicas()) {
            return Optional.empty();
        }
        int together = 1;
        while (together < stages && pods.get(together).equals(pods.getFirst())) {
            together++;
        }
        Circuits circuits = new Circuits(new HashMap<>());
        for (Deal.Share share : TopologyQuestion.deal(traffic.iteration(), traffic.parallelism(), together)
                .deal(chosen.circuits())) {
            circuits.add(
                    pods.get(share.fromReplica() * stages + share.fromPod() * together),
                    pods.get(share.toReplica() * stages + share.toPod() * together),
                    share.circuits());
        }
        return Optional.of(circuits);
    }
}
