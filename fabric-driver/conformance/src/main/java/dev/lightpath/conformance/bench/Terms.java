package dev.lightpath.conformance.bench;

import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.MoveConcurrency;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the kit may do.
 *
 * @param deviceId the device under test
 * @param role the role the kit writes as
 * @param scratchPorts ports it may use; empty: every free one
 * @param brokenPort a free egress whose moves fail; empty: one the inventory calls failed, if any
 * @param allowLit whether it may run on a device that carries light of others
 * @param certified whether it shows a certificate, whose rights may end at some devices
 * @param patience how long it waits for anything the contract promises to happen
 * @param slowClient how long at most it tries to overrun the driver's stream buffer; zero: not at all
 * @param slowClientChanges most changes it makes for that
 * @param watchBuffer most messages the driver may keep for a client that does not read
 */
public record Terms(
        String deviceId,
        String role,
        List<String> scratchPorts,
        Optional<String> brokenPort,
        boolean allowLit,
        boolean certified,
        Duration patience,
        Duration slowClient,
        int slowClientChanges,
        int watchBuffer,
        Optional<Restart> restart,
        Optional<Faults> faults) {
    /** To break and to make, and as much again for a driver that waits twice as long. */
    private static final int MOVES = 4;

    /** Of changes in which the device makes one move after the other. */
    private static final int MOST_ITEMS = 4;

    public Terms {
        scratchPorts = List.copyOf(scratchPorts);
    }

    /** Of one move by the device's own figures: the longest, else the usual one; zero when it names neither. */
    static Duration longestMove(Capabilities capabilities) {
        com.google.protobuf.Duration move =
                capabilities.hasMaxSwitchTime() ? capabilities.getMaxSwitchTime() : capabilities.getTypicalSwitchTime();
        return Duration.ofSeconds(move.getSeconds(), move.getNanos());
    }

    /** These, with patience enough for a change of some moves of a device, if its moves may take long. */
    Terms patientFor(Capabilities capabilities) {
        Duration move = longestMove(capabilities);
        Duration least = move.multipliedBy(
                capabilities.getMoveConcurrency() == MoveConcurrency.MOVE_CONCURRENCY_PARALLEL
                        ? MOVES
                        : MOVES * MOST_ITEMS);
        return new Terms(
                deviceId,
                role,
                scratchPorts,
                brokenPort,
                allowLit,
                certified,
                patience.compareTo(least) < 0 ? least : patience,
                slowClient,
                slowClientChanges,
                watchBuffer,
                restart,
                faults);
    }
}
