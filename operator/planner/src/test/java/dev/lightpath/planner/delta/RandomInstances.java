package dev.lightpath.planner.delta;

import dev.lightpath.planner.delta.model.CircuitGroup;
import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Dependency;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.PodPair;
import dev.lightpath.planner.delta.search.Boxes;
import dev.lightpath.planner.delta.simulation.FlowNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** Small instances of every shape: several jobs on shared pods, unequal flows, overlapping GPU sets, arbitrary DAGs. */
public final class RandomInstances {
    private final SplittableRandom random;

    public RandomInstances(long seed) {
        random = new SplittableRandom(seed);
    }

    public DeltaInstance next() {
        int podCount = 2 + random.nextInt(3);
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < podCount; i++) {
            pods.add(new Pod(i, 3 + random.nextInt(4), random.nextInt(5) > 0));
        }
        int taskCount = 1 + random.nextInt(9);
        List<CommunicationTask> tasks = new ArrayList<>();
        List<Dependency> dependencies = new ArrayList<>();
        for (int m = 0; m < taskCount; m++) {
            int source = random.nextInt(podCount);
            int destination = (source + 1 + random.nextInt(podCount - 1)) % podCount;
            double bytes = random.nextInt(8) == 0 ? 0 : 5 * (1 + random.nextInt(12));
            tasks.add(new CommunicationTask(
                    m, "t" + m, source, destination, 1 + random.nextInt(3), bytes, gpus(source), gpus(destination)));
            if (random.nextBoolean()) {
                dependencies.add(new Dependency(Dependency.START, m, random.nextInt(4)));
            }
            for (int pre = 0; pre < m; pre++) {
                if (random.nextInt(3) == 0) {
                    dependencies.add(new Dependency(pre, m, random.nextInt(3) * 0.5));
                }
            }
        }
        DeltaInstance instance = DeltaInstance.withGroupPerPair("random", 10, pods, tasks, dependencies);
        return random.nextInt(3) == 0 && instance.groups().size() > 1 ? tied(instance) : instance;
    }

    /** The first two groups become one decision. */
    private static DeltaInstance tied(DeltaInstance instance) {
        List<CircuitGroup> groups = new ArrayList<>(instance.groups());
        CircuitGroup first = groups.removeFirst();
        CircuitGroup second = groups.removeFirst();
        List<PodPair> pairs = new ArrayList<>(first.pairs());
        pairs.addAll(second.pairs());
        groups.add(new CircuitGroup(Math.min(first.maxCircuits(), second.maxCircuits()), false, pairs));
        return new DeltaInstance(
                "tied",
                instance.circuitBytesPerSecond(),
                instance.pods(),
                groups,
                instance.tasks(),
                instance.dependencies());
    }

    /** A topology inside the port limits, or one circuit everywhere when the pods allow no more. */
    public int[] topology(FlowNetwork network) {
        int[] circuits = Boxes.least(network);
        for (int tries = 0; tries < 6; tries++) {
            int g = random.nextInt(network.groups);
            circuits[g]++;
            if (!network.fits(circuits)) {
                circuits[g]--;
            }
        }
        return circuits;
    }

    private List<Integer> gpus(int pod) {
        TreeSet<Integer> chosen = new TreeSet<>();
        int wanted = 1 + random.nextInt(2);
        while (chosen.size() < wanted) {
            chosen.add(10 * pod + random.nextInt(3));
        }
        return List.copyOf(chosen);
    }
}
