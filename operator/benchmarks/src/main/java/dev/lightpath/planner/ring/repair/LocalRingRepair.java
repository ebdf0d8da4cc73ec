package dev.lightpath.planner.ring.repair;

import dev.lightpath.planner.ring.FaultDraw;
import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.ring.placement.PlacementOutcome;
import dev.lightpath.planner.ring.placement.RingOrchestration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One local repair on a ring where groups of 4 nodes take 90 % of the nodes, spare nodes are spread and 5 % are faulty:
 * a random member fails, its group is repaired, and all is put back. Lives in the planner's package for its board.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class LocalRingRepair {

    private static final int SIZE = 4;

    @Param({"2048", "16384", "131072"})
    private int nodes = 2048;

    private RingBoard board = new RingBoard(RingFabric.of(RingShape.RING, 8, 3, 8), List.of());
    private LocalRepair repair = new LocalRepair(board, 0, 0);
    private Random random = new Random(1);
    private int[][] placed = new int[0][];
    private int group;
    private int node;
    private boolean mended;

    /** Places and draws anew for every iteration, so that wear does not add up. */
    @Setup(Level.Iteration)
    public void place() {
        RingFabric fabric = RingFabric.of(RingShape.RING, nodes, 3, 8);
        RingHealth health = RingHealth.faulty(FaultDraw.networkNumbers(nodes, 0.05, 1));
        RingDemand demand = new RingDemand(8 * SIZE, nodes * 9 / 10 / SIZE);
        var outcome = (PlacementOutcome.Placed) RingOrchestration.place(fabric, health, demand, Set.of());
        Set<Integer> free = IntStream.range(0, nodes).boxed().collect(Collectors.toSet());
        board = RingRepair.board(fabric, health, outcome.placement().groups(), free);
        repair = new LocalRepair(board, RingRepair.LOCAL_ROW, 2 * RingRepair.LOCAL_ROW * fabric.reach());
        random = new Random(1);
        this.placed = board.members.clone();
    }

    /** As JMH makes it. */
    public static LocalRingRepair of(int nodes) {
        LocalRingRepair repair = new LocalRingRepair();
        repair.nodes = nodes;
        repair.place();
        return repair;
    }

    /** A random member of a random group fails. */
    public void fail() {
        group = random.nextInt(board.members.length);
        node = board.members[group][random.nextInt(SIZE)];
        board.usable[node] = false;
    }

    /** Its group is repaired. */
    public void mend() {
        mended = repair.repair(group);
    }

    /** The placement and the failed node are as before. */
    public void putBack() {
        if (mended) {
            for (int moved : repair.changedRow()) {
                board.leave(moved);
            }
            for (int moved : repair.changedRow()) {
                board.seat(moved, placed[moved]);
            }
        }
        board.usable[node] = true;
    }

    /** Groups that changed; the placement and the failed node are then put back. */
    @Benchmark
    public int repair() {
        fail();
        mend();
        int changed = mended ? repair.changedRow().length : 0;
        putBack();
        return changed;
    }
}
