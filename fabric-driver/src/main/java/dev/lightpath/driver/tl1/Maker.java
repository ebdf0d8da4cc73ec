package dev.lightpath.driver.tl1;

import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.Product;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.time.Duration;
import java.util.List;

/** One switch, in the commands of its maker. What it is was asked once; the rest is asked over any of its sessions. */
sealed interface Maker permits Polatis, Calient {
    /** Time for the answer to a question. */
    Duration CALL = Duration.ofSeconds(5);

    Product product();

    PortLayout layout();

    /** As they are named and lie. */
    List<Port> ports();

    /** Whether it has power meters. */
    boolean meters();

    /** Its ports as they are now. */
    List<PortStatus> states(Tl1Session by) throws LostException, RefusedException;

    /** Its circuits, read now. */
    List<NativeCircuit> circuits(Tl1Session by) throws LostException, RefusedException;

    /** Reads what holds its ports, before moves are requested. */
    Standing standing(Tl1Session by) throws LostException, RefusedException;
}
