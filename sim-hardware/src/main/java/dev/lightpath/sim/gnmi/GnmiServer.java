package dev.lightpath.sim.gnmi;

import com.github.gnmi.proto.CapabilityRequest;
import com.github.gnmi.proto.CapabilityResponse;
import com.github.gnmi.proto.Encoding;
import com.github.gnmi.proto.GetRequest;
import com.github.gnmi.proto.GetResponse;
import com.github.gnmi.proto.ModelData;
import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.SetRequest;
import com.github.gnmi.proto.SetResponse;
import com.github.gnmi.proto.SubscribeRequest;
import com.github.gnmi.proto.SubscribeResponse;
import com.github.gnmi.proto.Subscription;
import com.github.gnmi.proto.SubscriptionMode;
import com.github.gnmi.proto.Update;
import com.github.gnmi.proto.UpdateResult;
import com.github.gnmi.proto.gNMIGrpc.gNMIImplBase;
import dev.lightpath.sim.gnmi.Wanted.Place;
import dev.lightpath.sim.managed.AnswerTime;
import dev.lightpath.sim.managed.ManagedSwitch;
import dev.lightpath.sim.scenario.GnmiSpec.Quirk;
import gnmi_ext.GnmiExt.Extension;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicLong;

/** The calls of gNMI. */
final class GnmiServer extends gNMIImplBase {
    private final Database database;
    private final ManagedSwitch device;
    private final Answers answers;
    private final AnswerTime answerTime;
    private final boolean bare;
    private final Set<Listening> streams = new CopyOnWriteArraySet<>();
    private final AtomicLong sets = new AtomicLong();
    private long master;

    GnmiServer(Database database, ManagedSwitch device) {
        this.database = database;
        this.device = device;
        this.answers = new Answers(database, device);
        this.answerTime = new AnswerTime(database.has(Quirk.SLOW_ANSWERS));
        this.bare = database.has(Quirk.BARE_NAMES);
    }

    /** Answers a call. */
    private interface Call<T> {
        T answer() throws Refused;
    }

    private <T> void answer(StreamObserver<T> out, Call<T> call) {
        try {
            requireReachable();
            answerTime.take();
            T answer = call.answer();
            requireReachable();
            out.onNext(answer);
            out.onCompleted();
        } catch (Refused refused) {
            out.onError(refused.status().asRuntimeException());
        }
    }

    private void requireReachable() throws Refused {
        if (!device.reachable()) {
            throw new Refused(Status.UNAVAILABLE, "the management does not answer");
        }
    }

    /** Sets that changed something, or tried to. */
    long sets() {
        return sets.get();
    }

    @Override
    public void capabilities(CapabilityRequest request, StreamObserver<CapabilityResponse> out) {
        answer(out, () -> {
            CapabilityResponse.Builder can = CapabilityResponse.newBuilder()
                    .addSupportedModels(model(Place.CONFIG))
                    .addSupportedModels(model(Place.PLATFORM))
                    .addSupportedEncodings(Encoding.JSON_IETF)
                    .setGNMIVersion("0.10.0");
            if (!database.has(Quirk.NO_STATES)) {
                can.addSupportedModels(model(Place.STATES));
            }
            return can.build();
        });
    }

    private static ModelData model(String name) {
        return ModelData.newBuilder()
                .setName(name)
                .setOrganization("emulated")
                .setVersion("2024-11-21")
                .build();
    }

    @Override
    public void get(GetRequest request, StreamObserver<GetResponse> out) {
        answer(out, () -> {
            if (request.getEncoding() != Encoding.JSON_IETF) {
                throw new Refused(Status.UNIMPLEMENTED, "the encoding is JSON_IETF");
            }
            if (request.getPathCount() > 1 && database.has(Quirk.ENDS_AT_SEVERAL)) {
                throw new Refused(Status.UNAVAILABLE, "the connection ended");
            }
            GetResponse.Builder all = GetResponse.newBuilder();
            for (Path each : request.getPathList()) {
                all.addNotification(news(full(request.getPrefix(), each)));
            }
            return all.build();
        });
    }

    private static Path full(Path prefix, Path path) {
        // some clients name the module there, and not in the first name
        String origin = path.getOrigin().isEmpty() ? prefix.getOrigin() : path.getOrigin();
        return prefix.toBuilder()
                .addAllElem(path.getElemList())
                .setOrigin(origin)
                .build();
    }

    private Notification news(Path path) throws Refused {
        return Notification.newBuilder()
                .setTimestamp(System.currentTimeMillis() * 1_000_000)
                .addUpdate(Update.newBuilder().setPath(path).setVal(answers.at(Place.of(path, bare))))
                .build();
    }

    @Override
    public void set(SetRequest request, StreamObserver<SetResponse> out) {
        answer(out, () -> {
            arbitrate(request.getExtensionList());
            SetRequest.Builder whole = request.toBuilder();
            for (int i = 0; i < request.getDeleteCount(); i++) {
                whole.setDelete(i, full(request.getPrefix(), request.getDelete(i)));
            }
            whole.getUpdateBuilderList().forEach(each -> each.setPath(full(request.getPrefix(), each.getPath())));
            whole.getReplaceBuilderList().forEach(each -> each.setPath(full(request.getPrefix(), each.getPath())));
            SetResponse.Builder done = SetResponse.newBuilder();
            request.getDeleteList()
                    .forEach(path -> done.addResponse(
                            UpdateResult.newBuilder().setPath(path).setOp(UpdateResult.Operation.DELETE)));
            request.getUpdateList()
                    .forEach(update -> done.addResponse(
                            UpdateResult.newBuilder().setPath(update.getPath()).setOp(UpdateResult.Operation.UPDATE)));
            if (done.getResponseCount() > 0 || request.getReplaceCount() > 0) {
                sets.incrementAndGet();
                database.set(Wanted.of(whole.build(), bare));
            }
            return done.build();
        });
    }

    /** Who has the highest number may change the device. */
    private synchronized void arbitrate(List<Extension> extensions) throws Refused {
        for (Extension each : extensions) {
            if (!each.hasMasterArbitration()) {
                continue;
            }
            if (database.has(Quirk.NO_ARBITRATION)) {
                throw new Refused(Status.UNIMPLEMENTED, "there is no master arbitration");
            }
            long number = each.getMasterArbitration().getElectionId().getLow();
            if (number < master) {
                throw new Refused(Status.PERMISSION_DENIED, "election id " + master + " is the master's");
            }
            master = number;
        }
    }

    @Override
    public StreamObserver<SubscribeRequest> subscribe(StreamObserver<SubscribeResponse> out) {
        Listening stream = new Listening(out);
        return new StreamObserver<>() {
            @Override
            public void onNext(SubscribeRequest request) {
                try {
                    requireReachable();
                    answerTime.take();
                    begin(stream, request);
                } catch (Refused refused) {
                    streams.remove(stream);
                    stream.refuse(refused.status());
                }
            }

            @Override
            public void onError(Throwable gone) {
                streams.remove(stream);
            }

            @Override
            public void onCompleted() {
                streams.remove(stream);
                stream.end();
            }
        };
    }

    private void begin(Listening stream, SubscribeRequest request) throws Refused {
        for (Subscription each : request.getSubscribe().getSubscriptionList()) {
            if (each.getMode() != SubscriptionMode.ON_CHANGE || database.has(Quirk.NO_ON_CHANGE)) {
                throw new Refused(Status.UNIMPLEMENTED, "mode " + each.getMode() + " is not offered");
            }
            stream.paths.add(full(request.getSubscribe().getPrefix(), each.getPath()));
        }
        if (database.has(Quirk.ONE_STREAM) && !streams.isEmpty()) {
            throw new Refused(Status.RESOURCE_EXHAUSTED, "there is another stream");
        }
        if (!request.getSubscribe().getUpdatesOnly()) {
            for (Path each : stream.paths) {
                stream.send(SubscribeResponse.newBuilder().setUpdate(news(each)).build());
            }
        }
        streams.add(stream);
        stream.send(SubscribeResponse.newBuilder().setSyncResponse(true).build());
        if (database.has(Quirk.SHORT_STREAMS)) {
            streams.remove(stream);
            stream.end();
        }
    }

    /** Tells all streams of what they asked about; something has changed. */
    void changed() {
        for (Listening stream : streams) {
            try {
                for (Path each : stream.paths) {
                    stream.send(
                            SubscribeResponse.newBuilder().setUpdate(news(each)).build());
                }
            } catch (Refused refused) {
                streams.remove(stream);
                stream.refuse(refused.status());
            }
        }
    }

    /** Ends all streams without a word. */
    void over() {
        for (Listening stream : streams) {
            streams.remove(stream);
            stream.refuse(Status.UNAVAILABLE.withDescription("the management does not answer"));
        }
    }

    /** A stream to a client, who may be gone. */
    private static final class Listening {
        private final StreamObserver<SubscribeResponse> out;
        private final Set<Path> paths = new CopyOnWriteArraySet<>();

        Listening(StreamObserver<SubscribeResponse> out) {
            this.out = out;
        }

        synchronized void send(SubscribeResponse message) {
            try {
                out.onNext(message);
            } catch (RuntimeException gone) {
                // the client has left
            }
        }

        synchronized void refuse(Status status) {
            try {
                out.onError(status.asRuntimeException());
            } catch (RuntimeException gone) {
                // the client has left
            }
        }

        synchronized void end() {
            try {
                out.onCompleted();
            } catch (RuntimeException gone) {
                // the client has left
            }
        }
    }
}
