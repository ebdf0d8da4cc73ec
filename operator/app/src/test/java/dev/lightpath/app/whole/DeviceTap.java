package dev.lightpath.app.whole;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Stands between operator and driver and passes on any call as bytes: sees every call that writes and every message of
 * a stream, may lose messages, hold writes back, fall silent, and break connections.
 */
final class DeviceTap implements AutoCloseable {
    private static final Set<String> WRITES =
            Set.of("ApplyCircuits", "ConfirmOperation", "CancelOperation", "SetPortOverride", "TransferScope");
    private static final int MOST_BYTES = 64 << 20;

    private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    /** How long a write waits before it reaches the driver, and before its answer reaches the operator. */
    record Delay(Duration before, Duration after) {
        static final Delay NONE = new Delay(Duration.ZERO, Duration.ZERO);
    }

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Passage> open = ConcurrentHashMap.newKeySet();
    private final Server server;
    private ManagedChannel upstream;
    private volatile WriteTap.Listener listener = WriteTap.SILENT;
    private volatile Predicate<WatchResponse> stream = message -> true;
    private volatile Delay delay = Delay.NONE;
    private volatile boolean halfOpen;

    /** @param driver port on loopback */
    DeviceTap(int driver) throws IOException {
        upstream = channel(driver);
        server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .executor(threads)
                .maxInboundMessageSize(MOST_BYTES)
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .fallbackHandlerRegistry(new HandlerRegistry() {
                    @Override
                    public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
                        var method = MethodDescriptor.newBuilder(BYTES, BYTES)
                                .setFullMethodName(name)
                                .setType(MethodDescriptor.MethodType.UNKNOWN)
                                .build();
                        return ServerMethodDefinition.create(method, (call, headers) -> {
                            call.request(2);
                            return new Passage(method, call, headers);
                        });
                    }
                })
                .build()
                .start();
    }

    private static ManagedChannel channel(int port) {
        return Grpc.newChannelBuilderForAddress("127.0.0.1", port, InsecureChannelCredentials.create())
                .maxInboundMessageSize(MOST_BYTES)
                .build();
    }

    int port() {
        return server.getPort();
    }

    /** Hears of every call that writes; the number is always 0. */
    void listen(WriteTap.Listener next) {
        listener = next;
    }

    /** Which messages of streams are to reach the operator. */
    void watch(Predicate<WatchResponse> next) {
        stream = next;
    }

    void delay(Delay next) {
        delay = next;
    }

    /** Calls are taken and never answered, streams stay open and say nothing, until it ends. */
    void halfOpen(boolean next) {
        halfOpen = next;
    }

    /** Ends whatever is under way without an answer. */
    void cut() {
        open.forEach(passage -> passage.end(Status.UNAVAILABLE.withDescription("cut"), new Metadata()));
    }

    /** Leads to another driver from now on; what is under way ends. */
    synchronized void leadTo(int driver) {
        ManagedChannel before = upstream;
        upstream = channel(driver);
        cut();
        before.shutdownNow();
    }

    private synchronized ManagedChannel upstream() {
        return upstream;
    }

    /** One call on its way. */
    private final class Passage extends ServerCall.Listener<byte[]> {
        private final MethodDescriptor<byte[], byte[]> method;
        private final ServerCall<byte[], byte[]> from;
        private final Metadata headers;
        private final boolean write;
        private byte[] request = {};
        private volatile ClientCall<byte[], byte[]> to;
        private boolean begun;
        private boolean ended;

        Passage(MethodDescriptor<byte[], byte[]> method, ServerCall<byte[], byte[]> from, Metadata headers) {
            this.method = method;
            this.from = from;
            this.headers = headers;
            this.write = WRITES.contains(method.getBareMethodName());
            open.add(this);
        }

        @Override
        public void onMessage(byte[] message) {
            request = message;
        }

        @Override
        public void onHalfClose() {
            // in a thread without the caller's deadline: a write that is under way arrives, whoever still waits
            threads.execute(this::pass);
        }

        @Override
        public void onCancel() {
            open.remove(this);
            ClientCall<byte[], byte[]> running = to;
            if (running != null && !write) {
                running.cancel("the caller left", null);
            }
        }

        private void pass() {
            if (halfOpen) {
                return;
            }
            if (write) {
                if (!listener.before(0, what())) {
                    end(Status.UNAVAILABLE.withDescription("not passed on"), new Metadata());
                    return;
                }
                sleep(delay.before());
            }
            ClientCall<byte[], byte[]> call = upstream().newCall(method, CallOptions.DEFAULT);
            to = call;
            call.start(new Answer(), headers);
            call.sendMessage(request);
            call.halfClose();
            call.request(1);
        }

        private String what() {
            try {
                return method.getBareMethodName() + " "
                        + (method.getBareMethodName().equals("ApplyCircuits")
                                ? ApplyCircuitsRequest.parseFrom(request).getDeviceId()
                                : "");
            } catch (InvalidProtocolBufferException e) {
                throw new IllegalStateException(e);
            }
        }

        private synchronized void send(byte[] message) {
            if (ended || halfOpen) {
                return;
            }
            if (!begun) {
                begun = true;
                from.sendHeaders(new Metadata());
            }
            from.sendMessage(message);
        }

        synchronized void end(Status status, Metadata trailers) {
            open.remove(this);
            if (!ended && !halfOpen) {
                ended = true;
                try {
                    from.close(status, trailers);
                } catch (IllegalStateException gone) {
                    // whoever called has left
                    return;
                }
            }
        }

        private final class Answer extends ClientCall.Listener<byte[]> {
            @Override
            public void onMessage(byte[] message) {
                if (write) {
                    sleep(delay.after());
                    listener.after(0, what());
                }
                if (!method.getBareMethodName().equals("Watch") || stream.test(read(message))) {
                    send(message);
                }
                to.request(1);
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
                end(status, trailers);
            }

            private WatchResponse read(byte[] message) {
                try {
                    return WatchResponse.parseFrom(message);
                } catch (InvalidProtocolBufferException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private static void sleep(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
        upstream().shutdownNow();
        threads.shutdownNow();
    }
}
