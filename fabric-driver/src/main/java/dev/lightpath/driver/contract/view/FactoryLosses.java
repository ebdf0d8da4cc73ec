package dev.lightpath.driver.contract.view;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/** The insertion loss that the factory measured of each path of a device, in dB. A large switch has a million paths. */
public final class FactoryLosses {
    public static final FactoryLosses NONE = new FactoryLosses(List.of());

    private final Map<String, Integer> places = new HashMap<>();
    private final Map<String, double[]> losses = new HashMap<>();

    /** @param entries as the device lists them; what is no number is left out */
    public FactoryLosses(List<FactoryLoss> entries) {
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
