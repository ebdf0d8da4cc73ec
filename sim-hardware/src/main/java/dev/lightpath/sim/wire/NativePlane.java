package dev.lightpath.sim.wire;

import dev.lightpath.proto.emulator.v1alpha1.Device;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.FactoryLoss;
import dev.lightpath.proto.emulator.v1alpha1.GetConnectionsRequest;
import dev.lightpath.proto.emulator.v1alpha1.GetConnectionsResponse;
import dev.lightpath.proto.emulator.v1alpha1.GetDeviceRequest;
import dev.lightpath.proto.emulator.v1alpha1.GetDeviceResponse;
import dev.lightpath.proto.emulator.v1alpha1.GetPortsRequest;
import dev.lightpath.proto.emulator.v1alpha1.GetPortsResponse;
import dev.lightpath.proto.emulator.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.emulator.v1alpha1.ListDevicesResponse;
import dev.lightpath.proto.emulator.v1alpha1.ListFactoryLossRequest;
import dev.lightpath.proto.emulator.v1alpha1.ListFactoryLossResponse;
import dev.lightpath.proto.emulator.v1alpha1.PortPair;
import dev.lightpath.proto.emulator.v1alpha1.ReplyWhen;
import dev.lightpath.proto.emulator.v1alpha1.SetAttenuationRequest;
import dev.lightpath.proto.emulator.v1alpha1.SetAttenuationResponse;
import dev.lightpath.proto.emulator.v1alpha1.SetConnectionsRequest;
import dev.lightpath.proto.emulator.v1alpha1.SetConnectionsResponse;
import dev.lightpath.proto.emulator.v1alpha1.WatchRequest;
import dev.lightpath.proto.emulator.v1alpha1.WatchResponse;
import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.core.Report;
import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.core.move.BatchOutcome;
import dev.lightpath.sim.core.move.Move;
import dev.lightpath.sim.core.plant.Plant;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The devices' own management. */
final class NativePlane extends DeviceServiceGrpc.DeviceServiceImplBase {
    private final Hardware hardware;
    private final Codec codec;
    private final Calls calls;
    private final WatchHub hub;

    NativePlane(Hardware hardware, Codec codec, Calls calls, WatchHub hub) {
        this.hardware = hardware;
        this.codec = codec;
        this.calls = calls;
        this.hub = hub;
    }

    @Override
    public void listDevices(ListDevicesRequest request, StreamObserver<ListDevicesResponse> out) {
        calls.toAll(out, reply -> {
            Set<String> wanted = new TreeSet<>(request.getDeviceIdsList());
            ListDevicesResponse.Builder response = ListDevicesResponse.newBuilder();
            Plant plant = hardware.plant();
            int next = Calls.page(plant, request.getPageToken(), request.getPageSize(), 256, 4096, device -> {
                Device nameplate = codec.device(device);
                if (!wanted.isEmpty() && !wanted.contains(nameplate.getDeviceId())) {
                    return 0;
                }
                response.addDevices(nameplate);
                return 1;
            });
            if (next < plant.deviceCount()) {
                response.setNextPageToken(plant.device(next - 1).id());
            }
            reply.accept(response.build());
        });
    }

    @Override
    public void getDevice(GetDeviceRequest request, StreamObserver<GetDeviceResponse> out) {
        calls.toDevice(request.getDeviceId(), out, (device, reply) -> {
            GetDeviceResponse.Builder response = GetDeviceResponse.newBuilder()
                    .setDevice(codec.device(device))
                    .addAllModules(codec.modules(device))
                    .setAbilities(codec.abilities(device))
                    .setBootId(hardware.bootId(device))
                    .setBootedAt(codec.at(hardware.bootedAtNanos(device)))
                    .setBootReason(codec.bootReason(device))
                    .setPowerCycles(hardware.powerCycles(device));
            Plant plant = hardware.plant();
            for (int port = plant.firstPort(device); port < plant.endPort(device); port++) {
                response.addPorts(codec.port(port));
            }
            reply.accept(response.build());
        });
    }

    @Override
    public void getConnections(GetConnectionsRequest request, StreamObserver<GetConnectionsResponse> out) {
        calls.toDevice(request.getDeviceId(), out, (device, reply) -> {
            GetConnectionsResponse.Builder response = GetConnectionsResponse.newBuilder()
                    .setBootId(hardware.bootId(device))
                    .setSeq(hardware.seq(device));
            hardware.report(device).connections().forEach(view -> response.addConnections(codec.connection(view)));
            reply.accept(response.build());
        });
    }

    @Override
    public void setConnections(SetConnectionsRequest request, StreamObserver<SetConnectionsResponse> out) {
        List<Move> disconnects = moves(request.getDisconnectsList());
        List<Move> connects = moves(request.getConnectsList());
        boolean settled = request.getReplyWhen() != ReplyWhen.REPLY_WHEN_ACCEPTED;
        calls.toDevice(request.getDeviceId(), out, (device, reply) -> {
            if (calls.faulty(device, FaultKind.CALL_DUPLICATE)) {
                hardware.move(device, disconnects, connects, false, once -> {});
            }
            hardware.move(device, disconnects, connects, settled, outcome -> answer(device, outcome, reply));
        });
    }

    @Override
    public void setAttenuation(SetAttenuationRequest request, StreamObserver<SetAttenuationResponse> out) {
        calls.toDevice(request.getDeviceId(), out, (device, reply) -> {
            int port = hardware.plant().findPort(device, request.getPort());
            if (port < 0) {
                throw new IllegalArgumentException("no port '" + request.getPort() + "'");
            }
            hardware.attenuate(port, request.getAttenuationDb());
            reply.accept(SetAttenuationResponse.getDefaultInstance());
        });
    }

    /** A device that fell silent meanwhile cannot report the outcome of the moves. */
    private void answer(int device, BatchOutcome outcome, Calls.Reply<SetConnectionsResponse> reply) {
        if (!hardware.reachable(device)) {
            reply.fail(Status.UNAVAILABLE.withDescription(
                    "device " + hardware.plant().device(device).id() + " fell silent"));
            return;
        }
        SetConnectionsResponse.Builder response =
                SetConnectionsResponse.newBuilder().setBootId(hardware.bootId(device));
        outcome.disconnects().forEach(move -> response.addDisconnects(codec.result(move)));
        outcome.connects().forEach(move -> response.addConnects(codec.result(move)));
        reply.accept(response.build());
    }

    @Override
    public void getPorts(GetPortsRequest request, StreamObserver<GetPortsResponse> out) {
        calls.toDevice(request.getDeviceId(), out, (device, reply) -> {
            Report report = hardware.report(device);
            GetPortsResponse.Builder response = GetPortsResponse.newBuilder()
                    .setBootId(hardware.bootId(device))
                    .setSeq(hardware.seq(device))
                    .setTemperatureCelsius(report.temperatureCelsius())
                    .setPowerWatts(report.powerWatts());
            report.ports().forEach(view -> response.addPorts(codec.reading(view)));
            report.alarms().forEach(view -> response.addAlarms(codec.alarm(view)));
            reply.accept(response.build());
        });
    }

    @Override
    public void listFactoryLoss(ListFactoryLossRequest request, StreamObserver<ListFactoryLossResponse> out) {
        calls.toDevice(request.getDeviceId(), out, (device, reply) -> {
            int skip = request.getPageToken().isEmpty() ? 0 : number(request.getPageToken());
            int most = request.getPageSize() <= 0 ? 1000 : Math.min(request.getPageSize(), 10_000);
            Plant plant = hardware.plant();
            ListFactoryLossResponse.Builder response = ListFactoryLossResponse.newBuilder();
            int seen = 0;
            for (int ingress = plant.firstPort(device); ingress < plant.endPort(device); ingress++) {
                for (int egress = plant.firstPort(device); egress < plant.endPort(device); egress++) {
                    if (!plant.canMeet(ingress, egress) || seen++ < skip) {
                        continue;
                    }
                    if (response.getEntriesCount() == most) {
                        reply.accept(response.setNextPageToken(Integer.toString(seen - 1))
                                .build());
                        return;
                    }
                    response.addEntries(FactoryLoss.newBuilder()
                            .setIngress(plant.portName(ingress))
                            .setEgress(plant.portName(egress))
                            .setLossDb(hardware.factoryLossDb(ingress, egress)));
                }
            }
            reply.accept(response.build());
        });
    }

    @Override
    public void watch(WatchRequest request, StreamObserver<WatchResponse> out) {
        hub.watch(request, out);
    }

    private static int number(String token) {
        try {
            return Integer.parseUnsignedInt(token);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("page_token '" + token + "' was not given out by this call");
        }
    }

    private static List<Move> moves(List<PortPair> pairs) {
        return pairs.stream()
                .map(pair -> new Move(pair.getIngress(), pair.getEgress()))
                .toList();
    }
}
