package dev.lightpath.sim.core.move;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The moves of one command and what has become of each so far; answers once. */
public final class Batch {
    private final int disconnects;
    private final List<Move> moves;
    private final MoveOutcome[] outcomes;
    private final LongSupplier nowNanos;
    private final Consumer<BatchOutcome> reply;
    private int open;
    private boolean waits;
    private boolean answered;

    public Batch(List<Move> disconnects, List<Move> connects, LongSupplier nowNanos, Consumer<BatchOutcome> reply) {
        this.disconnects = disconnects.size();
        this.nowNanos = nowNanos;
        this.reply = reply;
        moves = new ArrayList<>(disconnects);
        moves.addAll(connects);
        open = moves.size();
        outcomes = new MoveOutcome[moves.size()];
        for (int slot = 0; slot < outcomes.length; slot++) {
            outcomes[slot] = new MoveOutcome(moves.get(slot), ConnectionState.TUNING, MoveError.NONE, "", -1);
        }
    }

    public int size() {
        return moves.size();
    }

    public Move move(int slot) {
        return moves.get(slot);
    }

    public void done(int slot, ConnectionState reached) {
        end(slot, reached, MoveError.NONE, "");
    }

    public void fail(int slot, MoveError error, String text) {
        end(slot, ConnectionState.FAILED, error, text);
    }

    public void answerWhenSettled() {
        waits = true;
        answerIfSettled();
    }

    public void answer() {
        if (!answered) {
            answered = true;
            List<MoveOutcome> all = List.of(outcomes);
            reply.accept(new BatchOutcome(all.subList(0, disconnects), all.subList(disconnects, all.size())));
        }
    }

    /** The first end of a move counts: a device that said TUNED too early does not take it back. */
    private void end(int slot, ConnectionState reached, MoveError error, String text) {
        if (outcomes[slot].endedNanos() < 0) {
            outcomes[slot] = new MoveOutcome(moves.get(slot), reached, error, text, nowNanos.getAsLong());
            open--;
            answerIfSettled();
        }
    }

    private void answerIfSettled() {
        if (waits && open == 0) {
            answer();
        }
    }
}
