package dev.lightpath.planner.ask;

import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.SquareRootPlanner;
import dev.lightpath.planner.delta.TopologyPlanner;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.IterationProfile;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.Placement;
import dev.lightpath.planner.delta.iteration.TrainingWorkload;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.search.InfeasibleBudget;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.delta.simulation.BuiltIteration;
import dev.lightpath.planner.words.Sha256;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Which circuits the traffic of a job needs, given the ports that it may use. Equal questions of different jobs have
 * the same digest.
 *
 * @param iteration what is computed and sent
 * @param parallelism how it is split
 * @param stagesPerPod consecutive stages of a replica in one pod
 * @param circuitGbps speed of a circuit, 10^9 bits per second
 * @param ports circuit ends that the job may use in each pod of a replica, in the order of the stages: the fewest of
 *     all replicas
 * @param goal algorithm and port tolerance
 * @param timeLimit after which the best known answer is taken
 * @param speeds of GPUs and links, as they were learnt from the job's iterations
 */
public record TopologyQuestion(
        Iteration iteration,
        Parallelism parallelism,
        int stagesPerPod,
        double circuitGbps,
        List<Integer> ports,
        Goal goal,
        Duration timeLimit,
        Speeds speeds) {
    private static final String INSTANCE_NAME = "iteration";
    private static final int DIGEST_CHARACTERS = 32;
    private static final String PART_OF = "part-of-";

    /**
     * Version of the model that makes predictions. Raise it when an instance gives another answer to the same question.
     * Earlier predictions are then computed again ({@link #anew}).
     */
    public static final String MODEL = "m2-";

    /** Of transfers that a search compares in one simulation, which takes seconds. Above it nothing is simulated. */
    private static final long MOST_PAIRS = 1L << 28;

    private static final String UNSIMULATED =
            "too many transfers of an iteration are under way at once to simulate it; the"
                    + " seconds are the least that it can take";

    public TopologyQuestion {
        ports = List.copyOf(ports);
    }

    /** Of a job of which nothing was learnt. */
    public TopologyQuestion(
            Iteration iteration,
            Parallelism parallelism,
            int stagesPerPod,
            double circuitGbps,
            List<Integer> ports,
            Goal goal,
            Duration timeLimit) {
        this(iteration, parallelism, stagesPerPod, circuitGbps, ports, goal, timeLimit, Speeds.BELIEVED);
    }

    /** Turns the answer's counts into circuits of all pods. */
    public Deal deal() {
        return deal(iteration, parallelism, stagesPerPod);
    }

    /** The same, without a question. */
    public static Deal deal(Iteration iteration, Parallelism parallelism, int stagesPerPod) {
        return iteration instanceof Iteration.OfTrace of
                ? new PairDeal(of.trace().pods(), of.trace().pairs())
                : new ReplicaDeal(parallelism.replicas(), Math.ceilDiv(parallelism.pipeline(), stagesPerPod));
    }

    /** Why an operator does not ask this question, with what is allowed: {@link Iteration#tooLong}. */
    public Optional<String> tooLong() {
        return iteration.tooLong(parallelism);
    }

    /** Whether counts keep to the ports in every pod of a replica. */
    public boolean allows(List<Integer> circuits) {
        Deal deal = deal();
        return IntStream.range(0, ports.size()).allMatch(pod -> deal.used(circuits, pod) <= ports.get(pod));
    }

    /** Names the question by the model that answers it and by its content: 32 hexadecimal digits of SHA-256. */
    public String digest() {
        return version() + content();
    }

    /** What predictions of today begin with: others have figures of another model, or of other speeds. */
    private String version() {
        return MODEL + speeds.tag();
    }

    private String content() {
        return HexFormat.of().formatHex(Sha256.of(words())).substring(0, DIGEST_CHARACTERS);
    }

    /** Records have named questions about a model's shape by these words since before there were other iterations. */
    private String words() {
        String content = switch (iteration) {
            case Iteration.OfModel of ->
                "model=" + of.model() + ", parallelism=" + parallelism + ", batch=" + of.batch();
            case Iteration.OfProfile of -> "profile=" + of + ", parallelism=" + parallelism;
            case Iteration.OfTrace of -> "trace=" + of.trace() + ", parallelism=" + parallelism;
        };
        return "TopologyQuestion[" + content + ", stagesPerPod=" + stagesPerPod + ", circuitGbps=" + circuitGbps
                + ", ports=" + ports + ", goal=" + goal + ", timeLimit=" + timeLimit
                + (speeds.equals(Speeds.BELIEVED) ? "" : ", speeds=" + speeds) + "]";
    }

    /**
     * Whether another version of the model made a prediction, or it was made at other speeds. Its figures are not
     * comparable with today's.
     */
    private boolean outdated(Prediction of) {
        String name = of.question().replaceFirst(PART_OF, "");
        return !name.startsWith(version()) || speeds.tag().isEmpty() && Speeds.tagged(name.substring(MODEL.length()));
    }

    /**
     * A prediction of an earlier model version, or at other speeds, computed by this one for the same circuits. If it
     * answered the same question then, it counts as an answer to this question, so that a new model alone causes no
     * search. The same holds if its circuits are those of the answer. A prediction of this version stays as it is, and
     * so does one with counts for other pairs of pods. At most one simulation.
     *
     * @param answer of today to this question
     * @param built called only if there is something to simulate
     */
    public Prediction anew(Prediction old, Prediction answer, Supplier<BuiltIteration> built) {
        if (!outdated(old) || old.circuits().size() != answer.circuits().size()) {
            return old;
        }
        boolean found = old.circuits().equals(answer.circuits());
        boolean whole =
                found || old.question().endsWith(content()) && !old.question().startsWith(PART_OF);
        Prediction now = found ? answer : simulated(built.get(), old.circuits(), answer);
        // what was lost is a share, so it holds for every version of the model
        return (whole ? now.named(digest()) : now).after(now.iterationSeconds() / (1 + old.loss()));
    }

    private Prediction simulated(BuiltIteration built, List<Integer> circuits, Prediction answer) {
        return built.isHeavy() ? unsimulated(answer, circuits) : predict(built, circuits, answer.lowerBoundSeconds());
    }

    /**
     * The DELTA instance of this question.
     *
     * @throws IllegalArgumentException if no instance can be made of the workload, naming what is allowed
     */
    public DeltaInstance instance() {
        Placement placement = new Placement(stagesPerPod, Collections.max(ports), circuitGbps, false);
        DeltaInstance instance = switch (iteration) {
            case Iteration.OfModel of ->
                InstanceGenerator.generate(
                        new TrainingWorkload(INSTANCE_NAME, of.model(), parallelism, of.batch(), placement));
            case Iteration.OfProfile of ->
                InstanceGenerator.generate(new IterationProfile(
                        INSTANCE_NAME,
                        parallelism.pipeline(),
                        parallelism.gpusPerStage(),
                        parallelism.replicas(),
                        of.microBatches(),
                        of.forwardSeconds(),
                        of.backwardSeconds(),
                        of.pipelineBytes(),
                        of.dataBytes(),
                        placement));
            case Iteration.OfTrace of -> of.trace().instance();
        };
        List<Integer> budgets = new ArrayList<>(ports);
        if (instance.pods().size() > ports.size()) {
            budgets.addAll(ports);
        }
        return speeds.applied(instance.withPorts(budgets));
    }

    /** All inputs of a simulation except the circuits. */
    public PlacedIteration placed() {
        return new PlacedIteration(iteration, parallelism, stagesPerPod, circuitGbps, speeds);
    }

    /**
     * The iteration, ready to be simulated: the same for all questions of the same {@link #placed}. Cost and errors of
     * {@link #instance}.
     */
    public BuiltIteration build() {
        return BuiltIteration.of(instance());
    }

    /**
     * The answer within the limits, with circuits that fit into every replica. Cost as the planner states it. An
     * iteration that cannot be simulated in seconds is not searched: circuits by traffic, and how long it takes at
     * least.
     *
     * @throws RuntimeException what the planner throws, except {@link InfeasibleBudget}: a defect
     */
    public TopologyAnswer answer(TopologyPlanner planner, SearchLimits limits) {
        DeltaInstance instance;
        try {
            instance = instance();
        } catch (InfeasibleBudget | IllegalArgumentException e) {
            return new TopologyAnswer.None(String.valueOf(e.getMessage()), e instanceof InfeasibleBudget);
        }
        // before the search, which ends at the time limit
        BuiltIteration built = BuiltIteration.of(instance);
        boolean heavy = built.exceeds(MOST_PAIRS);
        try {
            DeltaSolution solution =
                    heavy ? new SquareRootPlanner().unsimulated(instance, goal) : planner.solve(instance, goal, limits);
            Optional<List<Integer>> dealt =
                    deal().realisable(solution.topology().circuits(), ports);
            if (dealt.isEmpty()) {
                return new TopologyAnswer.None(
                        "the ports are too few to join all replicas in a ring: each pod needs 2 for its neighbours",
                        true);
            }
            Prediction found = prediction(solution);
            if (heavy) {
                return new TopologyAnswer.Failed(
                        UNSIMULATED,
                        Optional.of(new TopologyAnswer.Found(unsimulated(found, dealt.get()), Optional.of(built))));
            }
            return new TopologyAnswer.Found(
                    dealt.get().equals(found.circuits())
                            ? found
                            : prediction(digest(), built, dealt.get(), solution.lowerBoundSeconds()),
                    Optional.of(built));
        } catch (InfeasibleBudget e) {
            return new TopologyAnswer.None(String.valueOf(e.getMessage()), true);
        }
    }

    /**
     * The answer if the solver gave none: circuits by traffic. Their prediction does not have the question's name, so
     * the question stays open. Cost of {@link SquareRootPlanner}.
     *
     * @param why the solver gave none
     */
    public TopologyAnswer unsolved(String why) {
        return switch (answer(new SquareRootPlanner(), SearchLimits.standard())) {
            case TopologyAnswer.Found found ->
                new TopologyAnswer.Failed(
                        why,
                        Optional.of(
                                new TopologyAnswer.Found(found.prediction().named(PART_OF + digest()), found.built())));
            case TopologyAnswer.None none -> none;
            case TopologyAnswer.Failed failed -> failed;
        };
    }

    /**
     * The prediction for fewer circuits than were answered. It does not have the question's name, so the whole answer
     * is tried again when there is room for it.
     *
     * @param built the iteration of this question
     * @param circuits one count per group of the instance
     * @param lowerBoundSeconds of the question, or of one with more ports
     */
    public Prediction predict(BuiltIteration built, List<Integer> circuits, double lowerBoundSeconds) {
        return prediction(PART_OF + digest(), built, circuits, lowerBoundSeconds);
    }

    /**
     * The same for an iteration that is too long to simulate: the figures of the previous circuits, on the ports still
     * in use. O(pods).
     */
    public Prediction unsimulated(Prediction of, List<Integer> circuits) {
        Deal deal = deal();
        return new Prediction(
                PART_OF + digest(),
                circuits,
                of.iterationSeconds(),
                of.lowerBoundSeconds(),
                of.nct(),
                IntStream.range(0, ports.size())
                        .map(pod -> deal.used(circuits, pod))
                        .sum(),
                of.portBudget(),
                false,
                of.bestSeconds());
    }

    private Prediction prediction(DeltaSolution solution) {
        return new Prediction(
                digest(),
                solution.topology().circuits(),
                solution.makespanSeconds(),
                solution.lowerBoundSeconds(),
                solution.nct(),
                solution.ports(),
                solution.portBudget(),
                solution.proved(),
                solution.makespanSeconds());
    }

    private Prediction prediction(String name, BuiltIteration built, List<Integer> circuits, double lowerBoundSeconds) {
        Topology topology = new Topology(circuits);
        double seconds = built.makespanSeconds(topology, goal.algorithm().rates());
        return new Prediction(
                name,
                circuits,
                seconds,
                Math.min(lowerBoundSeconds, seconds),
                built.nct(seconds),
                built.ports(topology),
                (int) Math.min(
                        Integer.MAX_VALUE,
                        ports.stream().mapToLong(Integer::longValue).sum()),
                false,
                seconds);
    }
}
