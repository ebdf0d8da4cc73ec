package dev.lightpath.app.whole;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.proto.emulator.v1alpha1.DeviceTruth;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How everything stands, as lines: light, records, conditions, pods. Left out is what tells how one came here and not
 * where one is: revisions and origins of records, times, messages, epochs, names made of UIDs, and the attempt of a job
 * that stands nowhere.
 */
final class EndState {
    private EndState() {}

    static SortedSet<String> of(Installation all) {
        SortedSet<String> lines = new TreeSet<>();
        for (DeviceTruth device : all.chaos
                .getGroundTruth(GetGroundTruthRequest.getDefaultInstance())
                .getDevicesList()) {
            device.getCircuitsList()
                    .forEach(circuit -> lines.add(
                            "light " + device.getDeviceId() + " " + circuit.getIngress() + "->" + circuit.getEgress()));
        }
        for (TrainingJob job :
                all.client.resources(TrainingJob.class).inAnyNamespace().list().getItems()) {
            String name = "job " + job.getMetadata().getName();
            lines.add(name + " finalizers " + job.getMetadata().getFinalizers());
            if (job.getStatus() != null) {
                conditions(name, job.getStatus().conditions(), lines);
                lines.add(name + " holds " + job.getStatus().gpus() + " GPUs");
            }
        }
        all.client
                .resources(FabricSlice.class)
                .inAnyNamespace()
                .list()
                .getItems()
                .forEach(slice -> slice(slice, lines));
        for (OpticalFabric fabric :
                all.client.resources(OpticalFabric.class).list().getItems()) {
            String name = "fabric " + fabric.getMetadata().getName();
            if (fabric.getStatus() != null) {
                conditions(name, fabric.getStatus().conditions(), lines);
                lines.add(name + " quarantined " + fabric.getStatus().quarantinedPorts());
                fabric.getStatus().faults().forEach(fault -> lines.add(name + " fault " + fault.subject()));
            }
        }
        all.client.pods().inNamespace("default").list().getItems().forEach(pod -> pod(pod, lines));
        all.client
                .nodes()
                .list()
                .getItems()
                .forEach(node -> node.getStatus().getConditions().stream()
                        .filter(condition -> condition.getType().startsWith("Optical"))
                        .forEach(condition ->
                                lines.add("node " + node.getMetadata().getName() + " " + condition.getType() + " "
                                        + condition.getStatus())));
        return lines;
    }

    /**
     * Whether the line says that more is to come or to go. A job may wait for its pods for ever; one that has completed
     * gives back what it had.
     */
    static boolean isUnderWay(String line) {
        return line.startsWith("job ")
                ? line.endsWith(" Reconciling True JobCompleted")
                : line.contains(" Reconciling True ") || line.contains(" releases Releasing");
    }

    private static void conditions(String name, Collection<Condition> conditions, SortedSet<String> lines) {
        conditions.forEach(condition -> lines.add(
                name + " " + condition.getType() + " " + condition.getStatus() + " " + condition.getReason()));
    }

    private static void slice(FabricSlice slice, SortedSet<String> lines) {
        var job = slice.getSpec().job();
        String name = "slice of " + (job == null ? "no job" : job.name() + " attempt " + job.attempt()) + " on "
                + slice.getSpec().fabric();
        lines.add(name);
        if (slice.getStatus() == null) {
            return;
        }
        conditions(name, slice.getStatus().conditions(), lines);
        Allocation record = slice.getStatus().allocation();
        if (record != null) {
            record.groups()
                    .forEach(group -> lines.add(
                            name + " group " + group.index() + " " + group.nodes() + " at " + group.positions()));
            record.circuits().forEach(of -> lines.add(name + " circuits " + of.opticalSwitch() + " " + of.circuits()));
            lines.add(name + (record.releasing() == null ? " releases nothing" : " releases " + record.releasing()));
        }
    }

    private static void pod(Pod pod, SortedSet<String> lines) {
        List<PodSchedulingGate> gates = pod.getSpec().getSchedulingGates();
        lines.add("pod " + pod.getMetadata().getName().replaceAll("-[0-9a-z]{5}(?=-workers-)", "") + " gates "
                + gates.stream().map(PodSchedulingGate::getName).toList()
                + " rank " + pod.getMetadata().getAnnotations().get("lightpath.dev/rank") + " "
                + pod.getSpec().getAffinity());
    }
}
