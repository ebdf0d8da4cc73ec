package dev.lightpath.conformance.bench;

import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import java.util.List;

/** What can be done to a device behind its driver's back. */
public sealed interface Fault {
    /** Moves on this port fail from now on. */
    record DeadElement(String port) implements Fault {}

    /** What this port is connected to stays connected: the device refuses to break it, and goes on showing it. */
    record StuckElement(String port) implements Fault {}

    /** Moves take this much longer than usual, at least. */
    record SlowMoves(long millis) implements Fault {}

    /** The device answers its driver no more. */
    record Silence() implements Fault {}

    /** Somebody else makes this circuit. */
    record ForeignCircuit(CircuitKey circuit) implements Fault {}

    /** The device loses power and comes back with its power-on circuits, by itself. */
    record PowerCycle() implements Fault {}

    /** Another device of the same kind takes its place, with another serial number and power-on circuits. */
    record Replacement() implements Fault {}

    /** Light that enters this port gets weaker by so much, and stays above what the receiver needs. */
    record WeakerLight(String port, int lossDb) implements Fault {}

    /** The device has this temperature. */
    record Temperature(int celsius) implements Fault {}

    /** Somebody else sets the attenuator of this port. */
    record Attenuated(String port, int lossDb) implements Fault {}

    /** As {@code --fault-command} gets it. */
    default List<String> words() {
        return switch (this) {
            case DeadElement(var port) -> List.of("dead-element", port);
            case StuckElement(var port) -> List.of("stuck-element", port);
            case SlowMoves(var millis) -> List.of("slow-moves", Long.toString(millis));
            case Silence() -> List.of("silence");
            case ForeignCircuit(var circuit) -> List.of("foreign-circuit", circuit.getIngress(), circuit.getEgress());
            case PowerCycle() -> List.of("power-cycle");
            case Replacement() -> List.of("replacement");
            case WeakerLight(var port, var lossDb) -> List.of("weaker-light", port, Integer.toString(lossDb));
            case Temperature(var celsius) -> List.of("temperature", Integer.toString(celsius));
            case Attenuated(var port, var lossDb) -> List.of("attenuated", port, Integer.toString(lossDb));
        };
    }
}
