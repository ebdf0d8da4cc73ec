package dev.lightpath.planner.delta.iteration;

/**
 * How a model is spread over GPUs (Table I).
 *
 * @param tensor tensor-parallel degree (TP)
 * @param pipeline stages (PP)
 * @param context context-parallel degree (CP)
 * @param expert expert-parallel degree (EP), 1 for a dense model
 * @param expertTensor tensor-parallel degree inside an expert (ETP)
 * @param replicas copies of the whole model (R)
 */
public record Parallelism(int tensor, int pipeline, int context, int expert, int expertTensor, int replicas) {
    /** GPUs of one replica that can be told apart from those of its peer pods. */
    static final int MOST_GPUS = 1_000_000;

    /** @throws IllegalArgumentException naming the field and what is allowed */
    public Parallelism {
        require(tensor, "tensor");
        require(pipeline, "pipeline");
        require(context, "context");
        require(expert, "expert");
        require(expertTensor, "expertTensor");
        require(replicas, "replicas");
        long attention = (long) tensor * context;
        long stage = Math.max(attention, (long) expert * expertTensor);
        if (stage > MOST_GPUS / pipeline) {
            throw new IllegalArgumentException("pipeline: " + pipeline + " stages of " + stage
                    + " GPUs, allowed: at most " + MOST_GPUS + " GPUs per replica");
        }
        if (replicas > Integer.MAX_VALUE / (pipeline * stage)) {
            throw new IllegalArgumentException("replicas: " + replicas + ", allowed: at most "
                    + Integer.MAX_VALUE / (pipeline * stage) + " of " + pipeline * stage + " GPUs each");
        }
        if (stage % attention != 0) {
            throw new IllegalArgumentException("expert: " + expert + " x " + expertTensor + ", allowed: a multiple of "
                    + attention + " GPUs (tensor x context), or less");
        }
    }

    /**
     * From degrees as a job states them; O(1).
     *
     * @param tensor tensor-parallel degree
     * @param pipeline stages
     * @param data data-parallel degree over all ranks, of which an expert group holds several
     * @param context context-parallel degree
     * @param expert expert-parallel degree, 1 for a dense model
     * @throws IllegalArgumentException naming the degree and what is allowed, also when expert groups do not divide the
     *     data-parallel ranks
     */
    public static Parallelism ofDegrees(int tensor, int pipeline, int data, int context, int expert) {
        int ranksPerStage = new Parallelism(tensor, pipeline, context, expert, 1, 1).dataRanksPerStage();
        require(data, "data");
        if (data % ranksPerStage != 0) {
            throw new IllegalArgumentException("data: " + data + ", allowed: a multiple of " + ranksPerStage
                    + ", the data-parallel ranks inside an expert group");
        }
        return new Parallelism(tensor, pipeline, context, expert, 1, data / ranksPerStage);
    }

    /**
     * GPUs of one stage of one replica (Gs): max(TP * CP, EP * ETP), since an expert group stays in its pod (section
     * V-A1). O(1).
     */
    public int gpusPerStage() {
        return Math.max(tensor * context, expert * expertTensor);
    }

    /** Data-parallel ranks inside one stage: Gs / (TP * CP), 1 for a dense model. O(1). */
    public int dataRanksPerStage() {
        return gpusPerStage() / (tensor * context);
    }

    /**
     * Nodes of the whole job where each replica has pods of the fabric of its own, and each of these gives it whole
     * nodes. O(stages).
     *
     * @param stagesPerPod consecutive stages in one pod, at least 1; the last pod may hold fewer
     */
    public int nodes(int stagesPerPod, int gpusPerNode) {
        int ofReplica = 0;
        for (int stage = 0; stage < pipeline; stage += Math.min(stagesPerPod, pipeline)) {
            ofReplica += Math.ceilDiv(Math.min(stagesPerPod, pipeline - stage) * gpusPerStage(), gpusPerNode);
        }
        return ofReplica * replicas;
    }

    /** GPUs of the whole job: PP * Gs * R (Table I). O(1). */
    public int gpus() {
        return pipeline * gpusPerStage() * replicas;
    }

    private static void require(int value, String field) {
        if (value < 1) {
            throw new IllegalArgumentException(field + ": " + value + ", allowed: 1 or more");
        }
    }
}
