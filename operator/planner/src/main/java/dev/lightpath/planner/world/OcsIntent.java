package dev.lightpath.planner.world;

import dev.lightpath.planner.discovery.DiscoveryRequest;
import dev.lightpath.planner.fault.RecordedFaults;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A fabric of pods wired to optical switches, as its administrator describes it.
 *
 * @param name of the OpticalFabric
 * @param role under which the drivers hold its circuits: cluster and fabric
 * @param pods in the order of their indices
 * @param switches by name
 * @param policy what the administrator allows
 * @param paused read, plan and report, but change no circuit
 * @param resumedAt when a person last resumed it after a mass failure
 * @param retiring whether the fabric is being deleted: nothing new is placed
 * @param misread parts of the description that could not be understood, one line each
 * @param quarantinedPorts switch/port of slices released by force, not yet read back dark
 * @param recordedFaults faults that an earlier process recorded
 * @param clearances when a person last cleared what failed, by name of the node or switch
 * @param gpusPerNode GPUs of each of its nodes
 * @param circuitGbps speed of a circuit, 10^9 bits per second
 * @param discovery where fibres lead: what is asked and recorded of it, by switch
 */
public record OcsIntent(
        String name,
        String role,
        List<OcsPod> pods,
        SortedMap<String, OcsSwitch> switches,
        OcsTopology topology,
        FabricPolicy policy,
        boolean paused,
        Optional<Instant> resumedAt,
        boolean retiring,
        List<String> misread,
        SortedSet<String> quarantinedPorts,
        RecordedFaults recordedFaults,
        SortedMap<String, Instant> clearances,
        int gpusPerNode,
        int circuitGbps,
        SortedMap<String, DiscoveryRequest> discovery)
        implements FabricIntent {
    public OcsIntent {
        quarantinedPorts = Collections.unmodifiableSortedSet(new TreeSet<>(quarantinedPorts));
        clearances = Collections.unmodifiableSortedMap(new TreeMap<>(clearances));
        discovery = Collections.unmodifiableSortedMap(new TreeMap<>(discovery));
        pods = List.copyOf(pods);
        misread = List.copyOf(misread);
        switches = Collections.unmodifiableSortedMap(new TreeMap<>(switches));
    }

    /** A fabric of which no person asks anything, of nodes with eight GPUs and circuits of 400 Gb/s. */
    public static OcsIntent plain(
            String name, String role, List<OcsPod> pods, SortedMap<String, OcsSwitch> switches, OcsTopology topology) {
        return new OcsIntent(
                name,
                role,
                pods,
                switches,
                topology,
                FabricPolicy.standard(),
                false,
                Optional.empty(),
                false,
                List.of(),
                new TreeSet<>(),
                RecordedFaults.none(),
                new TreeMap<>(),
                8,
                400,
                new TreeMap<>());
    }

    /** The same fabric under this policy, not paused, and of whose fibres nobody asks. */
    public OcsIntent goingOn(FabricPolicy next) {
        return with(pods, next, false, unasked());
    }

    /** Probes that may be lit still are known, and no further one is made. */
    private SortedMap<String, DiscoveryRequest> unasked() {
        SortedMap<String, DiscoveryRequest> unasked = new TreeMap<>(discovery);
        unasked.replaceAll((name, asked) -> new DiscoveryRequest(Optional.empty(), asked.recorded()));
        return unasked;
    }

    /** The same fabric where these nodes take nothing new. O(nodes). */
    public OcsIntent closing(Set<String> names) {
        return with(pods.stream().map(pod -> pod.closing(names)).toList(), policy, paused, discovery);
    }

    /** A copy with these components; all others stay. */
    private OcsIntent with(
            List<OcsPod> pods, FabricPolicy policy, boolean paused, SortedMap<String, DiscoveryRequest> discovery) {
        return new OcsIntent(
                name,
                role,
                pods,
                switches,
                topology,
                policy,
                paused,
                resumedAt,
                retiring,
                misread,
                quarantinedPorts,
                recordedFaults,
                clearances,
                gpusPerNode,
                circuitGbps,
                discovery);
    }

    @Override
    public SortedSet<String> drivers() {
        SortedSet<String> drivers = new TreeSet<>();
        switches.values().forEach(of -> drivers.add(of.device().driver()));
        return drivers;
    }
}
