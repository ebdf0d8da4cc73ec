package dev.lightpath.console;

import dev.lightpath.reading.node.NodeSketch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a console saw since it watches: each look, and what changed from one to the next. Looks share what did not
 * change, and the oldest go when they take too much memory. Not for several threads at once.
 */
public final class History {
    /** Of all looks together, by the estimates below. */
    private static final long MOST_BYTES = 64L << 20;

    private static final int MOST_LOOKS = 2_000;
    private static final int MOST_HAPPENINGS = 5_000;
    private static final int OBJECT_BYTES = 16 << 10;
    private static final int DEVICE_BYTES = 2 << 10;
    private static final int REFERENCE_BYTES = 16;

    private record Kept(Look look, long bytes) {}

    private final ArrayDeque<Kept> looks = new ArrayDeque<>();
    private final ArrayDeque<Happening> happenings = new ArrayDeque<>();
    private final Instant since;
    private long bytes;

    /** @param since since when changes are watched */
    public History(Instant since) {
        this.since = since;
    }

    /** Takes a look, which is later than the last one. Linear in objects. */
    public Seen add(Look taken) {
        Kept last = looks.peekLast();
        Look look = last == null ? taken : sharing(last.look(), taken);
        if (last != null) {
            Changes.between(last.look(), look).forEach(happenings::addFirst);
            while (happenings.size() > MOST_HAPPENINGS) {
                happenings.removeLast();
            }
        }
        Kept kept = new Kept(look, bytes(last == null ? null : last.look(), look));
        looks.addLast(kept);
        bytes += kept.bytes();
        while (looks.size() > 1 && (bytes > MOST_BYTES || looks.size() > MOST_LOOKS)) {
            bytes -= looks.removeFirst().bytes();
        }
        return new Seen(
                look,
                List.copyOf(happenings),
                since,
                looks.stream().map(Kept::look).toList(),
                new ConcurrentHashMap<>());
    }

    /** The same as a look, with what the earlier one has, too, as the earlier one's. */
    private static Look sharing(Look before, Look now) {
        Map<String, Node> nodes = new HashMap<>();
        before.nodes().forEach(node -> nodes.put(node.getMetadata().getName(), node));
        Map<String, ReadBack> light = new HashMap<>();
        now.light()
                .forEach(
                        (fabric, of) -> light.put(fabric, sharing(before.light().get(fabric), of)));
        return now.with(
                now.nodes().stream()
                        .map(node -> sharing(nodes.get(node.getMetadata().getName()), node))
                        .toList(),
                light);
    }

    /** A heartbeat makes another node, of which nothing else is shown. */
    private static Node sharing(@Nullable Node before, Node now) {
        return before != null && before != now && NodeSketch.of(before).equals(NodeSketch.of(now)) ? before : now;
    }

    private static ReadBack sharing(@Nullable ReadBack before, ReadBack now) {
        if (before == null) {
            return now;
        }
        Map<String, ReadBack.DeviceLight> devices = new HashMap<>(now.devices());
        devices.replaceAll((device, light) -> {
            ReadBack.DeviceLight was = before.devices().get(device);
            return light.equals(was) ? was : light;
        });
        return new ReadBack(now.at(), now.foreign(), devices.equals(before.devices()) ? before.devices() : devices);
    }

    private static long bytes(@Nullable Look before, Look now) {
        Set<Object> known = Collections.newSetFromMap(new IdentityHashMap<>());
        if (before != null) {
            objects(before).forEach(known::addAll);
            before.light().values().forEach(of -> known.addAll(of.devices().values()));
        }
        long bytes = 0;
        for (List<? extends HasMetadata> list : objects(now)) {
            bytes += (long) REFERENCE_BYTES * list.size();
            bytes += OBJECT_BYTES
                    * list.stream().filter(each -> !known.contains(each)).count();
        }
        for (ReadBack of : now.light().values()) {
            bytes += (long) REFERENCE_BYTES * of.devices().size();
            bytes += DEVICE_BYTES
                    * of.devices().values().stream()
                            .filter(each -> !known.contains(each))
                            .count();
        }
        return bytes;
    }

    private static List<List<? extends HasMetadata>> objects(Look look) {
        return List.of(look.fabrics(), look.switches(), look.jobs(), look.slices(), look.nodes(), look.events());
    }
}
