package dev.lightpath.planner.discovery;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is known of the fibres of a fabric.
 *
 * @param switches those whose fibres somebody asked for, by name
 * @param trial the probing circuit under way: there is one at a time
 */
public record FabricDiscovery(SortedMap<String, SwitchDiscovery> switches, Optional<Trial> trial) {
    public static final FabricDiscovery NONE = new FabricDiscovery(new TreeMap<>(), Optional.empty());

    public FabricDiscovery {
        switches = Collections.unmodifiableSortedMap(new TreeMap<>(switches));
    }

    /** The same with what is recorded of switches of which nothing is known yet. */
    public FabricDiscovery with(Map<String, DiscoveryRequest> asked) {
        SortedMap<String, SwitchDiscovery> all = new TreeMap<>(switches);
        asked.forEach((name, of) -> of.recorded().ifPresent(recorded -> all.putIfAbsent(name, recorded)));
        return new FabricDiscovery(all, trial);
    }

    /** The same after the wall clock was set by so much. */
    public FabricDiscovery moved(Duration by) {
        return new FabricDiscovery(switches, trial.map(now -> now.moved(by)));
    }
}
