package dev.lightpath.driver.session;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The switches of one entry in {@code driver.yaml}, each with a session of its own. */
public final class SessionAdapter implements Adapter {
    private final String kind;
    private final List<SwitchAddress> addresses;
    private final Runnable end;
    private final Duration late;
    private final Map<String, SessionDevice> devices = new ConcurrentHashMap<>();

    /** @param end to be run when all sessions are to end: closes what they share */
    public SessionAdapter(String kind, List<SwitchAddress> addresses, Runnable end) {
        this(kind, addresses, end, SessionDevice.LATE);
    }

    /** @param late how late a change may make the reading of what a switch tells */
    SessionAdapter(String kind, List<SwitchAddress> addresses, Runnable end, Duration late) {
        this.kind = kind;
        this.addresses = List.copyOf(addresses);
        this.end = end;
        this.late = late;
    }

    @Override
    public String kind() {
        return kind;
    }

    @Override
    public CompletableFuture<Set<String>> start(AdapterListener listener) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (SwitchAddress address : addresses) {
            SessionDevice device = new SessionDevice(address, listener, late);
            devices.put(address.id(), device);
            all.add(device.start());
        }
        Set<String> names = Set.copyOf(devices.keySet());
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).thenApply(unused -> names);
    }

    @Override
    public void again(String deviceId) {
        SessionDevice device = devices.get(deviceId);
        if (device != null) {
            device.again();
        }
    }

    /** A question to a device. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(SwitchSession session) throws LostException, RefusedException;
    }

    private <T> T ask(String deviceId, Question<T> question) throws DeviceSilentException {
        SessionDevice device = device(deviceId);
        SwitchSession session = device.session();
        try {
            return question.ask(session);
        } catch (LostException lost) {
            String why = String.valueOf(lost.getMessage());
            device.reconnect(session, why);
            throw new DeviceSilentException(why);
        } catch (RefusedException refused) {
            throw new DeviceSilentException("the device refused: " + refused.getMessage());
        }
    }

    private SessionDevice device(String deviceId) throws DeviceSilentException {
        SessionDevice device = devices.get(deviceId);
        if (device == null) {
            throw new DeviceSilentException("driver.yaml names no such device");
        }
        return device;
    }

    @Override
    public List<NativeCircuit> read(String deviceId, CircuitSource source) throws DeviceSilentException {
        return ask(deviceId, SwitchSession::circuits);
    }

    @Override
    public List<MoveAnswer> move(String deviceId, List<Move> moves, Duration within) throws DeviceSilentException {
        SessionDevice device = device(deviceId);
        device.moving();
        try {
            return ask(deviceId, session -> session.move(moves, within));
        } finally {
            device.moved();
        }
    }

    @Override
    public void shutter(String deviceId, String port, boolean closed) throws DeviceSilentException {
        boolean unused = ask(deviceId, session -> {
            session.shutter(port, closed);
            return true;
        });
    }

    @Override
    public void probe(String deviceId) throws DeviceSilentException {
        var unused = read(deviceId, CircuitSource.CIRCUIT_SOURCE_HARDWARE);
    }

    @Override
    public List<FactoryLoss> factoryLoss(String deviceId) throws DeviceSilentException {
        return ask(deviceId, SwitchSession::factoryLoss);
    }

    @Override
    public void close() {
        devices.values().forEach(SessionDevice::close);
        end.run();
    }
}
