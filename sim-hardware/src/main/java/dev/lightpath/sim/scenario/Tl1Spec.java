package dev.lightpath.sim.scenario;

import dev.lightpath.sim.scenario.Scenario.Endpoint;
import java.util.Set;

/**
 * A switch that is also managed over TL1.
 *
 * @param device the switch
 * @param listen where it listens
 * @param user the one user
 * @param password the password of that user
 * @param dialect whose commands it takes
 * @param name its name (TID), as its answers begin
 * @param quirks what it does differently from an honest device
 */
public record Tl1Spec(
        String device, Endpoint listen, String user, String password, Dialect dialect, String name, Set<Quirk> quirks) {
    /** Copies the quirks. */
    public Tl1Spec {
        quirks = Set.copyOf(quirks);
    }

    /** Whose commands a switch takes. */
    public enum Dialect {
        POLATIS,
        /** Ports are 1.1.1 and so on, each with a fibre in and a fibre out, on a switch of two sides. */
        CALIENT
    }

    /** How devices may differ. */
    public enum Quirk {
        /** A circuit of a port in use takes the place of what is there. */
        REPLACES,
        /** Long answers come in several blocks. */
        BLOCKS,
        /** Repeats what it is sent, as a terminal does, and acknowledges it first. */
        TERMINAL,
        /** Has no power meters. */
        NO_METERS,
        /** Answers an activation of a connection when its mirrors stand still. Calient only; others say so later. */
        WAITS,
        /** Lists a patch when its mirrors stand still. */
        LISTS_WHEN_DONE,
        /** Lets nobody in while somebody is logged in. */
        ONE_SESSION,
        /** Logs out who has given no command for ten seconds, and keeps the connection. */
        LOGS_OUT,
        /** Repeats in a refusal the command that it refuses. */
        QUOTES_INPUT,
        /** Answers one command after the other, whatever the session, and takes its time for each. */
        SLOW_ANSWERS
    }
}
