package dev.lightpath.driver.contract.view;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/** The insertion loss that the factory measured of each path of a device, in dB. A large switch has a million paths. */
public final class FactoryLosses {
    public static final FactoryLosses NONE = new FactoryLosses(List.of());

    /** Of all pairs of ports that are named, measured or not: 32 MiB. */
    private static final long MOST_PLACES = 4 << 20;

    private final Map<String, Integer> places = new HashMap<>();
    private final Map<String, double[]> losses = new HashMap<>();

    /**
     * Empty where the table is too large to be kept.
     *
     * @param entries as the device lists them; what is no number is left out
     */
    public static Optional<FactoryLosses> of(List<FactoryLoss> entries) {
        long ingress = entries.stream().map(FactoryLoss::getIngress).distinct().count();
        long egress = entries.stream().map(FactoryLoss::getEgress).distinct().count();
        return ingress * egress > MOST_PLACES ? Optional.empty() : Optional.of(new FactoryLosses(entries));
    }

    private FactoryLosses(List<FactoryLoss> entries) {
        entries.forEach(each -> places.putIfAbsent(each.getEgress(), places.size()));
        for (FactoryLoss each : entries) {
            if (Double.isFinite(each.getLossDb())) {
                double[] row = losses.computeIfAbsent(each.getIngress(), ingress -> {
                    double[] unknown = new double[places.size()];
                    Arrays.fill(unknown, Double.NaN);
                    return unknown;
                });
                row[Objects.requireNonNull(places.get(each.getEgress()))] = each.getLossDb();
            }
        }
    }

    /** Empty where the factory measured nothing. */
    OptionalDouble lossDb(CircuitPair pair) {
        double[] row = losses.get(pair.ingress());
        Integer place = places.get(pair.egress());
        return row == null || place == null || Double.isNaN(row[place])
                ? OptionalDouble.empty()
                : OptionalDouble.of(row[place]);
    }
}
