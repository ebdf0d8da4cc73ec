package dev.lightpath.reading.acceptance;

import dev.lightpath.crds.Reason;
import dev.lightpath.crds.job.Model;
import dev.lightpath.crds.job.Parallelism;
import dev.lightpath.crds.job.ScaleOut;
import dev.lightpath.crds.job.TorusShape;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobSpec;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.reading.TemplateSize;
import dev.lightpath.reading.TrafficReader;
import java.util.Optional;

/**
 * Why a job cannot be served as it is written, in the reason and the words of its condition. The rules are those that
 * need only a job and its fabrics, one by one; the operator and a preview ask the same.
 *
 * @param message what, where, what is allowed
 */
public record Misfit(Reason reason, String message) {

    /** @param asked the field that names the fabric */
    public static Misfit noFabric(String asked, String name) {
        return new Misfit(
                Reason.FABRIC_NOT_FOUND,
                asked + ": there is no OpticalFabric " + name + "; create it or name another in a new job");
    }

    public static Misfit noPriorityClass(String name) {
        return new Misfit(
                Reason.PRIORITY_CLASS_NOT_FOUND,
                "spec.priorityClassName: there is no PriorityClass " + name + "; create it, or name one that is there");
    }

    /** Of a job that has no JobSet yet. */
    public static Optional<Misfit> ofTemplate(TrainingJob job) {
        return TemplateSize.problem(job)
                .flatMap(problem -> because(Reason.INVALID_TEMPLATE, "spec.workload.template: " + problem));
    }

    /** Of what it asks of the fabric of spec.scaleUp. */
    public static Optional<Misfit> onRing(FabricKind fabric, TrainingJobSpec spec) {
        if (!fabric.transceivers()) {
            return because(
                    Reason.FABRIC_KIND_MISMATCH,
                    "spec.scaleUp.fabric: " + fabric.name()
                            + " has optical circuit switches (ocs); scaleUp needs transceivers (ocsTrx)");
        }
        int tensor = spec.parallelism().tensor();
        if (tensor % fabric.gpusPerNode() != 0 && fabric.gpusPerNode() % tensor != 0) {
            return because(
                    Reason.INVALID_PARALLELISM,
                    "spec.parallelism.tensor is " + tensor + "; on OpticalFabric " + fabric.name()
                            + " it must be a multiple or a divisor of its " + fabric.gpusPerNode() + " GPUs per node");
        }
        long perReplica = (long) tensor * spec.parallelism().groupsPerReplica();
        if (spec.parallelism().elastic() && perReplica % fabric.gpusPerNode() != 0) {
            return because(
                    Reason.INVALID_PARALLELISM,
                    "spec.parallelism.minimumData: a replica has " + perReplica + " GPUs, and nodes of OpticalFabric "
                            + fabric.name() + " have " + fabric.gpusPerNode()
                            + ": a job shrinks by whole nodes; omit minimumData, or choose whole nodes for a replica");
        }
        return Optional.empty();
    }

    /** Of what it asks of the fabric of spec.scaleOut. */
    public static Optional<Misfit> onSwitches(FabricKind fabric, TrainingJobSpec spec, ScaleOut scaleOut) {
        return scaleOut.torus() == null ? onPods(fabric, spec) : onCubes(fabric, spec, scaleOut.torus());
    }

    /** Whether circuits may follow the job's traffic, and whether it has any that makes sense. */
    private static Optional<Misfit> onPods(FabricKind fabric, TrainingJobSpec spec) {
        if (!fabric.logical()) {
            return because(
                    Reason.FABRIC_KIND_MISMATCH,
                    "spec.scaleOut.fabric: OpticalFabric " + fabric.name() + " has "
                            + (fabric.transceivers() ? "transceivers (ocsTrx)" : "a topology of its own")
                            + "; circuits that follow the job need one with ocs.topology.logical"
                            + (fabric.tori() ? ", or write scaleOut.torus" : ""));
        }
        try {
            TrafficReader.leastReplicas(spec.parallelism());
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return because(Reason.INVALID_PARALLELISM, "spec.parallelism." + e.getMessage());
        }
    }

    private static Optional<Misfit> onCubes(FabricKind fabric, TrainingJobSpec spec, TorusShape torus) {
        if (!fabric.tori()) {
            return because(
                    Reason.FABRIC_KIND_MISMATCH,
                    "spec.scaleOut.torus: OpticalFabric " + fabric.name()
                            + " makes no tori; name one with ocs.topology.twistedTorus");
        }
        int gpus = spec.parallelism().gpus();
        return spec.workload() == null || gpus <= Shape.parse(torus.chips()).volume()
                ? Optional.empty()
                : because(
                        Reason.INVALID_PARALLELISM,
                        "spec.parallelism asks for " + gpus + " GPUs; a torus of " + torus.chips() + " has "
                                + Shape.parse(torus.chips()).volume()
                                + " chips: ask for a larger one in scaleOut.torus.chips, or for fewer GPUs");
    }

    /**
     * Of a job that has no place yet. Expert groups are made of the ranks of a stage, whatever the tensor-parallel
     * degree inside an expert is.
     */
    public static Optional<Misfit> ofExperts(TrainingJobSpec spec) {
        Parallelism parallelism = spec.parallelism();
        if (parallelism.expert() == 1) {
            return Optional.empty();
        }
        Model model = spec.model();
        if (model != null && model.dense()) {
            return because(
                    Reason.INVALID_PARALLELISM,
                    "spec.parallelism.expert is " + parallelism.expert() + "; "
                            + (model.preset() != null
                                    ? "the model of spec.model.preset has no experts: omit expert"
                                    : "spec.model.shape says that all parameters work on each token, so the model has"
                                            + " no experts: omit expert, or write shape.activeParameters"));
        }
        long ranks = (long) parallelism.tensor() * parallelism.context() * parallelism.data();
        return ranks % parallelism.expert() == 0
                ? Optional.empty()
                : because(
                        Reason.INVALID_PARALLELISM,
                        "spec.parallelism.expert is " + parallelism.expert()
                                + "; allowed: a divisor of tensor * context * data, which is " + ranks);
    }

    /** A queue has the quota of all replicas counted; with another number of pods the JobSet would wait in it anew. */
    public static Optional<Misfit> inQueue(TrainingJob job) {
        return job.getSpec().parallelism().elastic() && JobQueue.of(job).isPresent()
                ? because(
                        Reason.NOT_SUPPORTED,
                        "spec.parallelism.minimumData: a job in a queue (label " + JobQueue.LABEL
                                + ") has the quota of all its replicas: omit minimumData or the label")
                : Optional.empty();
    }

    private static Optional<Misfit> because(Reason reason, String message) {
        return Optional.of(new Misfit(reason, message));
    }
}
