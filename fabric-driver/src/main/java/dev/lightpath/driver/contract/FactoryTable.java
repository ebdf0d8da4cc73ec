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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the factory's table of a device read, once for each serial number, when the device first measures the loss of a
 * circuit. Where nothing is measured there is nothing to compare, and the table may be large.
 */
final class FactoryTable {
    private static final Logger LOG = LoggerFactory.getLogger(FactoryTable.class);
    private static final String UNREAD = "";

    /** A cut of the network ends one try. Where a table is too large or odd, each try would cost the session. */
    private static final int MOST_TRIES = 2;

    private final Mirror mirror;
    private final GuardedLine line;
    /** The device whose table was read or is being read. */
    private final AtomicReference<String> readOf = new AtomicReference<>(UNREAD);

    private final AtomicInteger failed = new AtomicInteger();

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
        String before = readOf.getAndSet(device);
        if (before.equals(device)) {
            return;
        }
        if (!before.equals(UNREAD)) {
            mirror.promised(FactoryLosses.NONE);
            failed.set(0);
        }
        Thread.startVirtualThread(() -> read(device));
    }

    /** As the device lists it, read now: of those ports that it has. */
    List<FactoryLoss> entries() throws DeviceSilentException {
        PortMap ports = mirror.ports();
        return line.adapter().factoryLoss(mirror.view().deviceId()).stream()
                .filter(each -> ports.has(each.getIngress()) && ports.has(each.getEgress()))
                .toList();
    }

    private void read(String device) {
        try {
            Optional<FactoryLosses> losses = FactoryLosses.of(entries());
            if (losses.isEmpty()) {
                LOG.atWarn()
                        .addKeyValue("device", mirror.view().deviceId())
                        .log("the factory's table of losses is too large: nothing is compared with it");
            } else if (device.equals(readOf.get())) {
                mirror.promised(losses.get());
            }
        } catch (DeviceSilentException silent) {
            if (failed.incrementAndGet() < MOST_TRIES) {
                readOf.compareAndSet(device, UNREAD);
            } else {
                LOG.atWarn()
                        .addKeyValue("device", mirror.view().deviceId())
                        .log("the factory's table of losses is not read, and nothing is compared with it: "
                                + silent.getMessage());
            }
        }
    }
}
