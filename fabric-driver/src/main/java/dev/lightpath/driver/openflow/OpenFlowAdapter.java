package dev.lightpath.driver.openflow;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.OpenFlowSwitchConfig;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** The switches of one entry in {@code driver.yaml}: they connect to the driver, as to any controller. */
public final class OpenFlowAdapter implements Adapter {
    private final AdapterConfig.OpenFlow config;
    private final Map<String, OpenFlowDevice> devices = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("openflow-timers").daemon(true).factory());
    private final Reception reception;

    /** @throws IOException with one line: the port is in use, or a file of TLS cannot be used */
    public OpenFlowAdapter(AdapterConfig.OpenFlow config) throws IOException {
        this.config = config;
        this.reception = new Reception(config.host(), config.port(), config.tls(), timers);
    }

    @Override
    public String kind() {
        return AdapterConfig.OpenFlow.KIND;
    }

    /** A number of a device as controllers write it. */
    static String hex(long datapath) {
        return "%016x".formatted(datapath);
    }

    @Override
    public CompletableFuture<Void> start(AdapterListener listener) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        Map<Long, OpenFlowDevice> byDatapath = new HashMap<>();
        for (OpenFlowSwitchConfig each : config.devices()) {
            OpenFlowDevice device =
                    new OpenFlowDevice(each, PortLayout.of(each.size()).orElseThrow(), listener);
            devices.put(each.id(), device);
            byDatapath.put(each.datapath(), device);
            all.add(device.start());
        }
        reception.open(byDatapath);
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    /** A question to a device. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(OpenFlowSwitch device) throws LostException, RefusedException;
    }

    private <T> T ask(String deviceId, Question<T> question) throws DeviceSilentException {
        OpenFlowDevice device = devices.get(deviceId);
        if (device == null) {
            throw new DeviceSilentException("driver.yaml names no such device");
        }
        OpenFlowDevice.Link link = device.link();
        try {
            return question.ask(link.device());
        } catch (LostException lost) {
            // what it did is unknown: it connects again, and is read
            link.connection().end(String.valueOf(lost.getMessage()));
            throw new DeviceSilentException(String.valueOf(lost.getMessage()));
        } catch (RefusedException refused) {
            throw new DeviceSilentException("the device refused: " + refused.getMessage());
        }
    }

    @Override
    public List<NativeCircuit> read(String deviceId, CircuitSource source) throws DeviceSilentException {
        return ask(deviceId, OpenFlowSwitch::circuits);
    }

    @Override
    public List<MoveAnswer> move(String deviceId, List<Move> moves, Duration within) throws DeviceSilentException {
        return ask(deviceId, device -> device.move(moves, within));
    }

    @Override
    public void shutter(String deviceId, String port, boolean closed) {
        throw new UnsupportedOperationException("its capabilities offer no shutter");
    }

    @Override
    public void probe(String deviceId) throws DeviceSilentException {
        var unused = read(deviceId, CircuitSource.CIRCUIT_SOURCE_HARDWARE);
    }

    @Override
    public List<FactoryLoss> factoryLoss(String deviceId) {
        return List.of();
    }

    @Override
    public void close() {
        reception.close();
        devices.values().forEach(OpenFlowDevice::close);
        timers.shutdownNow();
    }
}
