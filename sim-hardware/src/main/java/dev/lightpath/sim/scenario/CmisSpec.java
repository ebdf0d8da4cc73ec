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
        /** After another page is selected a module does not acknowledge for some milliseconds. */
        SLOW_PAGES,
        /** It does not acknowledge each third transaction. */
        BUSY,
        /** It has no vendor pages: it selects page 00h instead. */
        NO_VENDOR_PAGES,
        /** It calls itself the part of another maker. */
        OTHER_TYPE,
        /** A flag that was read, and stands, is set again only some transactions later. */
        LATE_FLAGS,
        /** It has no flags of lost light and no monitor of its power, and says so. */
        NO_FLAGS,
        /** It has no pages 20h to 2Fh, with monitors of bit errors, and says so. */
        NO_MONITORS,
        /** Another program on the bus selects page 10h after each transaction. */
        SECOND_PROGRAM,
        /** While it leads to a path it tells no position. */
        LOST_POSITION
    }
}
