package dev.lightpath.driver;

import static dev.lightpath.driver.Requests.apply;
import static dev.lightpath.driver.Requests.errorInfo;
import static dev.lightpath.driver.Requests.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lightpath.conformance.ConformanceKit;
import dev.lightpath.driver.config.Access;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc.CircuitServiceBlockingStub;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MutualTlsTest {
    @TempDir
    private Path directory;

    private int port;
    private Certificates certificates;

    private <T> T as(String name, java.util.function.Function<CircuitServiceBlockingStub, T> call) throws Exception {
        TlsChannelCredentials.Builder credentials = TlsChannelCredentials.newBuilder()
                .trustManager(certificates.path("ca.crt").toFile());
        if (!name.isEmpty()) {
            credentials.keyManager(
                    certificates.path(name + ".crt").toFile(),
                    certificates.path(name + ".key").toFile());
        }
        ChannelCredentials built = credentials.build();
        ManagedChannel channel =
                Grpc.newChannelBuilderForAddress("localhost", port, built).build();
        try {
            return call.apply(CircuitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS));
        } finally {
            channel.shutdownNow();
        }
    }

    private String refusal(String name, java.util.function.Function<CircuitServiceBlockingStub, ?> call) {
        StatusRuntimeException e = catchThrowableOfType(StatusRuntimeException.class, () -> as(name, call));
        assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
        return errorInfo(e).getReason();
    }

    /** Starts the driver anew, with certificates, for whom these rules name. */
    private void admit(EmulatedPlant plant, Access.Rule... rules) throws Exception {
        port = plant.restartDriver(c -> new DriverConfig(
                c.listen(),
                c.http(),
                c.stateDirectory(),
                c.adapters(),
                Optional.of(new DriverConfig.Tls(
                        certificates.path("driver.crt"),
                        certificates.path("driver.key"),
                        certificates.path("ca.crt"),
                        List.of(rules))),
                c.watchBuffer(),
                c.maxOperations()));
    }

    @BeforeEach
    void makeAnAuthority() throws Exception {
        certificates = new Certificates(Files.createDirectory(directory.resolve("pki")));
    }

    @Test
    void grantsWhatTheCertificatesNameIsGrantedAndNothingElse() throws Exception {
        certificates.issue("driver", "dns:localhost");
        certificates.issue("writer", "dns:operator.lightpath");
        certificates.issue("reader", "uri:spiffe://cluster/reader");
        certificates.issue("stranger", "dns:stranger");
        try (EmulatedPlant plant = new EmulatedPlant(directory.resolve("state"))) {
            admit(
                    plant,
                    new Access.Rule("operator.lightpath", Access.WRITER, List.of("ocs-1")),
                    new Access.Rule("spiffe://cluster/reader", Access.READER, List.of("*")));
            var change = apply("ocs-1", "r", 1, "a").addConnects(key("1->9")).build();
            assertThat(refusal("reader", s -> s.applyCircuits(change))).isEqualTo("NOT_AUTHORISED");
            assertThat(refusal(
                            "stranger",
                            s -> s.getCircuits(GetCircuitsRequest.newBuilder()
                                    .addDevices(dev.lightpath.proto.driver.v1alpha1.DeviceScope.newBuilder()
                                            .setDeviceId("ocs-1"))
                                    .build())))
                    .isEqualTo("NOT_AUTHORISED");
            assertThat(as("writer", s -> s.applyCircuits(change)).getOperation().getOutcome())
                    .isEqualTo(Outcome.OUTCOME_APPLIED);
            assertThat(refusal(
                            "writer",
                            s -> s.applyCircuits(apply("ocs-2", "r", 1, "a").build())))
                    .isEqualTo("NOT_AUTHORISED");
            assertThat(refusal(
                            "writer",
                            s -> s.transferScope(TransferScopeRequest.newBuilder()
                                    .setDeviceId("ocs-1")
                                    .setFromRole("r")
                                    .setToRole("q")
                                    .build())))
                    .isEqualTo("NOT_AUTHORISED");
            assertThat(as("reader", s -> s.getCircuits(GetCircuitsRequest.getDefaultInstance()))
                            .getDevicesCount())
                    .isEqualTo(11);
            assertThat(as("stranger", s -> s.getCircuits(GetCircuitsRequest.getDefaultInstance()))
                            .getDevicesCount())
                    .isZero();
            StatusRuntimeException nameless =
                    catchThrowableOfType(StatusRuntimeException.class, () -> as("", s -> s.applyCircuits(change)));
            assertThat(nameless.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(Files.readString(directory.resolve("state/audit.log")))
                    .contains("\"caller\":\"operator.lightpath\"");
        }
    }

    /** The kit does not ask of a driver to show devices that the kit's own certificate does not name. */
    @Test
    void theKitJudgesByACertificateForOneDevice() throws Exception {
        certificates.issue("driver", "dns:localhost");
        certificates.issue("kit", "dns:kit");
        try (EmulatedPlant plant = new EmulatedPlant(directory.resolve("state"))) {
            admit(plant, new Access.Rule("kit", Access.ADMIN, List.of("ocs-1")));
            StringWriter out = new StringWriter();
            int code = ConformanceKit.commandLine(new PrintWriter(out), new PrintWriter(out))
                    .execute(
                            "--endpoint",
                            "localhost:" + port,
                            "--device",
                            "ocs-1",
                            "--only",
                            "identity,inventory,limits/unknown-device,circuits/read-all,stream/*-device*",
                            "--tls-ca",
                            certificates.path("ca.crt").toString(),
                            "--tls-certificate",
                            certificates.path("kit.crt").toString(),
                            "--tls-key",
                            certificates.path("kit.key").toString());
            assertThat(code).as(out.toString()).isZero();
        }
    }
}
