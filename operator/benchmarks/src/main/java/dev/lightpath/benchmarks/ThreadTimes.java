package dev.lightpath.benchmarks;

import dev.lightpath.planner.ring.repair.LocalRingRepair;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;

/**
 * The ring's benchmarks timed twice, by the thread's own CPU time and by the clock. On a machine shared with other work
 * the first is the cost of the code, the second is what a user waits. Run by hand:
 * {@code java -cp benchmarks.jar dev.lightpath.benchmarks.ThreadTimes}.
 */
public final class ThreadTimes {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ThreadTimes() {}

    /** Prints a line for each. */
    public static void main(String[] arguments) {
        for (int nodes : new int[] {2048, 16_384, 131_072}) {
            LocalRingRepair repair = LocalRingRepair.of(nodes);
            time("local repair, " + nodes + " nodes", 200_000, repair::fail, repair::mend, repair::putBack);
        }
        for (int gpus : new int[] {131_072, 1_048_576}) {
            RingPlacement placement = RingPlacement.of(gpus);
            int times = gpus == 131_072 ? 40 : 10;
            time("Algorithm 5, " + gpus + " GPUs", times, () -> {}, placement::algorithmFive, () -> {});
            time("exact plan, " + gpus + " GPUs", times / 5, () -> {}, placement::exact, () -> {});
        }
        SpinePass spine = SpinePass.of();
        System.out.println("64 pods, 16 switches, 50 jobs: " + spine.circuits() + " circuits");
        time("pass at rest, 50 jobs", 200, () -> {}, spine::atRest, () -> {});
        time("port fault to rest, 50 jobs", 50, () -> {}, spine::portFault, () -> {});
        time("64 circuits of a switch to rest, 50 jobs", 10, () -> {}, spine::switchFault, () -> {});
        SpinePass large = SpinePass.ofPods(256);
        System.out.println("256 pods, 64 switches, 200 jobs: " + large.circuits() + " circuits");
        time("pass at rest, 200 jobs", 20, () -> {}, large::atRest, () -> {});
        time("port fault to rest, 200 jobs", 5, () -> {}, large::portFault, () -> {});
        time("64 circuits of a switch to rest, 200 jobs", 5, () -> {}, large::switchFault, () -> {});
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        System.out.println("heap in use " + (runtime.totalMemory() - runtime.freeMemory()) / 1_000_000 + " MB");
    }

    private static void time(String name, int times, Runnable before, Runnable work, Runnable after) {
        long[] cpu = new long[times];
        long[] clock = new long[times];
        for (int run = -times; run < times; run++) {
            before.run();
            long cpuStart = THREADS.getCurrentThreadCpuTime();
            long start = System.nanoTime();
            work.run();
            long took = System.nanoTime() - start;
            long cpuTook = THREADS.getCurrentThreadCpuTime() - cpuStart;
            after.run();
            if (run >= 0) {
                cpu[run] = cpuTook;
                clock[run] = took;
            }
        }
        Arrays.sort(cpu);
        Arrays.sort(clock);
        System.out.println(String.format(
                Locale.ROOT,
                "%-32s thread CPU p50 %10.1f  p99 %10.1f us   clock p50 %10.1f  p99 %10.1f us   %d runs",
                name,
                cpu[times / 2] / 1e3,
                cpu[times * 99 / 100] / 1e3,
                clock[times / 2] / 1e3,
                clock[times * 99 / 100] / 1e3,
                times));
    }
}
