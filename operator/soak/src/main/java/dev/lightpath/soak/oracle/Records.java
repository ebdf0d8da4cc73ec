package dev.lightpath.soak.oracle;

import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.GroupAllocation;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the API server says at one moment: jobs, slices and fabrics. */
public record Records(
        SortedMap<String, TrainingJob> jobs, List<FabricSlice> slices, SortedMap<String, OpticalFabric> fabrics) {

    /** The same with other slices. */
    public Records with(List<FabricSlice> others) {
        return new Records(jobs, others, fabrics);
    }

    /** Status and reason of a condition, as {@code False Degraded}; empty before there is one. */
    public String says(String job, String type) {
        TrainingJob read = jobs.get(job);
        return read == null || read.getStatus() == null
                ? ""
                : word(read.getStatus().conditions(), type);
    }

    /** The same of a fabric. */
    public String fabricSays(String fabric, String type) {
        OpticalFabric read = fabrics.get(fabric);
        return read == null || read.getStatus() == null
                ? ""
                : word(read.getStatus().conditions(), type);
    }

    /** Faults in the status of a fabric; none before it has a status. */
    public List<FaultRecord> faults(String fabric) {
        OpticalFabric read = fabrics.get(fabric);
        return read == null || read.getStatus() == null
                ? List.of()
                : read.getStatus().faults();
    }

    private static String word(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> condition.getType().equals(type))
                .map(condition -> condition.getStatus() + " " + condition.getReason())
                .findFirst()
                .orElse("");
    }

    /** Whether the job has a place that a fault has hurt and that is not mended. */
    public boolean pending(String job) {
        for (String type : List.of("Ready", "FabricReady")) {
            String said = says(job, type);
            if (said.equals("False Degraded") || said.equals("False FaultPending")) {
                return true;
            }
        }
        return false;
    }

    /** Groups recorded on a ring. */
    public List<Seats> seats(RingScheme ring) {
        List<Seats> seats = new ArrayList<>();
        for (Grant grant : of(ring.fabric())) {
            for (GroupAllocation group : grant.allocation().groups()) {
                int perMember = grant.gpusPerGroup() / group.positions().size();
                seats.add(new Seats(grant.job(), group.index(), group.positions(), perMember, pending(grant.job())));
            }
        }
        return seats;
    }

    /** Circuits recorded on switches of a fabric, by job. */
    public SortedMap<String, SortedSet<Beam>> circuits(SpineScheme spine) {
        SortedMap<String, SortedSet<Beam>> circuits = new TreeMap<>();
        for (Grant grant : of(spine.fabric())) {
            SortedSet<Beam> of = circuits.computeIfAbsent(grant.job(), unseen -> new TreeSet<>());
            grant.allocation()
                    .circuits()
                    .forEach(on -> on.circuits().forEach(circuit -> {
                        String[] ports = circuit.split("-", 2);
                        of.add(new Beam(spine.device(on.opticalSwitch()), ports[0], ports[1]));
                    }));
        }
        return circuits;
    }

    /** Indices of the pods of each job. */
    public SortedMap<String, SortedSet<Integer>> pods(SpineScheme spine) {
        SortedMap<String, SortedSet<Integer>> pods = new TreeMap<>();
        for (Grant grant : of(spine.fabric())) {
            SortedSet<Integer> of = pods.computeIfAbsent(grant.job(), unseen -> new TreeSet<>());
            grant.allocation().groups().forEach(group -> of.addAll(group.positions()));
        }
        return pods;
    }

    /** Everything recorded of each job, to tell whether it changed. */
    public Map<String, String> places() {
        SortedMap<String, String> places = new TreeMap<>();
        for (Grant grant : grants()) {
            places.merge(
                    grant.job() + " on " + grant.fabric(),
                    grant.allocation().groups() + " " + grant.allocation().circuits(),
                    (a, b) -> a + " " + b);
        }
        return places;
    }

    /**
     * What a slice records.
     *
     * @param gpusPerGroup of its demand on a ring, 0 where there is none
     */
    private record Grant(String job, String fabric, int gpusPerGroup, Allocation allocation) {}

    private List<Grant> grants() {
        List<Grant> grants = new ArrayList<>();
        for (FabricSlice slice : slices) {
            Allocation allocation =
                    slice.getStatus() == null ? null : slice.getStatus().allocation();
            if (allocation != null) {
                var job = slice.getSpec().job();
                var ring = slice.getSpec().demand().scaleUp();
                grants.add(new Grant(
                        job == null ? slice.getMetadata().getName() : job.name(),
                        slice.getSpec().fabric(),
                        ring == null ? 0 : ring.gpusPerGroup(),
                        allocation));
            }
        }
        return grants;
    }

    private List<Grant> of(String fabric) {
        return grants().stream().filter(grant -> grant.fabric().equals(fabric)).toList();
    }
}
