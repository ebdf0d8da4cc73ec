package dev.lightpath.driver.crash;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Devices whose driver may stop before it reads them, before it asks for a move, while they move, and when they have
 * answered.
 */
final class CrashingAdapter implements Adapter {
    private final Adapter devices;
    private final CrashPoint crash;

    CrashingAdapter(Adapter devices, CrashPoint crash) {
        this.devices = devices;
        this.crash = crash;
    }

    @Override
    public String kind() {
        return devices.kind();
    }

    @Override
    public CompletableFuture<Set<String>> start(AdapterListener listener) {
        return devices.start(listener);
    }

    @Override
    public List<NativeCircuit> read(String deviceId, CircuitSource source) throws DeviceSilentException {
        crash.meet("before reading " + deviceId);
        return devices.read(deviceId, source);
    }

    @Override
    public List<MoveAnswer> move(String deviceId, List<Move> moves, Duration within) throws DeviceSilentException {
        String what = moves.size() + " moves of " + deviceId;
        crash.meet("before " + what);
        if (!crash.passes("during " + what)) {
            Thread.startVirtualThread(() -> {
                try {
                    var unused = devices.move(deviceId, moves, within);
                } catch (DeviceSilentException unheard) {
                    // the process that would be told is dead
                }
            });
            crash.meet("during " + what);
        }
        List<MoveAnswer> answers = devices.move(deviceId, moves, within);
        crash.meet("after " + what);
        return answers;
    }

    @Override
    public void shutter(String deviceId, String port, boolean closed) throws DeviceSilentException {
        devices.shutter(deviceId, port, closed);
    }

    @Override
    public void probe(String deviceId) throws DeviceSilentException {
        devices.probe(deviceId);
    }

    @Override
    public List<FactoryLoss> factoryLoss(String deviceId) throws DeviceSilentException {
        return devices.factoryLoss(deviceId);
    }

    @Override
    public void close() {
        devices.close();
    }
}
