package dev.lightpath.app.lead;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.reading.PolicyReader;
import java.util.Collection;
import java.util.function.Function;

/** Strange epochs ({@link DriverState#strange}) that a person accepted by an annotation of the fabric. */
final class AcceptedEpochs {
    private AcceptedEpochs() {}

    /** The highest of them, above which an epoch of ours has to be; 0 without one. O(fabrics x drivers). */
    static long highest(
            Collection<OpticalFabric> fabrics, Function<OpticalFabric, String> role, Collection<DriverState> drivers) {
        long highest = 0;
        for (OpticalFabric fabric : fabrics) {
            long accepted = PolicyReader.acceptedEpoch(fabric);
            for (DriverState driver : drivers) {
                var mark = driver.strange().get(role.apply(fabric));
                if (mark != null && mark.epoch() <= accepted) {
                    highest = Math.max(highest, mark.epoch());
                }
            }
        }
        return highest;
    }
}
