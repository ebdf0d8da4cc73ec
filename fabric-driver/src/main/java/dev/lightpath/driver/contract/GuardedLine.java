package dev.lightpath.driver.contract;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.contract.view.Mirror;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** The line to one device: one call at a time, and whatever is read goes to the mirror. */
final class GuardedLine implements DeviceLine {
    private static final long READ_PATIENCE_MILLIS = 200;

    private final Mirror mirror;
    private final ReentrantLock calling = new ReentrantLock(true);
    private volatile Adapter adapter;
    private volatile Set<CircuitPair> expected = Set.of();
    /** When the last change was cut off. A driver that starts does not know of the one before it. */
    private volatile long cutNanos = System.nanoTime();

    GuardedLine(Adapter adapter, Mirror mirror) {
        this.adapter = adapter;
        this.mirror = mirror;
    }

    Adapter adapter() {
        return adapter;
    }

    void serveBy(Adapter next) {
        adapter = next;
    }

    /** Circuits that this driver changes, until the next call with an empty set. */
    void expect(Set<CircuitPair> pairs) {
        expected = Set.copyOf(pairs);
    }

    @Override
    public SortedMap<CircuitPair, NativeCircuit> read() throws DeviceSilentException {
        calling.lock();
        try {
            return readAndTell();
        } finally {
            calling.unlock();
        }
    }

    /** As {@link #read}, but does not wait behind a long move: then the view is left to the operation that makes it. */
    SortedMap<CircuitPair, NativeCircuit> readBeside() throws DeviceSilentException {
        boolean free = false;
        try {
            free = calling.tryLock(READ_PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            return free ? readAndTell() : sorted(adapter.read(deviceId(), CircuitSource.CIRCUIT_SOURCE_HARDWARE));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeviceSilentException("the driver is stopping");
        } finally {
            if (free) {
                calling.unlock();
            }
        }
    }

    /**
     * {@inheritDoc} A request names no more items than the device takes at a time. But the conflict policy may break
     * two circuits for each one that it makes. A larger set is sent in parts.
     */
    @Override
    public List<MoveAnswer> move(List<Move> moves) throws DeviceSilentException {
        Capabilities capabilities = mirror.view().description().capabilities();
        int atATime = capabilities.getMaxBatch() > 0 ? capabilities.getMaxBatch() : moves.size();
        List<MoveAnswer> answers = new ArrayList<>();
        calling.lock();
        try {
            for (int from = 0; from < moves.size(); from += atATime) {
                List<Move> some = moves.subList(from, Math.min(from + atATime, moves.size()));
                answers.addAll(adapter.move(deviceId(), some, MoveTime.answering(capabilities, some.size())));
            }
            return answers;
        } catch (DeviceSilentException silent) {
            cutNanos = System.nanoTime();
            mirror.unanswered(String.valueOf(silent.getMessage()));
            throw silent;
        } finally {
            calling.unlock();
        }
    }

    /** Since the last change was cut off, which the device may still be carrying out. */
    Duration sinceCut() {
        return Duration.ofNanos(System.nanoTime() - cutNanos);
    }

    private SortedMap<CircuitPair, NativeCircuit> readAndTell() throws DeviceSilentException {
        SortedMap<CircuitPair, NativeCircuit> circuits;
        try {
            circuits = sorted(adapter.read(deviceId(), CircuitSource.CIRCUIT_SOURCE_HARDWARE));
        } catch (DeviceSilentException silent) {
            mirror.unanswered(String.valueOf(silent.getMessage()));
            throw silent;
        }
        if (mirror.isUnanswered()
                || !mirror.shows(circuits.values())
                || !mirror.view().wasRead()) {
            mirror.circuits(circuits.values(), expected);
        } else {
            mirror.losses(circuits.values());
        }
        return circuits;
    }

    private String deviceId() {
        return mirror.view().deviceId();
    }

    static SortedMap<CircuitPair, NativeCircuit> sorted(List<NativeCircuit> circuits) {
        SortedMap<CircuitPair, NativeCircuit> sorted = new TreeMap<>();
        circuits.forEach(c -> sorted.put(c.pair(), c));
        return sorted;
    }

    static Set<CircuitPair> pairs(SortedMap<CircuitPair, NativeCircuit> circuits) {
        return new TreeSet<>(circuits.keySet());
    }
}
