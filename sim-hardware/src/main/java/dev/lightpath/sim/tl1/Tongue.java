package dev.lightpath.sim.tl1;

import dev.lightpath.sim.core.move.BatchOutcome;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.move.Move;
import dev.lightpath.sim.core.move.MoveOutcome;
import dev.lightpath.sim.managed.ManagedSwitch;
import java.util.ArrayList;
import java.util.List;

/** The commands of one maker, on one switch, for all sessions. */
sealed interface Tongue permits PolatisTongue, CalientTongue {
    /**
     * Carries out a command of somebody who has logged in.
     *
     * @param parts of the command: verb, name of the device, what it is about, tag, and the rest
     * @return the lines of the answer
     */
    List<String> carryOut(List<String> parts) throws Denied;

    /** A port of the switch, as this maker names it. */
    String port(String inside);

    /** A part of a command, empty where it is left out. */
    static String part(List<String> parts, int index) {
        return index < parts.size() ? parts.get(index) : "";
    }

    static List<String> quoted(List<String> lines) {
        return lines.stream().map(line -> "\"" + line + "\"").toList();
    }

    static Denied unknown() {
        return new Denied("ICNV", "Input, Command Not Valid");
    }

    /** @param settled whether to wait until all stands still */
    static void move(ManagedSwitch device, List<Move> disconnects, List<Move> connects, boolean settled) throws Denied {
        BatchOutcome outcome;
        try {
            outcome = settled ? device.move(disconnects, connects) : device.take(disconnects, connects);
        } catch (IllegalStateException e) {
            throw new Denied("SROF", String.valueOf(e.getMessage()));
        }
        List<MoveOutcome> all = new ArrayList<>(outcome.disconnects());
        all.addAll(outcome.connects());
        for (MoveOutcome each : all) {
            if (each.state() == ConnectionState.FAILED) {
                throw new Denied("SROF", each.text().isEmpty() ? each.error().name() : each.text());
            }
        }
    }
}
