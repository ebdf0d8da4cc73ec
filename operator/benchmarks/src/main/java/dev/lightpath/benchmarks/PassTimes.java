package dev.lightpath.benchmarks;

import dev.lightpath.planner.engine.decision.Decision;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * What each pass of the life of one fault costs, on rings of 8-GPU nodes with a job for each ten: the wake-up at rest
 * before it, the pass that decides the repair, the one that starts the change once the repair is recorded, the one that
 * sees the new light, and those in which the node is well again and its fault clears. Other nodes of other jobs fail in
 * turn. Then 64 nodes fail at once. Run by hand:
 * {@code java -cp benchmarks.jar dev.lightpath.benchmarks.PassTimes [NODES [FAULTS]]}.
 */
public final class PassTimes {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int BURST = 64;
    private static final int BURSTS = 5;
    private static final int[] SIZES = {1000, 4096, 16_384};

    private final PlannedRing ring;
    private final int faults;

    private PassTimes(PlannedRing ring, int faults) {
        this.ring = ring;
        this.faults = faults;
    }

    public static void main(String[] arguments) {
        Arguments.run(new Wish(), arguments);
    }

    @Command(name = "PassTimes", mixinStandardHelpOptions = true)
    private static final class Wish implements Callable<Integer> {
        @Parameters(index = "0", arity = "0..1", paramLabel = "NODES", description = "1000, 4096 and 16384")
        private @Nullable Integer nodes;

        @Parameters(
                index = "1",
                arity = "0..1",
                paramLabel = "FAULTS",
                description = "that are measured after as many to warm up: ${DEFAULT-VALUE}")
        private int faults = 200;

        @Override
        public Integer call() {
            for (int size : nodes == null ? SIZES : new int[] {nodes}) {
                new PassTimes(new PlannedRing(size, 8, 1), faults).measure(size);
            }
            return 0;
        }
    }

    private void measure(int nodes) {
        Times rest = new Times();
        Times soon = new Times();
        Times fault = new Times();
        Times recorded = new Times();
        Times lit = new Times();
        Times mended = new Times();
        Times cleared = new Times();
        for (int run = -faults; run < faults; run++) {
            if (run == 0) {
                List.of(rest, soon, fault, recorded, lit, mended, cleared).forEach(Times::clear);
            }
            int node = ring.member(Math.floorMod(run * 7, ring.jobs()));
            ring.later(Duration.ofSeconds(5));
            rest.take(ring);
            ring.later(Duration.ofMillis(20));
            soon.take(ring);
            ring.fail(node);
            fault.take(ring);
            if (!(ring.decision() instanceof Decision.Adopt)) {
                throw new IllegalStateException("node " + node + " failed, and what was decided is " + ring.decision());
            }
            ring.carryOut();
            recorded.take(ring);
            while (!ring.atRest()) {
                ring.carryOut();
                lit.take(ring);
            }
            ring.mend(node);
            mended.take(ring);
            ring.later(Duration.ofMinutes(20));
            cleared.take(ring);
            ring.settle();
        }
        rest.print(nodes, "at rest, 5 s later");
        soon.print(nodes, "at rest, 20 ms later");
        fault.print(nodes, "a node fails");
        recorded.print(nodes, "its repair is recorded");
        lit.print(nodes, "a change is carried out");
        mended.print(nodes, "the node is well again");
        cleared.print(nodes, "its fault clears");
        bursts(nodes);
    }

    /** As many nodes of different jobs fail at once as one power supply has. */
    private void bursts(int nodes) {
        Times fault = new Times();
        Times recorded = new Times();
        for (int run = -BURSTS; run < BURSTS; run++) {
            if (run == 0) {
                List.of(fault, recorded).forEach(Times::clear);
            }
            List<Integer> broken = new ArrayList<>();
            for (int each = 0; each < Math.min(BURST, ring.jobs()); each++) {
                int node = ring.member(Math.floorMod(run * BURST + each, ring.jobs()));
                broken.add(node);
                ring.fail(node);
            }
            fault.take(ring);
            ring.carryOut();
            recorded.take(ring);
            ring.settle();
            broken.forEach(ring::mend);
            ring.settle();
            ring.later(Duration.ofMinutes(20));
            ring.settle();
        }
        fault.print(nodes, "64 nodes fail at once");
        recorded.print(nodes, "64 repairs are recorded");
    }

    /** Of passes of one kind, in ns. */
    private static final class Times {
        private final List<Long> cpu = new ArrayList<>();
        private final List<Long> clock = new ArrayList<>();

        void take(PlannedRing ring) {
            long cpuStart = THREADS.getCurrentThreadCpuTime();
            long start = System.nanoTime();
            ring.decide();
            clock.add(System.nanoTime() - start);
            cpu.add(THREADS.getCurrentThreadCpuTime() - cpuStart);
        }

        void clear() {
            cpu.clear();
            clock.clear();
        }

        void print(int nodes, String what) {
            System.out.printf(
                    Locale.ROOT,
                    "%6d nodes  %-24s thread CPU p50 %8.3f  p99 %8.3f ms   clock p50 %8.3f  p99 %8.3f ms   %d passes%n",
                    nodes,
                    what,
                    of(cpu, 50),
                    of(cpu, 99),
                    of(clock, 50),
                    of(clock, 99),
                    cpu.size());
        }

        private static double of(List<Long> times, int percent) {
            List<Long> sorted = times.stream().sorted().toList();
            return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100)) / 1e6;
        }
    }
}
