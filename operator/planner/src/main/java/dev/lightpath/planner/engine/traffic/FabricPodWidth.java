package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Deal;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.traffic.FabricPodSelection.Found;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.Workload;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * For how many of its replicas a job finds pods: never fewer than are enough, never more than it wants. A replica has
 * pods of its own, so each comes and goes with them.
 */
final class FabricPodWidth {
    /** Further sets of replicas that are tried where the first ones are not joined. */
    private static final int MOST_SETS = 200;

    private final FabricPods pods;

    FabricPodWidth(FabricPods pods) {
        this.pods = pods;
    }

    /** Pods of some replicas, with the members of their stages. */
    record Seating(StagePods stagePods, List<Allocation.Group> members) {}

    /**
     * Pods for all replicas; else for the most that free ports join now. Where there are none, what is found for those
     * that are enough: for these alone others make room. Where pods run and the record is lost, for no more than run:
     * another number of replicas would end them. As many choices as the logarithm of the replicas.
     */
    Found widest(SliceState slice, Demand.Traffic traffic) {
        Demand.Replicas replicas = traffic.replicas();
        int wanted = running(slice, traffic).orElse(replicas.wanted());
        Found all = pods.selection().choose(slice, traffic.of(wanted));
        if (!replicas.elastic() || joined(all)) {
            return all;
        }
        return most(
                        replicas.least(),
                        wanted - 1,
                        width -> Optional.of(pods.selection().choose(slice, traffic.of(width)))
                                .filter(FabricPodWidth::joined))
                .orElseGet(() -> enough(replicas, pods.selection().choose(slice, traffic.of(replicas.least()))));
    }

    /** How many replicas run; empty where no pod does, or the job does not say. It counts data-parallel ranks. */
    private static OptionalInt running(SliceState slice, Demand.Traffic traffic) {
        return slice.intent().workload() instanceof Workload.Pods pods
                        && pods.usesLight()
                        && pods.replicas().isPresent()
                ? traffic.replicas()
                        .width(pods.replicas().getAsInt()
                                / traffic.parallelism().dataRanksPerStage())
                : OptionalInt.empty();
    }

    private static boolean joined(Found found) {
        return found instanceof Found.Pods pods && pods.joined();
    }

    private static Found enough(Demand.Replicas replicas, Found found) {
        return found instanceof Found.None none
                ? new Found.None(
                        replicas.told(replicas.least()) + (replicas.least() == 1 ? " is" : " are") + " enough: "
                                + none.why(),
                        none.everFits(),
                        none.lacksPorts())
                : found;
    }

    /** The pods of a slice with those of as many further replicas as there is room for, where it lacks any. */
    Optional<StagePods> more(SliceState slice, Demand.Traffic traffic, StagePods has) {
        return most(
                has.pods().size() + 1,
                traffic.replicas().wanted(),
                width -> pods.selection().beside(slice, has, width));
    }

    /** The members that a slice has, and free nodes of its further pods; empty where these are too few. */
    Optional<Seating> grown(SliceState slice, StagePods has, StagePods more) {
        return grown(slice, new Seating(has, slice.groups()), more);
    }

    private Optional<Seating> grown(SliceState slice, Seating has, StagePods more) {
        List<List<String>> added =
                more.pods().subList(has.stagePods().pods().size(), more.pods().size());
        return pods.nodes()
                .seat(new StagePods(more.traffic(), more.stagesPerPod(), added), slice)
                .map(members -> {
                    List<Allocation.Group> all = new ArrayList<>(has.members());
                    all.addAll(members);
                    return new Seating(more, all);
                });
    }

    /** Whether a node of a slice is broken, or a circuit. */
    boolean broken(SliceState slice) {
        return !pods.nodes().broken(slice).isEmpty()
                || !pods.assigned().broken(slice.recorded().orElseThrow()).isEmpty();
    }

    /**
     * The stages of a replica in one of its pods.
     *
     * @param ports that are left to the slice there
     * @param members with broken nodes replaced
     */
    private record Place(String pod, int ports, List<Allocation.Group> members) {}

    /**
     * Fewer replicas that a slice goes on with: whole ones first, then places that are left of others, as many as make
     * further ones. A place is lost with a node that no free one of its pod replaces, and with ports for the pods that
     * it talks to. Where those that are left are not joined, up to two more are left out, the last ones first, before
     * the slice has fewer. Empty where too few are left. A short search for circuits per replica, and a bounded number
     * of further ones.
     */
    Optional<Seating> left(SliceState slice, Demand.Traffic traffic, StagePods has) {
        List<List<Optional<Place>>> replicas = places(slice, has);
        Rearrangement.Tries sets = new Rearrangement.Tries(MOST_SETS);
        for (int width = has.pods().size() - 1; width >= traffic.leastReplicas(); width--) {
            Optional<Seating> seating = left(slice, has, traffic.of(width), replicas, sets);
            if (seating.isPresent()) {
                return seating;
            }
        }
        return Optional.empty();
    }

    /**
     * As many replicas as a slice has, or the most below that, with other pods in for those that it lost; the rest keep
     * their pods, and where there are as many again, their places in the order. Empty where no other pod can be had.
     *
     * @param fewest replicas that it does with
     */
    Optional<Seating> replaced(SliceState slice, Demand.Traffic traffic, StagePods has, int fewest) {
        List<List<Optional<Place>>> replicas = places(slice, has);
        return most(fewest, has.pods().size(), width -> replaced(slice, traffic.of(width), has, replicas))
                .filter(seating -> !has.gpusByPod()
                        .keySet()
                        .containsAll(seating.stagePods().gpusByPod().keySet()))
                .map(seating -> inOrder(slice, has, seating));
    }

    private Optional<Seating> replaced(
            SliceState slice, Demand.Traffic narrow, StagePods has, List<List<Optional<Place>>> replicas) {
        Deal deal = StagePods.deal(narrow, has.stagesPerPod());
        int wanted = narrow.parallelism().replicas();
        int left = wanted;
        for (int at = 0; at < deal.pods(); at++) {
            int place = at;
            left = Math.min(left, (int) replicas.stream()
                    .filter(replica -> serves(replica.get(place), deal.degree(place)))
                    .count());
        }
        if (left == 0) {
            return Optional.empty();
        }
        Optional<Seating> rest = seating(has, narrow.of(left), deal, replicas);
        return left == wanted
                ? rest
                : rest.flatMap(of ->
                        pods.selection().beside(slice, of.stagePods(), wanted).flatMap(more -> grown(slice, of, more)));
    }

    /** The same with each replica that keeps its pods where it was, if circuits join them so: it keeps its rank. */
    private Seating inOrder(SliceState slice, StagePods has, Seating seating) {
        List<List<String>> seats = seating.stagePods().pods();
        int stages = seating.stagePods().parallelism().pipeline();
        if (seats.size() < has.pods().size()) {
            return seating;
        }
        List<Integer> others = new ArrayList<>();
        for (int replica = 0; replica < seats.size(); replica++) {
            if (!has.pods().contains(seats.get(replica))) {
                others.add(replica);
            }
        }
        List<List<String>> ordered = new ArrayList<>();
        List<Allocation.Group> members = new ArrayList<>();
        for (List<String> place : has.pods()) {
            int replica = seats.contains(place) ? seats.indexOf(place) : others.removeFirst();
            ordered.add(seats.get(replica));
            members.addAll(seating.members().subList(replica * stages, (replica + 1) * stages));
        }
        StagePods same =
                new StagePods(seating.stagePods().traffic(), seating.stagePods().stagesPerPod(), ordered);
        return pods.assigned().joins(slice, same) ? new Seating(same, members) : seating;
    }

    private Optional<Seating> left(
            SliceState slice,
            StagePods has,
            Demand.Traffic narrow,
            List<List<Optional<Place>>> replicas,
            Rearrangement.Tries sets) {
        Set<List<List<String>>> tried = new HashSet<>();
        Deal deal = StagePods.deal(narrow, has.stagesPerPod());
        int most = Math.min(2, replicas.size() - narrow.parallelism().replicas());
        for (int out = 0; out <= most; out++) {
            for (int one = out == 0 ? 0 : replicas.size() - 1; one >= 0; one--) {
                for (int other = out < 2 ? 0 : one - 1; other >= 0; other--) {
                    if (out > 0 && !sets.another(1)) {
                        return Optional.empty();
                    }
                    List<List<Optional<Place>>> rest = new ArrayList<>(replicas);
                    if (out > 0) {
                        rest.remove(one);
                    }
                    if (out > 1) {
                        rest.remove(other);
                    }
                    Optional<Seating> seating = seating(has, narrow, deal, rest)
                            .filter(of -> tried.add(of.stagePods().pods()))
                            .filter(of -> pods.assigned().joins(slice, of.stagePods()));
                    if (seating.isPresent()) {
                        return seating;
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** By replica, what is left in each of its pods. */
    private List<List<Optional<Place>>> places(SliceState slice, StagePods has) {
        List<Allocation.Group> groups = slice.groups();
        int stages = has.parallelism().pipeline();
        List<List<Optional<Place>>> replicas = new ArrayList<>();
        for (int replica = 0; replica < has.pods().size(); replica++) {
            List<Optional<Place>> places = new ArrayList<>();
            for (int place = 0; place < has.pods().get(replica).size(); place++) {
                String pod = has.pods().get(replica).get(place);
                int first = replica * stages + place * has.stagesPerPod();
                int held = StagePods.stages(has.parallelism(), has.stagesPerPod(), place);
                places.add(pods.nodes()
                        .mended(
                                groups.subList(first, first + held),
                                slice.intent().job())
                        .map(members -> new Place(pod, pods.budgets().budget(slice, pod), members)));
            }
            replicas.add(places);
        }
        return replicas;
    }

    /** @param deal that says how many ports each place takes */
    private Optional<Seating> seating(
            StagePods has, Demand.Traffic narrow, Deal deal, List<List<Optional<Place>>> replicas) {
        List<List<Place>> chosen = new ArrayList<>();
        for (int replica = 0; replica < narrow.parallelism().replicas(); replica++) {
            chosen.add(new ArrayList<>());
        }
        for (int place = 0; place < deal.pods(); place++) {
            List<Place> whole = new ArrayList<>();
            List<Place> loose = new ArrayList<>();
            for (List<Optional<Place>> replica : replicas) {
                if (serves(replica.get(place), deal.degree(place))) {
                    (isWhole(replica, deal) ? whole : loose)
                            .add(replica.get(place).orElseThrow());
                }
            }
            whole.addAll(loose);
            if (whole.size() < chosen.size()) {
                return Optional.empty();
            }
            for (int replica = 0; replica < chosen.size(); replica++) {
                chosen.get(replica).add(whole.get(replica));
            }
        }
        return Optional.of(new Seating(
                new StagePods(
                        narrow,
                        has.stagesPerPod(),
                        chosen.stream()
                                .map(replica -> replica.stream().map(Place::pod).toList())
                                .toList()),
                chosen.stream()
                        .flatMap(List::stream)
                        .flatMap(place -> place.members().stream())
                        .toList()));
    }

    private static boolean isWhole(List<Optional<Place>> replica, Deal deal) {
        for (int place = 0; place < replica.size(); place++) {
            if (!serves(replica.get(place), deal.degree(place))) {
                return false;
            }
        }
        return true;
    }

    private static boolean serves(Optional<Place> place, int degree) {
        return place.filter(of -> of.ports() >= degree).isPresent();
    }

    /**
     * What is found for the most of these numbers, by bisection: there is room for fewer wherever there is for more.
     */
    private static <T> Optional<T> most(int fewest, int wanted, IntFunction<Optional<T>> room) {
        Optional<T> best = Optional.empty();
        int fits = fewest - 1;
        int tooMany = wanted + 1;
        for (int next = wanted; tooMany - fits > 1; next = (fits + tooMany) / 2) {
            Optional<T> found = room.apply(next);
            if (found.isPresent()) {
                best = found;
                fits = next;
            } else {
                tooMany = next;
            }
        }
        return best;
    }
}
