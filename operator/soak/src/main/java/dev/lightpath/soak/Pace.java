package dev.lightpath.soak;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.crds.fabric.policy.FabricPolicy;
import dev.lightpath.crds.fabric.policy.FaultPolicy;
import dev.lightpath.crds.fabric.policy.MassFailurePolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The waiting times of fabrics, which have to run as fast as the trace does: set for the study, put back after it. */
final class Pace implements AutoCloseable {
    private record Times(int clearSeconds, int windowSeconds) {}

    private final Acts acts;
    private final Map<String, Times> before = new HashMap<>();

    Pace(Cluster cluster, Acts acts, List<String> fabrics, double speed) {
        this.acts = acts;
        for (String name : fabrics) {
            FabricPolicy policy = cluster.fabric(name).getSpec().policy();
            FaultPolicy faults = policy == null || policy.faults() == null ? FaultPolicy.DEFAULT : policy.faults();
            MassFailurePolicy mass =
                    policy == null || policy.massFailure() == null ? MassFailurePolicy.DEFAULT : policy.massFailure();
            Times was = new Times(faults.clearSeconds(), mass.windowSeconds());
            before.put(name, was);
            set(name, new Times((int) (was.clearSeconds() / speed), Math.max(1, (int)
                    Math.round(was.windowSeconds() / speed))));
        }
    }

    private void set(String fabric, Times times) {
        acts.policy(
                fabric, Map.of("clearSeconds", times.clearSeconds()), Map.of("windowSeconds", times.windowSeconds()));
    }

    @Override
    public void close() {
        before.forEach(this::set);
    }
}
