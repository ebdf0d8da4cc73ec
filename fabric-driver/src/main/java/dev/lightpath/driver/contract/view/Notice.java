package dev.lightpath.driver.contract.view;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Something that happened to a device and cannot be seen by comparing two views of it. */
public sealed interface Notice {
    /** An operation was admitted, ended, was confirmed or rolled back. */
    record OperationChange(Operation operation) implements Notice {}

    /**
     * Circuits changed without an operation of this driver.
     *
     * @param by who did it, as the device's own log says; empty where it does not
     */
    record Foreign(Set<CircuitPair> appeared, Set<CircuitPair> vanished, List<String> by) implements Notice {}

    /** The device lost power and came back. */
    record PowerCycle(Instant noticedAt) implements Notice {}
}
