package dev.lightpath.driver.adapter;

import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A family of devices behind their own protocol. It translates and nothing more: it remembers no operation, judges no
 * request and retries nothing. Calls block and come from virtual threads; calls for one device never overlap.
 */
public interface Adapter extends AutoCloseable {
    /** Kind, as in the configuration and in {@code Device.adapter}. */
    String kind();

    /** What it is called where two are told apart. */
    default String where() {
        return kind();
    }

    /**
     * Reports its devices to the listener until closed, whatever happens to the connection. Returns at once; the future
     * completes when every device has been reported for the first time, with the names of all that it has, also of
     * those that did not answer. It does not complete while it is unknown which those are.
     */
    CompletableFuture<Set<String>> start(AdapterListener listener);

    /**
     * Reports a device again, soon, and maybe others: it was ignored, because another adapter served it, which has it
     * no more or does not get an answer from it.
     */
    default void again(String deviceId) {}

    /** The circuits of a device, read from the device now. */
    List<NativeCircuit> read(String deviceId, CircuitSource source) throws DeviceSilentException;

    /**
     * Asks the device for these moves, in this order, and returns one answer each, as soon as the device has taken or
     * refused them. They need not have settled.
     *
     * @param within after which a device that has not answered all of them is silent: a lost answer must not hold it
     *     up for ever
     */
    List<MoveAnswer> move(String deviceId, List<Move> moves, Duration within) throws DeviceSilentException;

    /** Closes or opens the shutter of a port; called only when the device's capabilities offer one. */
    void shutter(String deviceId, String port, boolean closed) throws DeviceSilentException;

    /** Returns when the device has answered anything at all. */
    void probe(String deviceId) throws DeviceSilentException;

    /** Factory loss table, in the device's order; empty when the device has none. */
    List<FactoryLoss> factoryLoss(String deviceId) throws DeviceSilentException;

    @Override
    void close();
}
