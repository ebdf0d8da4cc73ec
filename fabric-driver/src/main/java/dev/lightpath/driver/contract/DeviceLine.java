package dev.lightpath.driver.contract;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import java.util.List;
import java.util.SortedMap;

/** What a running operation asks of its device. */
interface DeviceLine {
    /** The device's circuits, read now. */
    SortedMap<CircuitPair, NativeCircuit> read() throws DeviceSilentException;

    /** One answer per move, in order. */
    List<MoveAnswer> move(List<Move> moves) throws DeviceSilentException;
}
