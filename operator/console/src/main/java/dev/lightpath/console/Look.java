package dev.lightpath.console;

import dev.lightpath.console.report.Leader;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that the console shows, read at one moment. Objects are shared and never changed.
 *
 * @param leader the operator that leads; empty where that is not known
 * @param events about our objects; empty where they are not read
 * @param light by fabric; a fabric without an entry was not read back
 * @param sight what the viewer may see of all this
 */
public record Look(
        Instant at,
        Optional<Leader> leader,
        List<OpticalFabric> fabrics,
        List<OpticalSwitch> switches,
        List<TrainingJob> jobs,
        List<FabricSlice> slices,
        List<Node> nodes,
        List<Event> events,
        Map<String, ReadBack> light,
        Sight sight) {
    private static final Comparator<HasMetadata> BY_NAME = Comparator.comparing(
                    (HasMetadata object) -> String.valueOf(object.getMetadata().getNamespace()))
            .thenComparing(object -> object.getMetadata().getName());

    /** Sorts the lists by namespace and name. */
    public Look {
        fabrics = sorted(fabrics);
        switches = sorted(switches);
        jobs = sorted(jobs);
        slices = sorted(slices);
        nodes = List.copyOf(nodes);
        events = List.copyOf(events);
        light = Map.copyOf(light);
    }

    /** The same for another viewer. */
    public Look as(Sight other) {
        return new Look(at, leader, fabrics, switches, jobs, slices, nodes, events, light, other);
    }

    /** The same with the same nodes and light as other objects. */
    Look with(List<Node> sameNodes, Map<String, ReadBack> sameLight) {
        return new Look(at, leader, fabrics, switches, jobs, slices, sameNodes, events, sameLight, sight);
    }

    public Optional<OpticalFabric> fabric(String name) {
        return named(fabrics, name);
    }

    public Optional<OpticalSwitch> opticalSwitch(String name) {
        return named(switches, name);
    }

    public Optional<TrainingJob> job(String namespace, String name) {
        return jobs.stream()
                .filter(job -> job.getMetadata().getName().equals(name)
                        && job.getMetadata().getNamespace().equals(namespace))
                .findFirst();
    }

    /** Jobs that the viewer may see. */
    public List<TrainingJob> shownJobs() {
        return jobs.stream()
                .filter(job -> sight.shows(job.getMetadata().getNamespace()))
                .toList();
    }

    /** Slices that the viewer may see. */
    public List<FabricSlice> shownSlices() {
        return slices.stream()
                .filter(slice -> sight.shows(slice.getMetadata().getNamespace()))
                .toList();
    }

    private static <T extends HasMetadata> Optional<T> named(List<T> objects, String name) {
        return objects.stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .findFirst();
    }

    private static <T extends HasMetadata> List<T> sorted(List<T> objects) {
        return objects.stream().sorted(BY_NAME).toList();
    }
}
