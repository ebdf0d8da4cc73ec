package dev.lightpath.planner.engine.traffic;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.ask.Deal;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.Speeds;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.allocation.StagePods;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.engine.traffic.FabricPodPorts.Tenant;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How many ports each job may use in each of its pods. What others have is theirs, and so is what they are short of, up
 * to their share by GPUs; all else is lent to who can use it. A job that was lent more than is left gives back when it
 * may be moved.
 */
final class PortBudgets {
    private final World world;
    private final OcsState state;
    private final FabricPodPorts room;
    private final SortedMap<String, Asked> unanswered = new TreeMap<>();
    private boolean open;
    /** Pods of jobs whose own question, asked so far in this pass, waits for its first answer. */
    private final Set<String> awaited = new HashSet<>();

    /** By job, what it is owed ports for. */
    private final Map<SliceId, Optional<Prediction>> wanted = new HashMap<>();

    PortBudgets(OcsState state, FabricPodPorts room) {
        this.world = state.world();
        this.state = state;
        this.room = room;
    }

    /** What was asked in this pass and is not answered, or was by a failure. */
    SortedMap<String, Asked> unanswered() {
        return unanswered;
    }

    /**
     * Whether a question that was asked so far in this pass waits for its first answer: budgets may be others when it
     * is there.
     */
    boolean open() {
        return open;
    }

    /**
     * Whether a job that was asked about before shares pods with this one and waits for its first answer: free ports
     * there may be its own.
     */
    boolean awaited(StagePods stagePods) {
        return stagePods.gpusByPod().keySet().stream().anyMatch(awaited::contains);
    }

    /** Whether light of a job may move for its own or others' good. */
    static boolean movable(SliceIntent intent) {
        return switch (intent.reconfiguration()) {
            case NEVER -> false;
            case AT_RESTART -> intent.workload().letsLightMove();
            case LIVE -> true;
        };
    }

    /** Ports for a job in a pod, when others keep what they have and are owed. */
    int budget(SliceState slice, String pod) {
        int others = 0;
        int firm = 0;
        for (Tenant tenant : room.in(pod)) {
            if (!tenant.slice().id().equals(slice.id())) {
                int ports = Math.max(tenant.ports().getOrDefault(pod, 0), owed(tenant, pod));
                others += ports;
                firm += tenant.expected() ? 0 : ports;
            }
        }
        Tenant own = room.tenants().get(slice.id());
        int held = own == null ? 0 : own.ports().getOrDefault(pod, 0);
        int usable = room.usable(pod);
        int ports = Math.max(0, Math.max(usable - others, Math.min(held, usable - firm)));
        // in pods that are new to it, it uses no more than in those that it has: all replicas have the same circuits
        return own != null && own.gpus().containsKey(pod) && lentForLong(own)
                ? Math.min(ports, Math.max(held, room.share(pod, own.gpus().getOrDefault(pod, 0))))
                : ports;
    }

    /**
     * Ports that a job could not be asked back after its pods have started are not lent to it while another waits for a
     * place.
     */
    private boolean lentForLong(Tenant tenant) {
        return tenant.slice().placed()
                && tenant.slice().intent().reconfiguration() == Reconfiguration.AT_RESTART
                && room.awaited(tenant.slice());
    }

    /** The same when every job that may be moved gives back what it has beyond its share. */
    int reclaimable(SliceState slice, String pod) {
        int others = 0;
        for (Tenant tenant : room.in(pod)) {
            int gpus = tenant.gpus().getOrDefault(pod, 0);
            if (!tenant.slice().id().equals(slice.id()) && gpus > 0) {
                int ports = tenant.ports().getOrDefault(pod, 0);
                int place = tenant.stagePods().placeOf(pod);
                int kept = Math.max(
                        room.share(pod, gpus), tenant.stagePods().deal().degree(place));
                others += movable(tenant.slice().intent()) ? Math.min(ports, kept) : ports;
            }
        }
        return Math.max(0, room.usable(pod) - others);
    }

    /**
     * What a job is short of, up to its share: nothing while that is unknown, as of one that was given other pods in
     * this pass, or where more would not be worth moving for.
     */
    private int owed(Tenant tenant, String pod) {
        if (!tenant.slice().placed()) {
            return Math.max(
                    room.share(pod, tenant.gpus().getOrDefault(pod, 0)),
                    tenant.stagePods().deal().degree(tenant.stagePods().placeOf(pod)));
        }
        if (tenant.expected()) {
            return 0;
        }
        return wanted.computeIfAbsent(tenant.slice().id(), id -> better(tenant))
                .map(best -> Math.min(
                        tenant.stagePods()
                                .deal()
                                .used(best.circuits(), tenant.stagePods().placeOf(pod)),
                        room.share(pod, tenant.gpus().getOrDefault(pod, 0))))
                .orElse(0);
    }

    /** What a job would have alone, if that is worth moving for. */
    private Optional<Prediction> better(Tenant tenant) {
        Prediction now = tenant.slice()
                .recorded()
                .flatMap(recorded -> recorded.prediction())
                .orElse(null);
        return now == null || !movable(tenant.slice().intent()) || !room.shared(tenant)
                ? Optional.empty()
                : alone(tenant, now);
    }

    private Optional<Prediction> alone(Tenant tenant, Prediction now) {
        TopologyQuestion question =
                question(tenant.stagePods(), tenant.slice().intent().speeds(), room::usable);
        if (!(answer(question, tenant.slice(), false) instanceof TopologyAnswer.Found found)) {
            return Optional.empty();
        }
        Prediction best = found.prediction();
        return Optional.of(best)
                .filter(of -> InterruptionCost.moves(state.forecasts().anew(question, now, of), of, 1));
    }

    /** The question of a job in its pods, within its budgets. */
    TopologyQuestion question(SliceState slice, StagePods stagePods) {
        return question(stagePods, slice.intent().speeds(), pod -> budget(slice, pod));
    }

    /** Whether these budgets leave a port for each pod that a pod talks to. */
    static boolean joins(TopologyQuestion question, Deal deal) {
        for (int pod = 0; pod < question.ports().size(); pod++) {
            if (question.ports().get(pod) < deal.degree(pod)) {
                return false;
            }
        }
        return true;
    }

    private TopologyQuestion question(StagePods stagePods, Speeds speeds, ToIntFunction<String> ports) {
        Demand.Traffic traffic = stagePods.traffic();
        List<Integer> fewest =
                new ArrayList<>(Collections.nCopies(stagePods.deal().pods(), Integer.MAX_VALUE));
        for (List<String> replica : stagePods.pods()) {
            for (int pod = 0; pod < replica.size(); pod++) {
                fewest.set(pod, Math.min(fewest.get(pod), Math.max(1, ports.applyAsInt(replica.get(pod)))));
            }
        }
        return new TopologyQuestion(
                traffic.iteration(),
                traffic.parallelism(),
                stagePods.stagesPerPod(),
                state.intent().circuitGbps(),
                fewest,
                traffic.goal(),
                state.intent().policy().searchLimit(traffic.timeLimit()),
                speeds);
    }

    /**
     * That a job's search was shorter than it asks for, as a clause that follows others; empty where it was not, or
     * found the best.
     */
    String shortened(SliceState slice, Prediction found) {
        return found.proved() ? "" : shortened(slice);
    }

    /** The same of a search that is under way. */
    String shortened(SliceState slice) {
        if (!(slice.intent().demand() instanceof Demand.Traffic traffic)) {
            return "";
        }
        Duration most = state.intent().policy().searchLimit(traffic.timeLimit());
        return most.equals(traffic.timeLimit())
                ? ""
                : ", searched for at most " + most.toSeconds() + " s (policy.search.maxSeconds of fabric "
                        + state.intent().name() + "), not "
                        + traffic.timeLimit().toSeconds()
                        + " s (spec.scaleOut.timeLimitSeconds)";
    }

    /**
     * What DELTA answered about the circuits of a job that is being served. Null until it has answered.
     *
     * @param repairs whether the job lost circuits that it has a place with
     */
    @Nullable
    TopologyAnswer answer(TopologyQuestion question, SliceState slice, StagePods stagePods, boolean repairs) {
        TopologyAnswer answer = answer(question, slice, repairs);
        if (answer == null) {
            awaited.addAll(stagePods.gpusByPod().keySet());
        }
        return answer;
    }

    /** What DELTA answered about circuits that a job may have later: no other job waits for it. */
    @Nullable
    TopologyAnswer foreseen(TopologyQuestion question, SliceState slice) {
        return asked(question, slice, Asked.Urgency.FORESEEN);
    }

    @Nullable
    private TopologyAnswer answer(TopologyQuestion question, SliceState slice, boolean repairs) {
        TopologyAnswer answer = asked(question, slice, repairs ? Asked.Urgency.REPAIR : Asked.Urgency.NEEDED);
        open |= answer == null;
        return answer;
    }

    /**
     * What DELTA answered; asks it when it was not asked yet, and for as long as it failed. Null until it has answered.
     * It is not asked what is too long.
     */
    @Nullable
    private TopologyAnswer asked(TopologyQuestion question, SliceState slice, Asked.Urgency urgency) {
        Optional<String> tooLong = question.tooLong();
        if (tooLong.isPresent()) {
            return new TopologyAnswer.None(tooLong.get(), false);
        }
        String digest = question.digest();
        TopologyAnswer answer = world.answers().get(digest);
        if (answer != null) {
            state.forecasts().learn(question, answer);
        }
        if (answer == null || answer instanceof TopologyAnswer.Failed) {
            unanswered.merge(digest, Asked.by(slice.id().namespace(), urgency, question), Asked::and);
        }
        return answer;
    }
}
