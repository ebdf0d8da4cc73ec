package dev.lightpath.planner.delta.iteration;

/**
 * A language model as far as the traffic and time of a training iteration depend on it (section V-A1, Table I).
 *
 * @param layers transformer layers
 * @param hiddenSize width of an activation
 * @param attentionHeads query heads of a layer
 * @param headDimension width of a query and key head
 * @param valueHeadDimension width of a value head
 * @param totalParameters parameters whose gradients are exchanged
 * @param activeParameters parameters a token meets (equal to the total for a dense model without its embedding)
 * @param effectiveTeraflopsPerGpu achieved speed of a GPU, 10^12 operations per second
 */
public record ModelShape(
        int layers,
        int hiddenSize,
        int attentionHeads,
        int headDimension,
        int valueHeadDimension,
        double totalParameters,
        double activeParameters,
        double effectiveTeraflopsPerGpu) {
    /** @throws IllegalArgumentException naming the field and what is allowed */
    public ModelShape {
        require(layers, "layers");
        require(hiddenSize, "hiddenSize");
        require(attentionHeads, "attentionHeads");
        require(headDimension, "headDimension");
        require(valueHeadDimension, "valueHeadDimension");
        require(totalParameters, "totalParameters");
        require(activeParameters, "activeParameters");
        require(effectiveTeraflopsPerGpu, "effectiveTeraflopsPerGpu");
        if (activeParameters > totalParameters) {
            throw new IllegalArgumentException("activeParameters: " + activeParameters + ", allowed: at most "
                    + totalParameters + ", all parameters");
        }
    }

    /**
     * A dense decoder: 12 L h^2 + 13 L h + 2 V h parameters, all but one embedding active.
     *
     * @param layers transformer layers (L)
     * @param hiddenSize width of an activation (h)
     * @param attentionHeads query heads of a layer; keys and values are hiddenSize / attentionHeads wide
     * @param vocabularySize tokens of the vocabulary (V)
     * @param effectiveTeraflopsPerGpu 10^12 operations per second
     * @throws IllegalArgumentException naming the field and what is allowed
     */
    public static ModelShape dense(
            int layers, int hiddenSize, int attentionHeads, int vocabularySize, double effectiveTeraflopsPerGpu) {
        require(attentionHeads, "attentionHeads");
        double l = layers;
        double h = hiddenSize;
        double embedding = (double) vocabularySize * h;
        double total = 12 * l * h * h + 13 * l * h + 2 * embedding;
        int head = hiddenSize / attentionHeads;
        return new ModelShape(
                layers, hiddenSize, attentionHeads, head, head, total, total - embedding, effectiveTeraflopsPerGpu);
    }

    /**
     * Operations of causal attention per squared token of a sequence (A of {@link TrainingWorkload#forwardSeconds}):
     * sum over layers of heads * (key width + value width). O(1).
     */
    public double attentionWidth() {
        return (double) layers * attentionHeads * (headDimension + valueHeadDimension);
    }

    private static void require(double value, String field) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(field + ": " + value + ", allowed: above 0");
        }
    }
}
