package dev.lightpath.driver.contract;

import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.driver.contract.view.FactoryLosses;
import dev.lightpath.driver.contract.view.Mirror;
import dev.lightpath.driver.contract.view.PortMap;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the factory's table of a device read, once for each serial number, when the device first measures the loss of a
 * circuit. Where nothing is measured there is nothing to compare, and the table may be large.
 */
final class FactoryTable {
    private static final Logger LOG = LoggerFactory.getLogger(FactoryTable.class);
    /** A cut of the network ends one try. Where a table is too large or odd, each try would cost the session. */
    private static final int MOST_TRIES = 2;

    private final Mirror mirror;
    private final GuardedLine line;
    private final AtomicReference<Tried> tried = new AtomicReference<>(new Tried("", 0, false));

    /**
     * What became of the table of a device.
     *
     * @param device whose it is; empty before any
     * @param failures tries that ended without it
     * @param again whether it is tried once more
     */
    private record Tried(String device, int failures, boolean again) {
        static Tried first(String device) {
            return new Tried(device, 0, false);
        }

        Tried failed() {
            return new Tried(device, failures + 1, failures + 1 < MOST_TRIES);
        }

        Tried once() {
            return new Tried(device, failures, false);
        }
    }

    FactoryTable(Mirror mirror, GuardedLine line) {
        this.mirror = mirror;
        this.line = line;
    }

    /** The device said that its circuits are these. */
    void told(Collection<NativeCircuit> circuits) {
        DeviceView view = mirror.view();
        if (!view.description().capabilities().getInsertionLossData()
                || circuits.stream().noneMatch(circuit -> circuit.lossDb().isPresent())) {
            return;
        }
        String device = "of " + view.description().device().getSerial();
        Tried before = tried.get();
        boolean another = !before.device().equals(device);
        Tried now = another ? Tried.first(device) : before.once();
        if (!another && !before.again() || !tried.compareAndSet(before, now)) {
            return;
        }
        if (another && !before.device().isEmpty()) {
            mirror.promised(FactoryLosses.NONE);
        }
        Thread.startVirtualThread(() -> read(now));
    }

    /** As the device lists it, read now: of those ports that it has. */
    List<FactoryLoss> entries() throws DeviceSilentException {
        PortMap ports = mirror.ports();
        return line.adapter().factoryLoss(mirror.view().deviceId()).stream()
                .filter(each -> ports.has(each.getIngress()) && ports.has(each.getEgress()))
                .toList();
    }

    private void read(Tried trying) {
        try {
            Optional<FactoryLosses> losses = FactoryLosses.of(entries());
            if (losses.isEmpty()) {
                LOG.atWarn()
                        .addKeyValue("device", mirror.view().deviceId())
                        .log("the factory's table of losses is too large: nothing is compared with it");
            } else if (trying.device().equals(tried.get().device())) {
                mirror.promised(losses.get());
            }
        } catch (DeviceSilentException silent) {
            Tried after = trying.failed();
            if (!tried.compareAndSet(trying, after)) {
                return;
            }
            if (!after.again()) {
                LOG.atWarn()
                        .addKeyValue("device", mirror.view().deviceId())
                        .log("the factory's table of losses is not read, and nothing is compared with it: "
                                + silent.getMessage());
            }
        }
    }
}
