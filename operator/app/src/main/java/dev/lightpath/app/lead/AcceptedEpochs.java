package dev.lightpath.app.lead;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.reading.PolicyReader;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Strange epochs ({@link DriverState#strange}) that a person accepted by an annotation of the fabric. An epoch is never
 * given twice, so one that is accepted is gone for good, and all below it: one that is far above ours is not accepted.
 * Not safe for use by many threads.
 */
final class AcceptedEpochs {
    private static final Logger LOG = LoggerFactory.getLogger(AcceptedEpochs.class);

    /** Lines that are remembered; the eldest is forgotten first, and told again. */
    private static final int REMEMBERED = 256;

    private final Consumer<String> warn;
    private final SequencedSet<String> told = new LinkedHashSet<>();

    AcceptedEpochs() {
        this(line -> LOG.atWarn().log(line));
    }

    /** @param warn is told why an epoch is refused, once */
    AcceptedEpochs(Consumer<String> warn) {
        this.warn = warn;
    }

    /**
     * The highest of them, above which an epoch of ours has to be; 0 without one. O(fabrics x drivers).
     *
     * @param last the last epoch that was given here
     */
    long highest(
            Collection<OpticalFabric> fabrics,
            Function<OpticalFabric, String> role,
            Collection<DriverState> drivers,
            long last) {
        long highest = 0;
        for (OpticalFabric fabric : fabrics) {
            long accepted = PolicyReader.acceptedEpoch(fabric);
            for (DriverState driver : drivers) {
                EpochMark mark = driver.strange().get(role.apply(fabric));
                if (mark == null || mark.epoch() > accepted) {
                    continue;
                }
                long epoch = mark.epoch();
                if (mark.isTooHighAfter(last)) {
                    tell("fabric " + fabric.getMetadata().getName() + ": epoch " + epoch
                            + " is not accepted, because it is"
                            + " more than 2^20 above " + last
                            + ", the last one that was given here; set the epoch of the"
                            + " device (docs/operating.md, \"Epochs that a driver refuses\")");
                } else {
                    highest = Math.max(highest, epoch);
                }
            }
        }
        return highest;
    }

    private void tell(String line) {
        if (!told.add(line)) {
            return;
        }
        if (told.size() > REMEMBERED) {
            told.removeFirst();
        }
        warn.accept(line);
    }
}
