/**
 * The OCSTrx fabric of InfinitePOD: nodes on a K-hop line or ring, groups of nodes joined by light into rings of GPUs.
 *
 * <p>Start at {@link RingFabric} (geometry), {@link PortMap} (which bundle passes which hop), {@link BundleDerivation}
 * (groups to bundle states) and {@link RingChecker} (its independent judge). The package {@code placement} places,
 * {@code repair} repairs.
 */
@NullMarked
package dev.lightpath.planner.ring;

import org.jspecify.annotations.NullMarked;
