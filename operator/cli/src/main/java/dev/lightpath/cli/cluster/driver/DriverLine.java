package dev.lightpath.cli.cluster.driver;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.DriverUse;
import dev.lightpath.cli.cluster.access.TlsFailure;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.ManagedChannelProvider;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A line to a driver: to its address, or by a port forward if that is a Service of the cluster. */
final class DriverLine implements AutoCloseable {
    private static final Duration CALL = Duration.ofSeconds(30);
    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private final DriverUse driver;
    private final Optional<LocalPortForward> forward;
    private final ManagedChannel channel;

    private DriverLine(DriverUse driver, Optional<LocalPortForward> forward, ManagedChannel channel) {
        this.driver = driver;
        this.forward = forward;
        this.channel = channel;
    }

    /** @throws BadInput when nothing answers for the Service, or the credentials are none */
    static DriverLine open(Cluster cluster, DriverUse driver, ChannelCredentials credentials) {
        Optional<LocalPortForward> forward = driver.service().map(service -> forward(cluster, driver, service));
        try {
            ManagedChannelBuilder<?> builder = Grpc.newChannelBuilderForAddress(
                    forward.isPresent() ? "127.0.0.1" : driver.host(),
                    forward.map(LocalPortForward::getLocalPort).orElse(driver.port()),
                    credentials);
            // the certificate is for the name that the operator calls
            driver.serverName()
                    .or(() -> forward.map(unused -> driver.endpoint()))
                    .ifPresent(builder::overrideAuthority);
            return new DriverLine(
                    driver,
                    forward,
                    builder.maxInboundMessageSize(MAX_MESSAGE_BYTES).build());
        } catch (ManagedChannelProvider.ProviderNotFoundException e) {
            throw new BadInput("the certificate or key cannot be used: " + e.getMessage(), e);
        }
    }

    private static LocalPortForward forward(Cluster cluster, DriverUse driver, DriverUse.Service of) {
        var service = cluster.client()
                .services()
                .inNamespace(of.namespace())
                .withName(of.name())
                .get();
        if (service == null) {
            throw new BadInput("there is no Service " + of.namespace() + "/" + of.name() + ", which " + driver.where()
                    + " names; --endpoint says where the driver is");
        }
        Pod pod = cluster
                .client()
                .pods()
                .inNamespace(of.namespace())
                .withLabels(service.getSpec().getSelector())
                .list()
                .getItems()
                .stream()
                .filter(Readiness::isPodReady)
                .findFirst()
                .orElseThrow(() -> new BadInput("no pod of Service " + of.namespace() + "/" + of.name() + " is ready"));
        int port = service.getSpec().getPorts().stream()
                .filter(each -> each.getPort() == driver.port())
                .map(DriverLine::target)
                .findFirst()
                .orElse(driver.port());
        return cluster.client()
                .pods()
                .inNamespace(of.namespace())
                .withName(pod.getMetadata().getName())
                .portForward(port, InetAddress.getLoopbackAddress(), 0);
    }

    private static int target(ServicePort port) {
        Integer number =
                port.getTargetPort() == null ? null : port.getTargetPort().getIntVal();
        return number == null ? port.getPort() : number;
    }

    /** The operator's fencing role of a fabric: the UID of the namespace kube-system, and the name of the fabric. */
    static String role(Cluster api, String fabric) {
        var system = api.client().namespaces().withName("kube-system").get();
        if (system == null) {
            throw new BadInput("there is no namespace kube-system, whose UID names the cluster");
        }
        return system.getMetadata().getUid() + "/" + fabric;
    }

    DriverUse driver() {
        return driver;
    }

    /** All devices that the caller may read, with who holds each. */
    List<DeviceCircuits> devices() {
        List<DeviceCircuits> devices = new ArrayList<>();
        String page = "";
        do {
            GetCircuitsRequest request = GetCircuitsRequest.newBuilder()
                    .setSource(CircuitSource.CIRCUIT_SOURCE_HARDWARE)
                    .setPageToken(page)
                    .build();
            GetCircuitsResponse answer = asked(() -> stub().getCircuits(request));
            devices.addAll(answer.getDevicesList());
            page = answer.getNextPageToken();
        } while (!page.isEmpty());
        return devices;
    }

    /** Gives a device from one role to another. */
    void transfer(TransferScopeRequest request) {
        var unused = asked(() -> stub().transferScope(request));
    }

    /** What was set of a port. */
    PortOverride override(String device, String port) {
        GetInventoryRequest request =
                GetInventoryRequest.newBuilder().addDeviceIds(device).build();
        return asked(() -> InventoryServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(CALL.toSeconds(), TimeUnit.SECONDS)
                        .getInventory(request))
                .getDevicesList()
                .stream()
                .flatMap(of -> of.getPortsList().stream())
                .filter(each -> each.getName().equals(port))
                .findFirst()
                .orElseThrow(() -> new BadInput(
                        "driver " + driver.endpoint() + ": device " + device + " has no port '" + port + "'"))
                .getOverride();
    }

    /** Sets it. */
    void override(SetPortOverrideRequest request) {
        var unused = asked(() -> stub().setPortOverride(request));
    }

    /** One device, with who holds it. */
    DeviceCircuits device(String id) {
        return devices().stream()
                .filter(each -> each.getDeviceId().equals(id))
                .findFirst()
                .orElseThrow(() -> new BadInput("driver " + driver.endpoint() + " has no device " + id));
    }

    private CircuitServiceGrpc.CircuitServiceBlockingStub stub() {
        return CircuitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(CALL.toSeconds(), TimeUnit.SECONDS);
    }

    private <T> T asked(Supplier<T> call) {
        try {
            return call.get();
        } catch (StatusRuntimeException e) {
            throw new BadInput(
                    "driver " + driver.endpoint()
                            + TlsFailure.line(e.getCause())
                                    .map(why -> " " + why)
                                    .orElseGet(() -> ": " + said(e)),
                    e);
        }
    }

    private static String said(StatusRuntimeException e) {
        String why = e.getStatus().getDescription();
        Throwable cause = e.getCause();
        return e.getStatus().getCode()
                + (why == null ? "" : ": " + why)
                + (cause == null || cause.getMessage() == null ? "" : ": " + cause.getMessage());
    }

    @Override
    public void close() {
        channel.shutdownNow();
        forward.ifPresent(open -> {
            try {
                open.close();
            } catch (IOException e) {
                // it is of no use any more
            }
        });
    }
}
