package dev.lightpath.planner.world;

/** What a slice asks of its fabric. Immutable for the life of the slice. */
public sealed interface Demand {
    /** GPUs asked for. */
    int gpus();

    /**
     * TP groups on a ring.
     *
     * @param groups how many
     * @param gpusPerGroup the tensor-parallel degree; a multiple or a divisor of the GPUs of a node
     */
    record ScaleUp(int groups, int gpusPerGroup) implements Demand {
        public ScaleUp {
            if (groups < 1 || gpusPerGroup < 1) {
                throw new IllegalArgumentException(
                        "a demand of " + groups + " groups of " + gpusPerGroup + " GPUs; both are at least 1");
            }
        }

        @Override
        public int gpus() {
            return Math.multiplyExact(groups, gpusPerGroup);
        }
    }
}
