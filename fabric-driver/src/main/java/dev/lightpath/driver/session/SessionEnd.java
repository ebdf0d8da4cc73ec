package dev.lightpath.driver.session;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The end of a session: once and for good, with one reason. It ends every wait for an answer. */
public final class SessionEnd {
    private final AutoCloseable connection;
    private final CompletableFuture<LostException> end = new CompletableFuture<>();

    /** @param connection closed at the end */
    public SessionEnd(AutoCloseable connection) {
        this.connection = connection;
    }

    /** Why it is over; empty while it is not. */
    public String why() {
        LostException why = end.getNow(null);
        return why == null ? "" : String.valueOf(why.getMessage());
    }

    /** @throws LostException when it is over */
    public void requireOpen() throws LostException {
        if (end.isDone()) {
            throw new LostException(why());
        }
    }

    /** Ends it; the first reason stays. Returns the given one, to be thrown. */
    public LostException lose(LostException why) {
        boolean first = end.complete(why);
        try {
            connection.close();
        } catch (Exception e) {
            // it is gone already
        }
        return why;
    }

    /**
     * Ends the session for an answer that did not come in time: in whole seconds, so that what is left of a deadline
     * makes no other reason each time.
     *
     * @param missing for people
     */
    public LostException late(String missing, Duration within) {
        return lose(new LostException(missing + " within " + Math.ceilDiv(within.toMillis(), 1000) + " s"));
    }

    /**
     * Waits for an answer. One that does not come in time ends the session.
     *
     * @param otherwise what is missing then, for people
     */
    public <T> T await(CompletableFuture<T> answer, Duration within, String otherwise) throws LostException {
        try {
            var unused = CompletableFuture.anyOf(answer, end).get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw late(otherwise, within);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw lose(new LostException("the driver is stopping"));
        } catch (ExecutionException e) {
            throw new IllegalStateException("answers and ends are values", e);
        }
        if (!answer.isDone()) {
            throw new LostException(why());
        }
        return answer.join();
    }
}
