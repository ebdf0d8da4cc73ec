/**
 * The OCSTrx fabric of InfinitePOD: nodes on a K-hop line or ring, groups of nodes joined by light into rings of GPUs.
 *
 * <p>Start at {@link RingFabric} (geometry), {@link PortMap} (which bundle passes which hop), {@link BundleDerivation}
 * (groups to bundle states) and {@link RingChecker} (its independent judge); {@link RingOrchestration} places, {@link
 * RingRepair} repairs.
 */
@NullMarked
package dev.lightpath.planner.ring;

import org.jspecify.annotations.NullMarked;
