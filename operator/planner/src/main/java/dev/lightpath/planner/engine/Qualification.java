package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.decision.SliceVerdict.Light;
import dev.lightpath.planner.engine.decision.SliceVerdict.Obstacle;
import dev.lightpath.planner.engine.state.FabricState;
import dev.lightpath.planner.light.Backoff;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * How far the circuits of one slice have come: read back from the hardware, and proved by what each end of each link
 * hears. That a device accepted a change is no proof; a neighbour that names itself is. The first obstacle that is
 * found is told.
 */
final class Qualification {
    private final FabricState state;
    private final List<Obstacle> obstacles = new ArrayList<>();
    private int total;
    private int lit;
    private int failed;
    private int links;
    private int qualified;

    Qualification(FabricState state) {
        this.state = state;
    }

    void want(int circuits) {
        total += circuits;
    }

    /** More of them are read back. */
    void lit(int circuits) {
        lit += circuits;
    }

    /** How many are read back so far. */
    int lit() {
        return lit;
    }

    /** More links are wanted, of which some are heard at both ends. */
    void links(int wanted, int heard) {
        links += wanted;
        qualified += heard;
    }

    void obstacle(Reason reason, String message) {
        obstacles.add(new Obstacle(reason, message));
    }

    /** Circuits of a device that does not answer. */
    void silent(int circuits, String device) {
        failed += circuits;
        obstacle(Reason.DEGRADED, device);
    }

    /** A node whose transceivers have a driver of their own, which is away: what was made there stays. */
    void away(String node) {
        obstacle(
                Reason.DRIVER_UNREACHABLE, "the driver of node " + node + " does not answer; its light stays as it is");
    }

    /** @param label of the circuit, as device/circuit */
    void portFailed(String label) {
        failed++;
        obstacle(Reason.DEGRADED, label + ": port failed");
    }

    /**
     * A circuit that is not there on a device that answers.
     *
     * @param label of the circuit, as device/circuit
     * @param refusal why the device cannot make it, for people
     * @param device in words
     */
    void unmade(String label, Optional<String> refusal, DeviceId id, String device) {
        Backoff backoff = state.world().setbacks().get(id);
        if (refusal.isPresent()) {
            obstacle(Reason.REJECTED, label + ": " + refusal.get());
        } else if (backoff != null) {
            obstacle(backoff.reason(), device + ": " + backoff.message());
        } else {
            obstacles.add(Obstacle.programming(label + " is not made yet"));
        }
    }

    /**
     * Why a circuit that is made does not qualify for its loss; empty if it does, or if its device measures none.
     *
     * @param label of the circuit, for people; asked only if it does not
     */
    Optional<String> excessLoss(Supplier<String> label, DeviceState device, String port) {
        double allowed = state.intent().policy().maximumLossDb();
        OptionalDouble loss = device.lossAbove(port, allowed);
        return loss.isEmpty()
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%s loses %.2f dB, allowed are %.2f dB: clean the connector",
                        label.get(),
                        loss.getAsDouble(),
                        allowed));
    }

    /** Circuits of a device that has not told yet what it consists of. */
    void unread(String device) {
        obstacles.add(Obstacle.programming("what the device of " + device + " consists of is not read yet"));
    }

    /** Not in contact with a driver, nothing else is told. */
    Light verdict() {
        Optional<Obstacle> away = state.intent().drivers().stream()
                .filter(driver -> !state.world().driver(driver).synced())
                .findFirst()
                .map(driver -> new Obstacle(
                        Reason.DRIVER_UNREACHABLE,
                        "driver " + driver + ": "
                                + state.world().driver(driver).problem().orElse("no contact")
                                + "; light stays as it is"));
        return new Light(
                total,
                lit,
                failed,
                links,
                qualified,
                away.or(() -> obstacles.stream().findFirst()));
    }

    static String label(String device, Circuit circuit) {
        return device + "/" + circuit;
    }
}
