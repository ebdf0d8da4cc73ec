package dev.lightpath.app.job.facts;

import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.Releasing;
import dev.lightpath.crds.slice.SwitchCircuits;
import dev.lightpath.reading.acceptance.FabricKind;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The fabric that a job asks for.
 *
 * @param transceivers true for ocsTrx, false for ocs
 * @param gpusPerNode GPUs of each of its nodes
 * @param forbidden why jobs of the job's namespace may not use it; empty when they may
 * @param quarantined devices of which ports are in quarantine, and these ports as device/port
 * @param massFailure whether all its automatic moves stand still because too much failed at once
 * @param usableGpus GPUs of nodes that jobs have or could have now; empty before that is known
 * @param gpuResource the extended resource that counts its GPUs
 * @param tori whether its switches make twisted tori
 * @param logical whether its switches make what the jobs' traffic asks for
 * @param geometry what it looks like to pods
 */
public record FabricFacts(
        String name,
        boolean transceivers,
        int gpusPerNode,
        Optional<String> forbidden,
        SortedSet<String> quarantined,
        boolean massFailure,
        OptionalInt usableGpus,
        String gpuResource,
        boolean tori,
        boolean logical,
        FabricGeometry geometry) {
    /** What counts GPUs where a fabric does not say otherwise. */
    public static final String GPU_RESOURCE = "nvidia.com/gpu";

    public FabricFacts {
        quarantined = Collections.unmodifiableSortedSet(new TreeSet<>(quarantined));
    }

    /** What it gives to jobs. */
    public FabricKind kind() {
        return new FabricKind(name, transceivers, gpusPerNode, tori, logical);
    }

    /**
     * Whether all circuits of this record that may still be lit are in quarantine. A group within one node has none.
     */
    boolean holdsAllOf(Allocation allocation) {
        Releasing releasing = allocation.releasing();
        if (!transceivers) {
            return holds(allocation.circuits()) && (releasing == null || holds(releasing.circuits()));
        }
        return (releasing == null || quarantined.containsAll(releasing.nodes()))
                && allocation.groups().stream()
                        .filter(group -> group.nodes().size() > 1)
                        .allMatch(group -> quarantined.containsAll(group.nodes()));
    }

    private boolean holds(List<SwitchCircuits> switches) {
        return switches.stream()
                .allMatch(of -> of.circuits().stream()
                        .flatMap(circuit -> Stream.of(circuit.split(circuit.contains("->") ? "->" : "-", -1)))
                        .allMatch(port -> quarantined.contains(of.opticalSwitch() + "/" + port)));
    }
}
