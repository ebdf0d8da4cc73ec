package dev.lightpath.sim.scenario;

import dev.lightpath.sim.scenario.Scenario.Endpoint;
import java.util.Set;

/**
 * A switch of two sides that is also managed over OpenFlow.
 *
 * @param device the switch
 * @param controller where it connects to
 * @param datapath its number, by which it says who it is
 * @param version on the wire: 4 for OpenFlow 1.3, 5 for 1.4
 * @param quirks what it does differently from an honest device
 */
public record OpenFlowSpec(String device, Endpoint controller, long datapath, int version, Set<Quirk> quirks) {
    /** OpenFlow 1.4 on the wire. */
    public static final int VERSION_14 = 5;

    /** Copies the quirks. */
    public OpenFlowSpec {
        quirks = Set.copyOf(quirks);
    }

    /** How devices may differ. */
    public enum Quirk {
        /** Takes no bundles, whatever its version. */
        NO_BUNDLES,
        /** Makes the first half of the circuits of a bundle, and says ok. */
        ACCEPTS_HALF,
        /** Takes its time for each message that it answers. */
        SLOW_ANSWERS,
        /** Ends the connection when it hears of a bundle. */
        ENDS_AT_BUNDLES
    }
}
