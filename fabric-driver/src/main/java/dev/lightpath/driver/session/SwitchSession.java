package dev.lightpath.driver.session;

import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A switch that the driver is connected to. Calls block, and fail for good once the session is over. */
public interface SwitchSession extends AutoCloseable {
    /** What it said that it is. */
    DeviceDescription description();

    /**
     * Whether it is another device than the one before, or a part of it is: then its circuits are lost.
     *
     * @param serial that was described before; empty: none was
     */
    default boolean isAnother(String serial) {
        String number = description().device().getSerial();
        // a device that has just started may not know its number yet
        return !number.isEmpty() && !serial.isEmpty() && !number.equals(serial);
    }

    /** All that is asked regularly. */
    DeviceReading reading() throws LostException, RefusedException;

    /**
     * The alarms that stand, where the device tells of them by itself; empty where it must be asked. Returns at once.
     */
    default Optional<List<Alarm>> heard() {
        return Optional.empty();
    }

    /**
     * Whether it told of something since it was read last, and all of that is what this driver did. Returns at once.
     */
    default boolean heardOnlyOfDriver() {
        return false;
    }

    /** Who else changed it since this was asked last, as its own log says: a line each, for people. Returns at once. */
    default List<String> foreignWriters() {
        return List.of();
    }

    /** Its circuits, read now. */
    List<NativeCircuit> circuits() throws LostException, RefusedException;

    /** One answer for each move. {@code within} is how long the device may take for all of them. */
    List<MoveAnswer> move(List<Move> moves, Duration within) throws LostException, RefusedException;

    /** Closes or opens the shutter of a port; called only where the description offers one. */
    void shutter(String port, boolean closed) throws LostException, RefusedException;

    /** Its factory's table of losses; called only where the description promises one. */
    default List<FactoryLoss> factoryLoss() throws LostException, RefusedException {
        return List.of();
    }

    /** Why it is of no use any more; empty while it is. */
    String whyOver();

    /** Ends it. A reason that it has already stays. */
    void end(String why);

    @Override
    default void close() {
        end("the driver ended the session");
    }
}
