package dev.lightpath.app.access;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Admits HTTP callers: identified, few at once, and for a limited time. */
@Singleton
public class Door {
    private static final Logger LOG = LoggerFactory.getLogger(Door.class);

    static final int MOST_ANSWERS = 4;
    static final int MOST_ANSWERS_FOR_ONE = 2;
    private static final int MOST_STREAMS = 64;
    private static final int MOST_STREAMS_FOR_ONE = 8;
    /** A stream ends then, so that a token that was revoked meanwhile opens no other. */
    private static final Duration STREAM = Duration.ofMinutes(5);

    /** An answer that was worked out and is to be written on the request's event loop. */
    public interface Answer {
        /** @param done to be run when all of it was taken, or the connection is gone */
        void write(RoutingContext request, Runnable done);
    }

    private final Function<RoutingContext, Caller> identify;
    private final Duration patience;
    private final Turns answers = new Turns(MOST_ANSWERS, MOST_ANSWERS_FOR_ONE);
    private final Turns streams = new Turns(MOST_STREAMS, MOST_STREAMS_FOR_ONE);

    @Inject
    Door(Access access, @ConfigProperty(name = "lightpath.http.patience", defaultValue = "PT30S") Duration patience) {
        this(request -> access.caller(Access.header(request)), patience);
    }

    /**
     * @param identify identifies the caller; may block
     * @param patience how long an answer may take to be read before its connection is closed
     */
    Door(Function<RoutingContext, Caller> identify, Duration patience) {
        this.identify = identify;
        this.patience = patience;
    }

    /**
     * Answers a request when its turn is free.
     *
     * @param work finds the answer for the caller; may block, and refuse
     */
    public void admit(RoutingContext request, Function<Caller, Answer> work) {
        admit(request, work, answers, patience);
    }

    /**
     * Admits a request with a body, which is read when the caller is known and its turn is free.
     *
     * @param most bytes of the body
     * @param check refuses a caller before the body is read; may block
     * @param work finds the answer for the caller and the body; may block, and refuse
     */
    public void receive(
            RoutingContext request, int most, Consumer<Caller> check, BiFunction<Caller, byte[], Answer> work) {
        var unused = request.request().pause();
        // what is not read of a body goes with its connection
        var closing = request.response().putHeader("Connection", "close");
        admit(request, caller -> {
            check.accept(caller);
            return (admitted, done) -> body(admitted.request(), most)
                    .compose(bytes -> admitted.vertx().executeBlocking(() -> work.apply(caller, bytes), false))
                    .onSuccess(answer -> answer.write(admitted, done))
                    .onFailure(failure -> {
                        refuse(admitted.response(), failure);
                        done.run();
                    });
        });
    }

    private static Future<byte[]> body(HttpServerRequest request, int most) {
        Promise<byte[]> whole = Promise.promise();
        Buffer read = Buffer.buffer();
        request.handler(chunk -> {
                    if (read.length() + chunk.length() <= most) {
                        read.appendBuffer(chunk);
                    } else {
                        var unused = request.pause();
                        boolean first = whole.tryFail(
                                new Refused(413, "the body is too large: allowed are " + most + " bytes"));
                    }
                })
                .endHandler(end -> whole.tryComplete(read.getBytes()))
                .exceptionHandler(whole::tryFail)
                .resume();
        return whole.future();
    }

    /**
     * Admits a reader of news, which stays for minutes and takes no turn of an answer.
     *
     * @param work as for an answer; it ends the response itself, or is cut when its time is up
     */
    public void follow(RoutingContext request, Function<Caller, Answer> work) {
        admit(request, work, streams, STREAM);
    }

    private void admit(RoutingContext request, Function<Caller, Answer> work, Turns turns, Duration time) {
        request.vertx()
                .executeBlocking(() -> begin(request, work, turns), false)
                .onSuccess(begun -> finish(request, begun, turns, time))
                .onFailure(failure -> refuse(request.response(), failure));
    }

    private record Begun(Answer answer, Caller caller) {}

    private Begun begin(RoutingContext request, Function<Caller, Answer> work, Turns turns) {
        Caller caller = identify.apply(request);
        turns.take(caller.name());
        try {
            return new Begun(work.apply(caller), caller);
        } catch (RuntimeException | Error e) {
            turns.giveBack(caller.name());
            throw e;
        }
    }

    private static void finish(RoutingContext request, Begun begun, Turns turns, Duration time) {
        Turn turn = new Turn(request, begun.caller().name(), turns, time);
        request.addEndHandler(end -> {
            if (end.failed() || !request.response().ended()) {
                turn.end();
            }
        });
        if (request.response().closed()) {
            turn.end();
            return;
        }
        begun.answer().write(request, turn::end);
    }

    /** Of one answer, until it is read, its connection is gone or its time is up. */
    private static final class Turn {
        private final Turns turns;
        private final RoutingContext request;
        private final String caller;
        private final long timer;
        private boolean over;

        Turn(RoutingContext request, String caller, Turns turns, Duration time) {
            this.turns = turns;
            this.request = request;
            this.caller = caller;
            this.timer = request.vertx().setTimer(time.toMillis(), late -> {
                cut(request);
                end();
            });
        }

        synchronized void end() {
            if (!over) {
                over = true;
                request.vertx().cancelTimer(timer);
                turns.giveBack(caller);
            }
        }
    }

    /** Closing the connection as such would wait until all that was written is read. */
    private static void cut(RoutingContext request) {
        var unused = ((ConnectionBase) request.request().connection()).channel().close();
    }

    private static void refuse(HttpServerResponse response, Throwable failure) {
        if (response.closed() || response.ended()) {
            return;
        }
        int status = 500;
        String line = "the operator failed at this; its log says how";
        if (failure instanceof Refused refused) {
            status = refused.status();
            line = refused.getMessage();
        } else {
            LOG.atError().setCause(failure).log("a request over HTTP failed");
        }
        if (status == 401) {
            response.putHeader("WWW-Authenticate", "Bearer");
        }
        if (status == 429 || status == 503) {
            response.putHeader("Retry-After", "1");
        }
        response.setStatusCode(status)
                .putHeader("Content-Type", "text/plain; charset=utf-8")
                .end(line + "\n");
    }
}
