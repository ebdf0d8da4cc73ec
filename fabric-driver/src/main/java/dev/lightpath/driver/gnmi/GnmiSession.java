package dev.lightpath.driver.gnmi;

import com.github.gnmi.proto.CapabilityRequest;
import com.github.gnmi.proto.CapabilityResponse;
import com.github.gnmi.proto.Encoding;
import com.github.gnmi.proto.GetRequest;
import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.SetRequest;
import com.github.gnmi.proto.SubscribeRequest;
import com.github.gnmi.proto.SubscribeResponse;
import com.github.gnmi.proto.gNMIGrpc;
import com.github.gnmi.proto.gNMIGrpc.gNMIBlockingStub;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.OneLine;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.driver.session.Secret;
import dev.lightpath.driver.session.SessionEnd;
import dev.lightpath.driver.tls.CallFailure;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/** A connection to a gNMI server. It ends for good with the first call of which it is unknown what the device did. */
final class GnmiSession implements AutoCloseable {
    /** How long a device may take for one path, or for a call without paths. */
    private static final Duration CALL = Duration.ofSeconds(5);

    private final ManagedChannel channel;
    /** What the device may repeat, and nobody else may read. */
    private final String secret;

    private final SessionEnd end;
    /** Whether sessions with this device end when it is asked for several paths by one call. */
    private final AtomicBoolean endsAtSeveral;
    /** Whether the device answers several questions of one call as the specification wants it, as far as is known. */
    private volatile boolean severalAtOnce;
    /** The most paths of one call that the device has answered in this session. */
    private volatile int mostAnswered = 1;

    /**
     * A session that connects with its first call.
     *
     * @param secret that the channel shows with each call; empty: none
     * @param endsAtSeveral outlives the session, so that each device that ends sessions so is asked so once
     */
    GnmiSession(ManagedChannel channel, String secret, AtomicBoolean endsAtSeveral) {
        this.channel = channel;
        this.secret = secret;
        this.endsAtSeveral = endsAtSeveral;
        this.severalAtOnce = !endsAtSeveral.get();
        this.end = new SessionEnd(channel::shutdownNow);
    }

    CapabilityResponse capabilities() throws LostException, RefusedException {
        return ask(CALL, stub -> stub.capabilities(CapabilityRequest.getDefaultInstance()));
    }

    /** What is at a path; nothing if the device says that there is nothing. */
    List<Notification> get(Path path) throws LostException, RefusedException {
        try {
            return getAll(List.of(path));
        } catch (RefusedException refused) {
            if (isNotFound(refused)) {
                return List.of();
            }
            throw refused;
        }
    }

    /**
     * The same of a few paths, by one call. A device that refuses such a call, or answers otherwise than the
     * specification says, is asked for each of them by itself. So is one whose last session ended at such a call. One
     * that has nothing at one of them is asked so this time only.
     */
    Map<Path, List<Notification>> get(List<Path> paths) throws LostException, RefusedException {
        if (severalAtOnce && paths.size() > 1) {
            try {
                Optional<Map<Path, List<Notification>>> told = ByPath.of(paths, getAll(paths));
                mostAnswered = Math.max(mostAnswered, paths.size());
                if (told.isPresent()) {
                    return told.get();
                }
                severalAtOnce = false;
            } catch (RefusedException refused) {
                severalAtOnce = isNotFound(refused);
            } catch (LostException lost) {
                // after an answer to as many paths the session ended for another reason
                if (paths.size() > mostAnswered) {
                    endsAtSeveral.set(true);
                }
                throw lost;
            }
        }
        Map<Path, List<Notification>> each = new HashMap<>();
        for (Path path : paths) {
            each.put(path, get(path));
        }
        return each;
    }

    private static boolean isNotFound(RefusedException refused) {
        return refused.code().equals(Status.Code.NOT_FOUND.name());
    }

    private List<Notification> getAll(List<Path> paths) throws LostException, RefusedException {
        return ask(
                        CALL.multipliedBy(paths.size()),
                        stub -> stub.get(GetRequest.newBuilder()
                                .addAllPath(paths)
                                .setEncoding(Encoding.JSON_IETF)
                                .build()))
                .getNotificationList();
    }

    void set(SetRequest change, Duration within) throws LostException, RefusedException {
        var unused = ask(within, stub -> stub.set(change));
    }

    /**
     * Opens a stream.
     *
     * @param event is run at each message
     * @param over gets one line when the stream is over and the session is not
     */
    void subscribe(SubscribeRequest request, Runnable event, Consumer<String> over) {
        StreamObserver<SubscribeRequest> asking = gNMIGrpc.newStub(channel).subscribe(new StreamObserver<>() {
            @Override
            public void onNext(SubscribeResponse message) {
                event.run();
            }

            @Override
            public void onError(Throwable why) {
                Status status = Status.fromThrowable(why);
                if (status.getCode() == Status.Code.UNAVAILABLE) {
                    var unused = end.lose(new LostException(line(status)));
                } else {
                    over.accept(line(status));
                }
                event.run();
            }

            @Override
            public void onCompleted() {
                over.accept("the device ended the stream");
                event.run();
            }
        });
        // the other half stays open: some servers take its end for the end of all
        asking.onNext(request);
    }

    private <T> T ask(Duration within, Function<gNMIBlockingStub, T> call) throws LostException, RefusedException {
        end.requireOpen();
        try {
            return call.apply(
                    gNMIGrpc.newBlockingStub(channel).withDeadlineAfter(within.toMillis(), TimeUnit.MILLISECONDS));
        } catch (StatusRuntimeException e) {
            Status status = e.getStatus();
            // another call may have ended the session under this one
            end.requireOpen();
            if (meansRefused(status.getCode())) {
                throw new RefusedException(status.getCode().name(), line(status));
            }
            if (Thread.currentThread().isInterrupted()) {
                throw end.lose(new LostException("the driver is stopping"));
            }
            if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
                throw end.late("no answer", within);
            }
            throw end.lose(new LostException(line(status)));
        }
    }

    /** A server answered so, and did nothing. SONiC says UNKNOWN where it does not do what it is asked for. */
    private static boolean meansRefused(Status.Code code) {
        return switch (code) {
            case UNKNOWN,
                    INVALID_ARGUMENT,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    PERMISSION_DENIED,
                    FAILED_PRECONDITION,
                    ABORTED,
                    OUT_OF_RANGE,
                    UNIMPLEMENTED,
                    UNAUTHENTICATED -> true;
            case OK, CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, INTERNAL, UNAVAILABLE, DATA_LOSS -> false;
        };
    }

    private String line(Status status) {
        return OneLine.of(Secret.hidden(CallFailure.line(status), secret));
    }

    String whyOver() {
        return end.why();
    }

    void end(String why) {
        var unused = end.lose(new LostException(why));
    }

    @Override
    public void close() {
        end("the driver ended the session");
    }
}
