package dev.lightpath.driver;

import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Faults;
import dev.lightpath.conformance.bench.Inapplicable;

/**
 * Faults of an emulated switch whose protocol does not tell of a loss of power: its serial number only says that it is
 * the same.
 */
record SerialFaults(Faults emulated) implements Faults {
    @Override
    public void inject(Fault fault) throws Exception {
        if (fault instanceof Fault.PowerCycle) {
            throw new Inapplicable(JudgedDriver.NO_SUCH_FAULT + " that it tells of: PowerCycle");
        }
        emulated.inject(fault);
    }

    @Override
    public void mend() throws Exception {
        emulated.mend();
    }
}
