package dev.lightpath.driver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.driver.server.RunningDriver;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import dev.lightpath.proto.driver.v1alpha1.PortOperState;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.tracing.Tracing;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics of a driver whose switch measures losses that change. */
final class LossBaselinesTest {
    @TempDir
    private Path state;

    private final Ageing ageing = new Ageing();

    private static String page(RunningDriver driver, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + driver.httpPort() + path))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static OptionalDouble value(String page, String series) {
        Matcher found = Pattern.compile("^" + Pattern.quote(series) + " (\\S+)$", Pattern.MULTILINE)
                .matcher(page);
        return found.find() ? OptionalDouble.of(Double.parseDouble(found.group(1))) : OptionalDouble.empty();
    }

    private static void assertRise(RunningDriver driver, double one, double three) throws Exception {
        String all = page(driver, "/metrics");
        assertThat(value(all, "lightpath_driver_switch_loss_rise_db{device=\"ageing\"}")
                        .orElseThrow())
                .isEqualTo(Math.max(one, three), offset(1e-9));
        String ports = page(driver, "/metrics/ports");
        assertThat(value(ports, "lightpath_driver_port_loss_rise_db{device=\"ageing\",port=\"1\"}")
                        .orElseThrow())
                .isEqualTo(one, offset(1e-9));
        assertThat(value(ports, "lightpath_driver_port_loss_rise_db{device=\"ageing\",port=\"3\"}")
                        .orElseThrow())
                .isEqualTo(three, offset(1e-9));
    }

    @Test
    void risesAreCountedFromTheFirstMeasurementOfACircuit() throws Exception {
        ageing.circuits = List.of(circuit("1", "2", 1.0), circuit("3", "4", 2.0));
        try (RunningDriver driver = new RunningDriver(
                DriverConfig.onLoopback(state, "127.0.0.1:9"), List.of(ageing), Clock.systemUTC(), Tracing.silent())) {
            assertRise(driver, 0, 0);
            ageing.tell(circuit("1", "2", 1.5), circuit("3", "4", 1.8));
            assertRise(driver, 0.5, -0.2);
            ageing.tell(circuit("1", "2", 1.5), circuit("3", "4", 3.8));
            assertRise(driver, 0.5, 1.8);

            ageing.tell(circuit("3", "4", 3.8));
            ageing.tell(circuit("1", "2", 1.5), circuit("3", "4", 3.8));
            assertRise(driver, 0, 1.8);

            ageing.tell();
            assertThat(value(page(driver, "/metrics"), "lightpath_driver_switch_loss_rise_db{device=\"ageing\"}"))
                    .as("nothing is measured")
                    .isEmpty();
        }
    }

    private static NativeCircuit circuit(String ingress, String egress, double loss) {
        return new NativeCircuit(
                new CircuitPair(ingress, egress), CircuitState.CIRCUIT_STATE_CONNECTED, OptionalDouble.of(loss));
    }

    private static final class Ageing implements Adapter {
        private static final String NAME = "ageing";
        private List<NativeCircuit> circuits = List.of();
        private AdapterListener listener;

        @Override
        public String kind() {
            return NAME;
        }

        @Override
        public CompletableFuture<Set<String>> start(AdapterListener listener) {
            this.listener = listener;
            listener.described(new DeviceDescription(
                    Device.newBuilder()
                            .setDeviceId(NAME)
                            .setKind(DeviceKind.DEVICE_KIND_SWITCH)
                            .setAdapter(kind())
                            .build(),
                    Capabilities.getDefaultInstance(),
                    DeviceInventory.getDefaultInstance()));
            tell(circuits.toArray(NativeCircuit[]::new));
            return CompletableFuture.completedFuture(Set.of(NAME));
        }

        /** All of its state, with these circuits. */
        private void tell(NativeCircuit... now) {
            circuits = List.of(now);
            listener.present(
                    NAME,
                    new DeviceReading(
                            circuits,
                            List.of(port("1"), port("2"), port("3"), port("4")),
                            List.of(),
                            Environment.getDefaultInstance()));
        }

        private static PortStatus port(String name) {
            return PortStatus.newBuilder()
                    .setPort(name)
                    .setOperState(PortOperState.PORT_OPER_STATE_OK)
                    .build();
        }

        @Override
        public List<NativeCircuit> read(String deviceId, CircuitSource source) {
            return circuits;
        }

        @Override
        public List<MoveAnswer> move(String deviceId, List<Move> moves, Duration within) {
            throw new UnsupportedOperationException("it is only looked at");
        }

        @Override
        public void shutter(String deviceId, String port, boolean closed) {
            throw new UnsupportedOperationException("it is only looked at");
        }

        @Override
        public void probe(String deviceId) {}

        @Override
        public List<FactoryLoss> factoryLoss(String deviceId) {
            return List.of();
        }

        @Override
        public void close() {}
    }
}
