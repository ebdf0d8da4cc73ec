package dev.lightpath.sim.scenario;

import dev.lightpath.sim.scenario.Scenario.Endpoint;
import java.util.Set;

/**
 * A switch that is also managed over NETCONF, by the YANG module optical-switch.
 *
 * @param device the switch
 * @param listen where its SSH server listens
 * @param user the one user
 * @param password the password of that user
 * @param chunks whether it knows NETCONF base 1.1
 * @param candidate whether changes go through the candidate datastore; false: straight into running
 * @param notifications whether it sends notifications
 * @param revision revision of optical-switch in its hello
 * @param quirks what it does differently from an honest device
 */
public record NetconfSpec(
        String device,
        Endpoint listen,
        String user,
        String password,
        boolean chunks,
        boolean candidate,
        boolean notifications,
        String revision,
        Set<Quirk> quirks) {
    /** Copies the quirks. */
    public NetconfSpec {
        quirks = Set.copyOf(quirks);
    }

    /** How devices in the field, and servers without a device behind them, were seen to differ. */
    public enum Quirk {
        /** Takes every change, shows it when read, and moves nothing. */
        ECHO,
        /** A commit after a failed edit is ok, and makes what the edit had made by then. */
        COMMIT_AFTER_FAILED_EDIT,
        /** A third session is refused. */
        TWO_SESSIONS,
        /** A change of the shutter is ok, and does nothing. */
        SHUTTER_LIES,
        /** Has no shutters: the status of each port says so, and a change of one is refused. */
        NO_SHUTTERS,
        /** Between the first edit of the candidate and its commit it connects its last two free ports by itself. */
        MOVES_BY_ITSELF,
        /** Answers one message after the other, whatever the session, and takes its time for each. */
        SLOW_ANSWERS,
        /** Sends each notification some time after what it tells of. */
        LATE_NOTIFICATIONS,
        /** Sends each notification twice. */
        REPEATED_NOTIFICATIONS,
        /** Sends of two notifications in a row the second one first. */
        REORDERED_NOTIFICATIONS,
        /** Does not know the limits of alarms, and ends a session that asks for them. */
        ENDS_AT_LIMITS,
        /** Ends a session that has asked nothing for ten seconds, without a subscription, when it asks again. */
        ENDS_IDLE,
        /** Its limits of alarms name a port that it does not have. */
        STRANGE_LIMITS,
        /** Discards the candidate before it is committed; the commit is ok, and does nothing. */
        FORGETS_CANDIDATE
    }
}
