package dev.lightpath.app.job.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.app.job.facts.JobSets;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathLabels;
import java.util.OptionalInt;

/**
 * Environment variables that tell the processes of a pod their place in the job, under the names that torchrun, JAX and
 * programs without a launcher read. A variable that the template sets stays as it is, and those that follow from it
 * refer to it ({@code $(NAME)}). torchrun's static rendezvous is used: its node rank is then the rank that has the
 * light, while a dynamic one gives ranks in the order of arrival.
 *
 * @param job name of the TrainingJob
 * @param jobSet whose headless service gives each pod its host name
 * @param nodes pods of the job
 * @param gpus GPUs of the job
 * @param gpuResource extended resource that counts GPUs
 */
record ProcessEnvironment(String job, String jobSet, int nodes, int gpus, String gpuResource) {
    private static final int TORCH_PORT = 29500;
    private static final int JAX_PORT = 29501;

    /** Completes the variables of all containers of a pod. */
    void complete(Iterable<JsonNode> containers) {
        boolean anyGpus = false;
        for (JsonNode container : containers) {
            anyGpus |= GpuLimit.of(container, gpuResource).orElse(0) > 0;
        }
        for (JsonNode container : containers) {
            if (container instanceof ObjectNode editable) {
                OptionalInt own = GpuLimit.of(container, gpuResource);
                OptionalInt processes = own.orElse(0) > 0
                        ? own
                        : anyGpus ? OptionalInt.empty() : OptionalInt.of(Math.ceilDiv(gpus, nodes));
                complete(Json.array(editable, "env"), processes);
            }
        }
    }

    /** @param processes that a launcher starts in the container; empty in one without GPUs beside one that has some */
    private void complete(ArrayNode env, OptionalInt processes) {
        Variables variables = new Variables(env);
        variables.set("NNODES", Integer.toString(nodes));
        variables.set("MASTER_ADDR", new PodHosts(jobSet).name(0));
        variables.set("MASTER_PORT", Integer.toString(TORCH_PORT));
        variables.refer("NODE_RANK", Json.annotation(JobSets.COMPLETION_INDEX));
        variables.set("PET_NNODES", "$(NNODES)");
        variables.set("PET_NODE_RANK", "$(NODE_RANK)");
        variables.set("PET_MASTER_ADDR", "$(MASTER_ADDR)");
        variables.set("PET_MASTER_PORT", "$(MASTER_PORT)");
        if (processes.isPresent()) {
            int each = processes.getAsInt();
            variables.set("NPROC_PER_NODE", Integer.toString(each));
            variables.set("PET_NPROC_PER_NODE", "$(NPROC_PER_NODE)");
            variables.set("WORLD_SIZE", Long.toString((long) nodes * each));
            if (each == 1) {
                variables.set("RANK", "$(NODE_RANK)");
                variables.set("LOCAL_RANK", "0");
            }
        }
        variables.set("JAX_COORDINATOR_ADDRESS", "$(MASTER_ADDR):" + JAX_PORT);
        variables.set("JAX_NUM_PROCESSES", "$(NNODES)");
        variables.set("JAX_PROCESS_ID", "$(NODE_RANK)");
        variables.set("LIGHTPATH_JOB", job);
        variables.refer("LIGHTPATH_ATTEMPT", "metadata.labels['" + LightpathLabels.ATTEMPT + "']");
        variables.refer("LIGHTPATH_RANK", Json.annotation(LightpathAnnotations.RANK));
        variables.refer("LIGHTPATH_GROUP", Json.annotation(LightpathAnnotations.GROUP));
    }

    private record Variables(ArrayNode env) {
        void set(String name, String value) {
            if (!Json.names(env, "name", name)) {
                env.addObject().put("name", name).put("value", value);
            }
        }

        void refer(String name, String fieldPath) {
            if (!Json.names(env, "name", name)) {
                env.addObject()
                        .put("name", name)
                        .putObject("valueFrom")
                        .putObject("fieldRef")
                        .put("fieldPath", fieldPath);
            }
        }
    }
}
