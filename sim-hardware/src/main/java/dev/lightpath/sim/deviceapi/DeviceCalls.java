package dev.lightpath.sim.deviceapi;

import dev.lightpath.proto.device.v1alpha1.DeviceServiceGrpc.DeviceServiceImplBase;
import dev.lightpath.proto.device.v1alpha1.ListFactoryLossRequest;
import dev.lightpath.proto.device.v1alpha1.ListFactoryLossResponse;
import dev.lightpath.proto.device.v1alpha1.MoveItem;
import dev.lightpath.proto.device.v1alpha1.MoveRequest;
import dev.lightpath.proto.device.v1alpha1.MoveResponse;
import dev.lightpath.proto.device.v1alpha1.ProbeRequest;
import dev.lightpath.proto.device.v1alpha1.ProbeResponse;
import dev.lightpath.proto.device.v1alpha1.ReadRequest;
import dev.lightpath.proto.device.v1alpha1.ReadResponse;
import dev.lightpath.proto.device.v1alpha1.SetShutterRequest;
import dev.lightpath.proto.device.v1alpha1.SetShutterResponse;
import dev.lightpath.proto.device.v1alpha1.WatchRequest;
import dev.lightpath.proto.device.v1alpha1.WatchResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.sim.core.move.Move;
import dev.lightpath.sim.core.move.MoveOutcome;
import dev.lightpath.sim.core.plant.DeviceKind;
import dev.lightpath.sim.loop.HardwareLoop;
import dev.lightpath.sim.scenario.DeviceApiSpec.Quirk;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** The calls of the device API. It remembers nothing and repeats nothing. */
final class DeviceCalls extends DeviceServiceImplBase {
    private final Offered offered;
    private final Translation translation;
    private final Streams streams;
    private final HardwareLoop loop;

    DeviceCalls(Offered offered, Translation translation, Streams streams, HardwareLoop loop) {
        this.offered = offered;
        this.translation = translation;
        this.streams = streams;
        this.loop = loop;
    }

    @Override
    public void watch(WatchRequest request, StreamObserver<WatchResponse> out) {
        streams.begin(request, out);
    }

    @Override
    public void read(ReadRequest request, StreamObserver<ReadResponse> out) {
        ask(
                request.getDeviceId(),
                out,
                device -> ReadResponse.newBuilder()
                        .addAllCircuits(translation.circuits(offered.hardware().report(device)))
                        .build());
    }

    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> out) {
        ask(request.getDeviceId(), out, device -> ProbeResponse.getDefaultInstance());
    }

    @Override
    public void listFactoryLoss(ListFactoryLossRequest request, StreamObserver<ListFactoryLossResponse> out) {
        ask(request.getDeviceId(), out, translation::factoryLoss);
    }

    @Override
    public void setShutter(SetShutterRequest request, StreamObserver<SetShutterResponse> out) {
        ask(request.getDeviceId(), out, device -> {
            if (offered.plant().device(device).kind() != DeviceKind.SWITCH) {
                throw Status.UNIMPLEMENTED
                        .withDescription(request.getDeviceId() + " has no shutters")
                        .asRuntimeException();
            }
            int port = offered.plant().findPort(device, request.getPort());
            if (port < 0) {
                throw Status.NOT_FOUND
                        .withDescription(request.getDeviceId() + " has no port '" + request.getPort() + "'")
                        .asRuntimeException();
            }
            offered.hardware().shutter(port, request.getClosed());
            return SetShutterResponse.getDefaultInstance();
        });
    }

    /** Answers on the loop, of a device. */
    private interface Answer<T> {
        T of(int device);
    }

    private <T> void ask(String id, StreamObserver<T> out, Answer<T> answer) {
        withDevice(id, out, device -> {
            T said = answer.of(device);
            out.onNext(said);
            out.onCompleted();
        });
    }

    private void withDevice(String id, StreamObserver<?> out, IntConsumer call) {
        if (out instanceof ServerCallStreamObserver<?> answered) {
            // a driver that has given up gets no answer
            answered.setOnCancelHandler(() -> {});
        }
        loop.execute(() -> {
            int device = offered.find(id);
            if (device < 0) {
                out.onError(Status.NOT_FOUND
                        .withDescription("this program has no device '" + id + "'")
                        .asRuntimeException());
                return;
            }
            if (!offered.hardware().reachable(device)) {
                out.onError(silent(id));
                return;
            }
            try {
                call.accept(device);
            } catch (StatusRuntimeException refused) {
                out.onError(refused);
            }
        });
    }

    private static RuntimeException silent(String id) {
        return Status.UNAVAILABLE
                .withDescription(id + " does not answer its program")
                .asRuntimeException();
    }

    @Override
    public void move(MoveRequest request, StreamObserver<MoveResponse> out) {
        List<MoveItem> moves = request.getMovesList();
        withDevice(request.getDeviceId(), out, device -> {
            MoveResponse.Builder response = MoveResponse.newBuilder();
            int most = offered.plant().device(device).preset().maxBatch();
            for (MoveItem each : moves) {
                if (each.getMoveCase() == MoveItem.MoveCase.MOVE_NOT_SET) {
                    throw Status.INVALID_ARGUMENT
                            .withDescription("a move is neither disconnect nor connect")
                            .asRuntimeException();
                }
                if (moves.size() > most) {
                    response.addAnswers(translation.tooMany(moves.size(), most));
                }
            }
            carryOut(device, moves, moves.size() > most ? moves.size() : 0, response, () -> {
                if (offered.hardware().reachable(device)) {
                    if (offered.has(Quirk.FEWER_ANSWERS) && response.getAnswersCount() > 1) {
                        response.removeAnswers(response.getAnswersCount() - 1);
                    }
                    out.onNext(response.build());
                    out.onCompleted();
                } else {
                    // what became of the moves cannot be told any more
                    out.onError(silent(request.getDeviceId()));
                }
            });
        });
    }

    /** The hardware breaks before it makes: moves in another order are several commands, one after the other. */
    private void carryOut(int device, List<MoveItem> moves, int from, MoveResponse.Builder response, Runnable done) {
        if (from == moves.size()) {
            done.run();
            return;
        }
        List<Move> disconnects = new ArrayList<>();
        List<Move> connects = new ArrayList<>();
        int at = from;
        while (at < moves.size() && moves.get(at).hasDisconnect()) {
            disconnects.add(move(moves.get(at++).getDisconnect()));
        }
        while (at < moves.size() && moves.get(at).hasConnect()) {
            connects.add(move(moves.get(at++).getConnect()));
        }
        int next = at;
        offered.hardware().move(device, disconnects, connects, offered.has(Quirk.WAITS), outcome -> {
            for (MoveOutcome each : outcome.disconnects()) {
                response.addAnswers(translation.answer(each));
            }
            for (MoveOutcome each : outcome.connects()) {
                response.addAnswers(translation.answer(each));
            }
            carryOut(device, moves, next, response, done);
        });
    }

    private static Move move(CircuitKey key) {
        return new Move(key.getIngress(), key.getEgress());
    }
}
