package dev.lightpath.driver.tl1;

import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import java.util.List;

/** What holds the ports of a switch while moves are made, and which commands make a move then. */
interface Standing {
    /** How a move is to be made. */
    sealed interface Step {
        /** It needs no command. */
        record Settled(MoveAnswer answer) implements Step {}

        /** By these commands, each only after the one before was done. */
        record Ask(List<Tl1Session.Command> commands) implements Step {
            public Ask {
                commands = List.copyOf(commands);
            }
        }
    }

    /** @param beside moves that are made at the same time, this one among them */
    Step step(Move move, List<Move> beside);

    /** The device did a break that it was asked for, or is about to be asked for a circuit. */
    void made(Move move);
}
