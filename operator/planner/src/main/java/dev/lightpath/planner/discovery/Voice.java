package dev.lightpath.planner.discovery;

import dev.lightpath.planner.light.FarEnd;
import java.util.OptionalDouble;

/**
 * A far end that hears another.
 *
 * @param receivedDbm power that it receives, where that is measured
 */
public record Voice(FarEnd receiver, FarEnd speaker, OptionalDouble receivedDbm) {
    /** Whether the other hears it too. */
    boolean answers(Voice other) {
        return receiver.equals(other.speaker) && speaker.equals(other.receiver);
    }
}
