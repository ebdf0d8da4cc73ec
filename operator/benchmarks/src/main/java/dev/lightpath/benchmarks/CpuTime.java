package dev.lightpath.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Processor time of the whole Java machine for one operation, milliseconds: a figure that other work on the machine
 * hardly changes. {@code -prof dev.lightpath.benchmarks.CpuTime}
 */
public final class CpuTime implements InternalProfiler {
    private static final double NANOS_PER_MILLI = 1e6;

    private final OperatingSystemMXBean system =
            (OperatingSystemMXBean) ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private long before;

    @Override
    public String getDescription() {
        return "processor time of the process for one operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = system.getProcessCpuTime();
    }

    @Override
    public List<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double used = (system.getProcessCpuTime() - before) / NANOS_PER_MILLI;
        long operations = Math.max(1, result.getMetadata().getAllOps());
        return List.of(new ScalarResult("cpu", used / operations, "ms/op", AggregationPolicy.AVG));
    }
}
