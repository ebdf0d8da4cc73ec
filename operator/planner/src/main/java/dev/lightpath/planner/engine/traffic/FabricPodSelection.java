package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Deal;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement.Unplaced;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsPod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Finds pods for a job that has none: those in which its pods run already, else the emptiest first, since they have the
 * most ports to give.
 */
final class FabricPodSelection {
    private static final int MOST_NAMED = 4;

    sealed interface Found {
        /** @param joined whether free ports join them */
        record Pods(StagePods stagePods, boolean joined) implements Found {}

        /** Pods there are, once other jobs have given ports back. */
        record Later(StagePods stagePods) implements Found {}

        /**
         * @param everFits whether the fabric, well and free, could hold it
         * @param lacksPorts whether pods that have the GPUs lack ports, which others have
         */
        record None(String why, boolean everFits, boolean lacksPorts) implements Found {
            private static None forGood(String why) {
                return new None(why, false, false);
            }
        }
    }

    private final OcsState state;
    private final FabricPodPorts room;
    private final FabricPodNodes nodes;
    private final PortBudgets budgets;
    private final AssignedCircuits assigned;
    private final JoinedFabricPods joinedPods = new JoinedFabricPods();

    FabricPodSelection(
            OcsState state, FabricPodPorts room, FabricPodNodes nodes, PortBudgets budgets, AssignedCircuits assigned) {
        this.state = state;
        this.room = room;
        this.nodes = nodes;
        this.budgets = budgets;
        this.assigned = assigned;
    }

    /**
     * The preferred pods that free ports join; where none are found, the preferred pods, for which neighbours may make
     * room. O(pods of the job * pods) where the preferred ones are joined, else a bounded search
     * ({@link JoinedFabricPods}).
     */
    Found choose(SliceState slice, Demand.Traffic traffic) {
        Parallelism parallelism = traffic.parallelism();
        int perStage = parallelism.gpusPerStage();
        int smallest =
                state.intent().pods().stream().mapToInt(OcsPod::gpus).min().orElse(0);
        int most = smallest / perStage;
        int together = Math.min(traffic.stagesPerPod().orElse(most), parallelism.pipeline());
        if (together < 1 || together > most) {
            return Found.None.forGood(
                    most > 0 && traffic.stagesPerPod().isPresent()
                            ? "scaleOut.stagesPerPod is " + together + ", allowed: 1 to " + most + ", the stages of "
                                    + perStage + " GPUs that the smallest pod of " + smallest + " GPUs holds; "
                                    + Unplaced.NEVER_FITS
                            : "a stage takes " + perStage + " GPUs, the smallest pod has " + smallest + "; "
                                    + Unplaced.NEVER_FITS);
        }
        Wish wish = Wish.of(traffic, together);
        Deal deal = wish.deal();
        Optional<String> tooLong = deal.talks() ? traffic.iteration().tooLong(parallelism) : Optional.empty();
        if (tooLong.isPresent()) {
            return Found.None.forGood(tooLong.get() + "; " + Unplaced.NEVER_FITS);
        }
        int wanted = deal.pods() * deal.replicas();
        int described = state.intent().pods().size();
        if (wanted > described) {
            return Found.None.forGood(parallelism.replicas() + " replicas of " + parallelism.pipeline() + " stages, "
                    + together + " in a pod, take " + wanted + " pods; fabric "
                    + state.intent().name() + " has " + described + "; " + Unplaced.NEVER_FITS);
        }
        String poor = tooFewEver(wish);
        if (!poor.isEmpty()) {
            return Found.None.forGood(poor);
        }
        Places now = new Places(slice, wish, pod -> budgets.budget(slice, pod));
        Optional<StagePods> preferred = now.matched();
        if (preferred.isPresent()) {
            if (assigned.joins(slice, preferred.get())) {
                return new Found.Pods(preferred.get(), true);
            }
            return now.joined()
                    .map(seats -> new Found.Pods(seats, true))
                    .orElseGet(() -> new Found.Pods(preferred.get(), false));
        }
        return new Places(slice, wish, pod -> budgets.reclaimable(slice, pod))
                .matched()
                .<Found>map(Found.Later::new)
                .orElseGet(() -> shortage(slice, wish));
    }

    /**
     * Other pods for further replicas of a job that has pods, joined with these by free ports: empty where there are
     * none, or its own have too few ports for another peer. O(pods of the job * pods) where the preferred ones are
     * joined, else a bounded search ({@link JoinedFabricPods}).
     *
     * @param replicas how many it would have then
     */
    Optional<StagePods> beside(SliceState slice, StagePods has, int replicas) {
        Set<String> own = has.gpusByPod().keySet();
        Wish wish = Wish.of(has.traffic().of(replicas), has.stagesPerPod());
        for (List<String> replica : has.pods()) {
            for (int place = 0; place < replica.size(); place++) {
                if (budgets.budget(slice, replica.get(place)) < wish.deal().degree(place)) {
                    return Optional.empty();
                }
            }
        }
        return new Places(slice, wish, pod -> own.contains(pod) ? -1 : budgets.budget(slice, pod)).beside(has.pods());
    }

    /** Pods with GPUs and fibres enough are missing though all is well and free: no waiting helps. */
    private String tooFewEver(Wish wish) {
        Deal deal = wish.deal();
        int needed = 0;
        for (int pod = 0; pod < deal.pods(); pod++) {
            needed = Math.max(needed, deal.degree(pod));
        }
        List<OcsPod> pods = List.copyOf(state.wiring().pods().values());
        int most = pods.stream().mapToInt(pod -> room.wired(pod.name())).max().orElse(0);
        if (needed > most) {
            return "a pod talks to " + needed + " others and no pod has more than " + Counted.of(most, "port") + ": "
                    + (needed - most) + " missing; " + Unplaced.NEVER_FITS;
        }
        boolean fits = !FabricPodMatching.of(
                        deal.pods() * deal.replicas(),
                        deal.pods(),
                        pods.size(),
                        (place, pod) -> holds(pods.get(pod), wish.need(place)))
                .isEmpty();
        return fits
                ? ""
                : "wanted " + wish.parallelism().gpus() + " GPUs as "
                        + wish.needs().entrySet().stream()
                                .map(each -> Counted.of(each.getValue(), "pod") + " with "
                                        + each.getKey().gpus() + " GPUs and "
                                        + each.getKey().ports() + " ports each, of which fabric "
                                        + state.intent().name() + " has "
                                        + pods.stream()
                                                .filter(pod -> holds(pod, each.getKey()))
                                                .count())
                                .collect(Collectors.joining(", and "))
                        + "; " + Unplaced.NEVER_FITS;
    }

    private boolean holds(OcsPod pod, Need need) {
        return pod.gpus() >= need.gpus() && room.wired(pod.name()) >= need.ports();
    }

    /** The places of a job's replicas and the pods that have what they take. */
    private final class Places {
        private final SliceState slice;
        private final Wish wish;
        private final Deal deal;
        private final List<OcsPod> order;
        private final FabricPodMatching.Fit fit;

        private Places(SliceState slice, Wish wish, ToIntFunction<String> ports) {
            this.slice = slice;
            this.wish = wish;
            this.deal = wish.deal();
            this.order = new ArrayList<>(state.wiring().pods().values());
            Map<String, Integer> ranks = nodes.ranksByPod(slice);
            order.sort(Comparator.comparingInt((OcsPod pod) -> ranks.getOrDefault(pod.name(), Integer.MAX_VALUE))
                    .thenComparingInt(pod -> room.gpusTaken(pod.name(), slice.id()))
                    .thenComparing(Comparator.comparingInt((OcsPod pod) -> room.usable(pod.name()))
                            .reversed())
                    .thenComparingInt(OcsPod::index));
            this.fit = (place, pod) ->
                    hasGpus(slice, order.get(pod), wish.need(place).gpus())
                            && ports.applyAsInt(order.get(pod).name()) >= deal.degree(place);
        }

        /** A pod for each place, whatever joins them. */
        private Optional<StagePods> matched() {
            return seats(matched(deal.replicas()));
        }

        /** A pod for each place of so many replicas; none where one has none. */
        private List<String> matched(int replicas) {
            return FabricPodMatching.of(deal.pods() * replicas, deal.pods(), order.size(), fit).stream()
                    .map(pod -> order.get(pod).name())
                    .toList();
        }

        /** The same for the replicas that are missing to these, and circuits between those that talk. */
        private Optional<StagePods> beside(List<List<String>> standing) {
            List<String> more = matched(deal.replicas() - standing.size());
            List<String> all =
                    new ArrayList<>(standing.stream().flatMap(List::stream).toList());
            all.addAll(more);
            if (more.isEmpty()) {
                return Optional.empty();
            }
            return seats(all)
                    .filter(of -> assigned.joins(slice, of))
                    .or(() -> joined(all.subList(0, all.size() - more.size())));
        }

        /** A pod for each place, and circuits between those that talk. */
        private Optional<StagePods> joined() {
            return joined(List.of());
        }

        /** The same with these for the first places. */
        private Optional<StagePods> joined(List<String> standing) {
            return seats(joinedPods.find(
                    deal,
                    order.stream().map(OcsPod::name).toList(),
                    standing,
                    FabricPodMatching.once(deal.pods(), order.size(), fit),
                    assigned.free(slice),
                    pods -> seats(pods).filter(of -> assigned.joins(slice, of)).isPresent()));
        }

        private Optional<StagePods> seats(List<String> pods) {
            List<List<String>> replicas = new ArrayList<>();
            for (int first = 0; first < pods.size(); first += deal.pods()) {
                replicas.add(List.copyOf(pods.subList(first, first + deal.pods())));
            }
            return replicas.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new StagePods(wish.traffic(), wish.together(), replicas));
        }
    }

    private boolean hasGpus(SliceState slice, OcsPod pod, int gpus) {
        return room.freeGpus(pod, slice.id()) >= gpus && nodes.fits(slice, pod, gpus);
    }

    /** What people keep from new jobs. */
    private String closed() {
        List<String> closed = state.wiring().pods().values().stream()
                .flatMap(pod -> pod.closed().stream())
                .sorted()
                .toList();
        return closed.isEmpty()
                ? ""
                : " (" + Counted.of(closed.size(), "node takes", "nodes take")
                        + " nothing new: cordoned, with pods of others, or new here or held on fabrics that others lead, "
                        + String.join(", ", closed.subList(0, Math.min(MOST_NAMED, closed.size()))) + " among them)";
    }

    /**
     * What places of a replica that are alike ask of a pod.
     *
     * @param ports one for each pod it talks to
     */
    private record Need(int gpus, int ports) {}

    /**
     * What a job asks for.
     *
     * @param together stages of the pipeline in one pod
     * @param deal which of its pods talk to each other
     */
    private record Wish(Demand.Traffic traffic, int together, Deal deal) {
        static Wish of(Demand.Traffic traffic, int together) {
            return new Wish(traffic, together, StagePods.deal(traffic, together));
        }

        Parallelism parallelism() {
            return traffic.parallelism();
        }

        Need need(int place) {
            return new Need(
                    StagePods.stages(parallelism(), together, place)
                            * parallelism().gpusPerStage(),
                    deal.degree(place));
        }

        /** How many pods are needed of each kind. */
        SortedMap<Need, Integer> needs() {
            SortedMap<Need, Integer> pods = new TreeMap<>(Comparator.comparingInt(Need::gpus)
                    .thenComparing(Need::ports)
                    .reversed());
            for (int place = 0; place < deal.pods(); place++) {
                pods.merge(need(place), deal.replicas(), Integer::sum);
            }
            return pods;
        }
    }

    private Found.None shortage(SliceState slice, Wish wish) {
        SortedMap<Need, Integer> pods = wish.needs();
        List<String> wanted = pods.entrySet().stream()
                .map(each -> Counted.of(each.getValue(), "pod") + " with "
                        + each.getKey().gpus() + " free GPUs and "
                        + each.getKey().ports() + " free ports each, usable "
                        + usable(slice, Set.of(each.getKey())))
                .toList();
        // where each kind of place alone has pods enough, the last one lacks those that the others take
        Need lacking = pods.entrySet().stream()
                .filter(each -> usable(slice, Set.of(each.getKey())) < each.getValue())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(pods.lastKey());
        List<String> portless = new ArrayList<>();
        int full = 0;
        for (OcsPod pod : state.wiring().pods().values()) {
            int free = budgets.budget(slice, pod.name());
            if (!hasGpus(slice, pod, lacking.gpus())) {
                full++;
            } else if (free < lacking.ports()) {
                portless.add(pod.name() + " has " + free + " of " + lacking.ports() + " ports, "
                        + (lacking.ports() - free) + " missing");
            }
        }
        String why = "wanted " + wish.parallelism().gpus() + " GPUs as " + String.join(", and ", wanted)
                + (pods.size() > 1 ? "; usable for any of them " + usable(slice, pods.keySet()) : "")
                + ": "
                + (pods.size() > 1 ? "for " + lacking.gpus() + " GPUs and " + lacking.ports() + " ports " : "") + full
                + " pods lack GPUs or healthy free nodes" + closed() + ", " + portless.size() + " lack ports"
                + (portless.isEmpty()
                        ? ""
                        : " (" + String.join("; ", portless.subList(0, Math.min(MOST_NAMED, portless.size()))) + ")");
        return new Found.None(why, true, !portless.isEmpty());
    }

    /** How many pods meet one of these needs at least. */
    private long usable(SliceState slice, Set<Need> needs) {
        return state.wiring().pods().values().stream()
                .filter(pod -> needs.stream().anyMatch(need -> meets(slice, pod, need)))
                .count();
    }

    private boolean meets(SliceState slice, OcsPod pod, Need need) {
        return hasGpus(slice, pod, need.gpus()) && budgets.budget(slice, pod.name()) >= need.ports();
    }
}
