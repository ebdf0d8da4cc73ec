package dev.lightpath.studies.evaluation;

import java.util.List;

/**
 * What the interconnect of one architecture costs and draws, from its components (InfinitePOD Table 8).
 *
 * @param gpus GPUs that the components serve
 * @param gbytePerSecondPerGpu bandwidth of one GPU in GB/s
 */
public record InterconnectCost(String name, int gpus, double gbytePerSecondPerGpu, List<Component> components) {

    /**
     * @param unitDollars price of one
     * @param unitWatts power of one
     */
    public record Component(String name, int quantity, double unitDollars, double unitWatts) {}

    public InterconnectCost {
        components = List.copyOf(components);
    }

    public double dollarsPerGpu() {
        return components.stream()
                        .mapToDouble(c -> c.quantity() * c.unitDollars())
                        .sum()
                / gpus;
    }

    public double wattsPerGpu() {
        return components.stream()
                        .mapToDouble(c -> c.quantity() * c.unitWatts())
                        .sum()
                / gpus;
    }

    public double dollarsPerGpuPerGbyte() {
        return dollarsPerGpu() / gbytePerSecondPerGpu;
    }

    public double wattsPerGpuPerGbyte() {
        return wattsPerGpu() / gbytePerSecondPerGpu;
    }

    /** All rows of Table 8, in its order. */
    public static List<InterconnectCost> tableEight() {
        Component dac = new Component("DAC 200G", 0, 35.60, 0.1);
        return List.of(
                new InterconnectCost(
                        "TPUv4",
                        4096,
                        300,
                        List.of(
                                new Component("OCS", 48, 80_000, 108),
                                new Component("DAC cable", 5120, 63.60, 0.1),
                                new Component("optical module", 6144, 360, 12),
                                new Component("fibre", 6144, 6.80, 0))),
                nvl("NVL-36", 36, 9, 2592, dac, List.of()),
                nvl("NVL-72", 72, 18, 5184, dac, List.of()),
                nvl("NVL-36x2", 72, 36, 6480, dac, List.of(new Component("ACC cable", 162, 320, 2.5))),
                nvl(
                        "NVL-576",
                        576,
                        432,
                        41_472,
                        dac,
                        List.of(new Component("optical module", 4608, 850, 25), new Component("fibre", 4608, 6.80, 0))),
                new InterconnectCost(
                        "Alibaba HPN",
                        16_320,
                        50,
                        List.of(
                                new Component("EPS", 360, 14_960, 3145),
                                new Component("DAC cable", 32_640, 35.60, 0.1),
                                new Component("optical module", 28_800, 360, 12),
                                new Component("fibre", 14_400, 6.80, 0))),
                infinitePod(2, 4, 16),
                infinitePod(3, 2, 24));
    }

    private static InterconnectCost nvl(
            String name, int gpus, int switches, int cables, Component dac, List<Component> more) {
        List<Component> components = new java.util.ArrayList<>();
        components.add(new Component("NVLink switch", switches, 28_000, 275));
        components.add(new Component("DAC cable", cables, dac.unitDollars(), dac.unitWatts()));
        components.addAll(more);
        return new InterconnectCost(name, gpus, 900, components);
    }

    private static InterconnectCost infinitePod(int reach, int cables, int modules) {
        return new InterconnectCost(
                "InfinitePOD K=" + reach,
                4,
                800,
                List.of(
                        new Component("DAC cable 1.6T", cables, 199.60, 0.1),
                        new Component("OCSTrx module", modules, 600, 12),
                        new Component("fibre", modules, 6.80, 0)));
    }
}
