package dev.lightpath.driver.netconf;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The switches of one entry in {@code driver.yaml}, each with sessions of its own. */
public final class NetconfPolatisAdapter implements Adapter {
    private final List<NetconfDevice> configs;
    private final SshSessions sessions = new SshSessions();
    private final Map<String, PolatisDevice> devices = new ConcurrentHashMap<>();

    public NetconfPolatisAdapter(AdapterConfig.NetconfPolatis config) {
        this.configs = config.devices();
    }

    @Override
    public String kind() {
        return AdapterConfig.NetconfPolatis.KIND;
    }

    @Override
    public CompletableFuture<Void> start(AdapterListener listener) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (NetconfDevice config : configs) {
            PolatisDevice device = new PolatisDevice(config, sessions, listener);
            devices.put(config.id(), device);
            all.add(device.start());
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    /** A question to a device. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(PolatisDevice.Link link) throws LostException, RefusedException;
    }

    private <T> T ask(String deviceId, Question<T> question) throws DeviceSilentException {
        PolatisDevice device = devices.get(deviceId);
        if (device == null) {
            throw new DeviceSilentException("driver.yaml names no such device");
        }
        PolatisDevice.Link link = device.link();
        try {
            return question.ask(link);
        } catch (LostException lost) {
            device.reconnect(link);
            throw new DeviceSilentException(String.valueOf(lost.getMessage()));
        } catch (RefusedException refused) {
            throw new DeviceSilentException("the device refused: " + refused.getMessage());
        }
    }

    @Override
    public List<NativeCircuit> read(String deviceId, CircuitSource source) throws DeviceSilentException {
        return ask(deviceId, link -> link.device().circuits(link.layout()));
    }

    @Override
    public List<MoveAnswer> move(String deviceId, List<Move> moves, Duration within) throws DeviceSilentException {
        return ask(deviceId, link -> link.device().move(moves, link.layout(), within));
    }

    @Override
    public void shutter(String deviceId, String port, boolean closed) throws DeviceSilentException {
        boolean unused = ask(deviceId, link -> {
            link.device().shutter(port, closed);
            return true;
        });
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
        devices.values().forEach(PolatisDevice::close);
        sessions.close();
    }
}
