package dev.lightpath.planner.engine;

import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.World;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * Makes worlds as the operator does: what is equal to what the world before had is the same object. Passes recognise by
 * that what they need not look at again.
 */
final class Unchanged {
    private Optional<World> before = Optional.empty();

    /** The same world, of the objects of the last one where these are equal. */
    World since(World now) {
        World next = before.map(last -> of(last, now)).orElse(now);
        before = Optional.of(next);
        return next;
    }

    private static World of(World last, World now) {
        return new World(
                now.now(),
                now.nextStage(),
                kept(last.rings(), now.rings(), Unchanged::ring),
                kept(last.slices(), now.slices()),
                kept(last.ledger(), now.ledger()),
                kept(last.drivers(), now.drivers(), Unchanged::driver),
                now.inFlight(),
                now.recording(),
                now.refused(),
                now.unsettled(),
                now.observing(),
                now.setbacks(),
                now.faults(),
                now.unreadable(),
                kept(last.ocsFabrics(), now.ocsFabrics()),
                now.answers(),
                now.remembered(),
                now.discoveries(),
                now.lineages());
    }

    private static <K, V> SortedMap<K, V> kept(SortedMap<K, V> last, SortedMap<K, V> now) {
        return kept(last, now, (was, is) -> is);
    }

    /** @param changed of a value that was and the one that is and differs */
    private static <K, V> SortedMap<K, V> kept(SortedMap<K, V> last, SortedMap<K, V> now, BinaryOperator<V> changed) {
        SortedMap<K, V> kept = new TreeMap<>(now);
        kept.replaceAll((key, is) -> {
            V was = last.get(key);
            if (was == null) {
                return is;
            }
            return was.equals(is) ? was : changed.apply(was, is);
        });
        return kept;
    }

    private static RingIntent ring(RingIntent was, RingIntent is) {
        return new RingIntent(
                is.name(),
                is.ring(),
                is.driver(),
                is.role(),
                was.nodes().equals(is.nodes()) ? was.nodes() : kept(was.nodes(), is.nodes()),
                is.miswired(),
                is.astray(),
                is.policy(),
                is.paused(),
                is.resumedAt(),
                is.retiring(),
                is.torMismatch(),
                is.quarantinedPorts(),
                is.recordedFaults());
    }

    private static DriverState driver(DriverState was, DriverState is) {
        return new DriverState(
                is.contact(),
                is.problem(),
                is.name(),
                is.version(),
                is.highestEpoch(),
                was.devices().equals(is.devices()) ? was.devices() : kept(was.devices(), is.devices()),
                is.plaintext(),
                is.strange(),
                is.revisions(),
                is.foreign(),
                is.agents(),
                is.told());
    }
}
