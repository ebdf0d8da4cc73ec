package dev.lightpath.driver.adapter;

import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import java.util.OptionalDouble;

/**
 * A circuit as the device reports it.
 *
 * @param lossDb insertion loss the device measures, in dB; what is no number was not measured
 */
public record NativeCircuit(CircuitPair pair, CircuitState state, OptionalDouble lossDb) {
    public NativeCircuit {
        lossDb = Double.isFinite(lossDb.orElse(0)) ? lossDb : OptionalDouble.empty();
    }
}
