package dev.lightpath.sim.scenario;

import dev.lightpath.sim.scenario.Scenario.Endpoint;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * A switch that is also managed over gNMI, by the YANG modules sonic-ocs and sonic-ocs-states.
 *
 * @param device the switch
 * @param listen where it listens
 * @param user the one user
 * @param password the password of that user
 * @param tls empty: plaintext
 * @param quirks what it does differently from an honest device
 */
public record GnmiSpec(
        String device, Endpoint listen, String user, String password, Optional<Identity> tls, Set<Quirk> quirks) {
    /** Copies the quirks. */
    public GnmiSpec {
        quirks = Set.copyOf(quirks);
    }

    /**
     * How it shows itself: PEM files.
     *
     * @param certificate its certificate
     * @param key the key of that
     */
    public record Identity(Path certificate, Path key) {}

    /** How devices may differ. */
    public enum Quirk {
        /**
         * Paths without modules and values without the name of their node, as the specification has it; else as SONiC.
         */
        BARE_NAMES,
        /** A cross-connect of a port in use takes the place of what is there. */
        REPLACES,
        /** Of several cross-connects it makes the first half, and says ok. */
        ACCEPTS_HALF,
        /** Of several cross-connects it makes the first half, and says that it made none. */
        REFUSES_HALF,
        /** Takes every cross-connect, says that it is tuning, and moves nothing. */
        NEVER_TUNES,
        /** Takes every cross-connect, says that it is tuned, and moves nothing. */
        ECHO,
        /** Has no module sonic-ocs-states: shows what it was told, and answers when that is done. */
        NO_STATES,
        /** Takes no subscription of changes. */
        NO_ON_CHANGE,
        /** Takes one stream; a second one is refused. */
        ONE_STREAM,
        /** Ends a stream after each message. */
        SHORT_STREAMS,
        /** Refuses changes with the extension for master arbitration. */
        NO_ARBITRATION,
        /** Ends the connection when one call asks for several paths. */
        ENDS_AT_SEVERAL,
        /** Answers one call after the other, whatever the client, and takes its time for each. */
        SLOW_ANSWERS
    }
}
