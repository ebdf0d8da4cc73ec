package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.world.SliceId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Records are written one by one, and no port is in two of them: it is given up in one before it is taken in another.
 * Where that goes round, one slice gives way: its record keeps only what it will keep, until all other records are
 * written.
 *
 * @param records new light of each, in this order
 * @param aside those of whom it is not all they will have
 */
public record PortWriteOrder(Map<SliceId, SwitchedLight> records, Set<SliceId> aside) {

    /**
     * The fewest circuits wait in records to come, one job at a time. O(jobs^2 * circuits).
     *
     * @param before light of those who change
     * @param after what they will have
     * @param patient who may stand aside
     * @return empty when only the others could
     */
    public static Optional<PortWriteOrder> of(
            OcsWiring wiring,
            Map<SliceId, SwitchedLight> before,
            Map<SliceId, SwitchedLight> after,
            Set<SliceId> patient) {
        Map<SliceId, Set<PortUse>> held = new LinkedHashMap<>();
        Map<PortUse, SliceId> holders = new HashMap<>();
        before.forEach((id, circuits) -> {
            Set<PortUse> ports = wiring.uses(circuits);
            held.put(id, ports);
            ports.forEach(port -> holders.put(port, id));
        });
        Map<SliceId, Set<PortUse>> wanted = new HashMap<>();
        before.keySet().forEach(id -> wanted.put(id, wiring.uses(light(after, id))));
        Map<SliceId, SwitchedLight> ordered = new LinkedHashMap<>();
        Set<SliceId> aside = new HashSet<>();
        while (!held.isEmpty()) {
            Optional<SliceId> free = held.keySet().stream()
                    .filter(id -> free(id, wanted.getOrDefault(id, Set.of()), holders))
                    .findFirst();
            Optional<SliceId> next = free.or(() -> held.keySet().stream()
                    .filter(patient::contains)
                    .min(Comparator.comparingInt(
                            id -> light(after, id).minus(light(before, id)).size())));
            if (next.isEmpty()) {
                return Optional.empty();
            }
            SliceId id = next.get();
            SwitchedLight full = light(after, id);
            SwitchedLight fresh = full.minus(light(before, id));
            if (free.isEmpty()) {
                aside.add(id);
            }
            ordered.put(id, free.isPresent() ? full : full.minus(fresh));
            Objects.requireNonNull(held.remove(id)).forEach(holders::remove);
        }
        return Optional.of(new PortWriteOrder(ordered, aside));
    }

    private static boolean free(SliceId id, Set<PortUse> wanted, Map<PortUse, SliceId> holders) {
        return wanted.stream().allMatch(port -> id.equals(holders.getOrDefault(port, id)));
    }

    private static SwitchedLight light(Map<SliceId, SwitchedLight> of, SliceId id) {
        return of.getOrDefault(id, SwitchedLight.none());
    }
}
