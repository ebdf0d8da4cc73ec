package dev.lightpath.sim.scenario;

import dev.lightpath.sim.scenario.Scenario.Endpoint;
import java.util.Set;

/**
 * Transceivers of a node that are also reached by CMIS, over a bus of TCP.
 *
 * @param device its id: a device of kind transceivers
 * @param listen where the bus is
 * @param quirks what it does differently from an honest device
 */
public record CmisSpec(String device, Endpoint listen, Set<Quirk> quirks) {
    /** Copies the quirks. */
    public CmisSpec {
        quirks = Set.copyOf(quirks);
    }

    /** How modules may differ. */
    public enum Quirk {
        /** After a page is selected a module does not acknowledge for some milliseconds. */
        SLOW_PAGES,
        /** It does not acknowledge each third transaction. */
        BUSY,
        /** It has no vendor pages: it selects page 00h instead. */
        NO_VENDOR_PAGES,
        /** It calls itself the part of another maker. */
        OTHER_TYPE
    }
}
