package dev.lightpath.soak;

import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.Releasing;
import dev.lightpath.soak.oracle.Beam;
import dev.lightpath.soak.oracle.Records;
import dev.lightpath.soak.oracle.RingOracle;
import dev.lightpath.soak.oracle.Seats;
import dev.lightpath.soak.oracle.SpineOracle;
import dev.lightpath.soak.script.JobWish;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Holds what the API server says and what light does against what the study knows. Empty lists mean that all is well.
 */
final class Inspection {
    private static final String PLACED = "True Satisfied";
    private static final String LOOP = ".loop";
    private static final String NODE = "node/";
    private static final String NO_ROOM = "False InsufficientCapacity";

    private final Site site;
    private final Scene scene;
    private final RingOracle oracle;
    private final Room room;

    Inspection(Site site, Scene scene) {
        this.site = site;
        this.scene = scene;
        this.oracle = new RingOracle(site.ring());
        this.room = new Room(site.ring());
    }

    /** What the operator's statuses do not say yet, or still say. */
    List<String> unsettled(Records records) {
        List<String> open = new ArrayList<>();
        String ring = site.ring().fabric();
        OpticalFabric fabric = records.fabrics().get(ring);
        if (fabric == null
                || fabric.getStatus() == null
                || fabric.getStatus().nodes() == null
                || fabric.getStatus().circuits() == null) {
            return List.of("status: fabric " + ring + " has none");
        }
        int faulty = fabric.getStatus().nodes().faulty();
        if (faulty != scene.faulty().size()) {
            open.add("status: fabric " + ring + " counts " + faulty + " faulty nodes, there are "
                    + scene.faulty().size());
        }
        for (String name : site.fabrics()) {
            String ready = records.fabricSays(name, "Ready");
            if (!ready.startsWith("True")) {
                open.add("status: fabric " + name + " is Ready=" + ready);
            }
        }
        nodeFaults(records, open);
        switchFaults(records, open);
        scene.jobs().keySet().forEach(job -> job(records, job, open));
        Set<String> leaving = new TreeSet<>();
        for (FabricSlice slice : records.slices()) {
            slice(slice, open, leaving);
        }
        for (String job : records.jobs().keySet()) {
            if (!scene.jobs().containsKey(job) && !leaving.contains(job)) {
                open.add("left over: job " + job);
            }
        }
        return open;
    }

    /**
     * What a slice has left is listed, and a slice of a job that is gone stays, until every device has been read back
     * dark: one without power cannot be.
     */
    private void slice(FabricSlice slice, List<String> open, Set<String> leaving) {
        String name = slice.getMetadata().getName();
        var job = slice.getSpec().job();
        var allocation = slice.getStatus() == null ? null : slice.getStatus().allocation();
        List<String> releasing = allocation == null || allocation.releasing() == null
                ? List.of()
                : allocation.releasing().nodes();
        boolean waits = releasing.stream().anyMatch(scene.unpowered()::contains)
                || allocation != null && allocation.releasing() != null && isSilent(allocation.releasing());
        if (waits) {
            if (job != null && allocation != null && allocation.groups().isEmpty()) {
                leaving.add(job.name());
            }
        } else if (job != null && !scene.jobs().containsKey(job.name())) {
            open.add("left over: slice " + name);
        } else if (slice.getMetadata().getDeletionTimestamp() != null) {
            open.add("status: slice " + name + " is being deleted");
        } else if (!releasing.isEmpty()) {
            open.add("status: slice " + name + " is still releasing " + releasing);
        }
    }

    /** Whether any of these circuits is on a switch without power. */
    private boolean isSilent(Releasing releasing) {
        return site.spine()
                .filter(spine -> releasing.circuits().stream()
                        .anyMatch(on -> scene.brokenOfSwitches().contains(spine.device(on.opticalSwitch()))))
                .isPresent();
    }

    /** Every fabric keeps its own faults of a node, and its status is written on its own. */
    private void nodeFaults(Records records, List<String> open) {
        Map<String, Integer> places = site.ring().places();
        for (String name : site.fabrics()) {
            for (FaultRecord fault : records.faults(name)) {
                if (fault.subject().startsWith(NODE)) {
                    Integer position = places.get(fault.subject().substring(NODE.length()));
                    if (position != null && !scene.faulty().contains(position)) {
                        open.add("status: fabric " + name + " takes " + fault.subject() + " for broken");
                    }
                }
            }
        }
    }

    private void switchFaults(Records records, List<String> open) {
        site.spine().ifPresent(spine -> {
            Set<String> subjects = records.faults(spine.fabric()).stream()
                    .map(FaultRecord::subject)
                    .map(subject -> subject.substring(subject.indexOf('/') + 1))
                    .collect(Collectors.toSet());
            for (String broken : scene.brokenOfSwitches()) {
                int slash = broken.indexOf('/');
                boolean covered = slash > 0 && subjects.contains(broken.substring(0, slash));
                if (!subjects.contains(broken) && !covered) {
                    open.add("status: fabric " + spine.fabric() + " does not know that " + broken + " is broken");
                }
            }
            for (String subject : subjects) {
                int slash = subject.indexOf('/');
                boolean ofSwitch = spine.devices().containsValue(slash < 0 ? subject : subject.substring(0, slash));
                boolean known = scene.brokenOfSwitches().contains(subject)
                        || slash > 0 && scene.brokenOfSwitches().contains(subject.substring(0, slash));
                if (ofSwitch && !known) {
                    open.add("status: fabric " + spine.fabric() + " takes " + subject + " for broken");
                }
            }
        });
    }

    private static void job(Records records, String job, List<String> open) {
        String ready = records.says(job, "Ready");
        boolean waits = records.says(job, "Placed").equals(NO_ROOM);
        if (!ready.equals(PLACED) && !waits && !records.pending(job)) {
            open.add("status: job " + job + " is Ready=" + (ready.isEmpty() ? "nothing" : ready));
        }
    }

    /** Jobs that say that there is no room for them. */
    List<JobWish> waiting(Records records) {
        return scene.jobs().values().stream()
                .filter(job -> records.says(job.name(), "Placed").equals(NO_ROOM))
                .toList();
    }

    /** What light does otherwise than recorded or promised. */
    List<String> wrong(Records records, SortedSet<Beam> light) {
        List<Seats> seats = records.seats(site.ring());
        List<String> wrong = new ArrayList<>(oracle.violations(seats, scene.faulty(), scene.unpowered(), light));
        SortedSet<Beam> onRing = new TreeSet<>();
        Set<String> nodes = Set.copyOf(site.ring().nodes());
        light.stream().filter(beam -> nodes.contains(beam.device())).forEach(onRing::add);
        for (Beam beam : oracle.wanted(seats)) {
            if (!scene.unpowered().contains(beam.device()) && !onRing.remove(beam)) {
                wrong.add("light: " + beam + " is recorded and dark");
            }
        }
        onRing.forEach(beam -> wrong.add("light: " + beam + " is lit and not recorded"));
        site.spine()
                .ifPresent(spine -> SpineOracle.violations(
                                spine, records.circuits(spine), records.pods(spine), scene.brokenOfSwitches(), light)
                        .forEach(line -> wrong.add("light: " + line)));
        wrong.addAll(room.neglected(
                waiting(records).stream().filter(job -> job.spine().isEmpty()).toList(), seats, scene.faulty()));
        return wrong;
    }

    /** Jobs that wait for a place or a repair though there is room for them once others have moved. */
    List<String> crowdedOut(Records records) {
        return room.crowdedOut(
                waiting(records).stream().filter(job -> job.spine().isEmpty()).toList(),
                records.seats(site.ring()),
                fixed(records),
                scene.faulty());
    }

    /** GPUs of waiting jobs that would all have a place if all jobs moved in the best way. */
    int gatherable(Records records) {
        return room.gatherable(
                waiting(records).stream().filter(job -> job.spine().isEmpty()).toList(),
                records.seats(site.ring()),
                scene.faulty());
    }

    /** Jobs on two fabrics: they are not moved for others. */
    private Set<String> fixed(Records records) {
        return site.spine()
                .map(spine -> Set.copyOf(records.pods(spine).keySet()))
                .orElse(Set.of());
    }

    /**
     * Light that all these records of one job ask for alike and that nothing broken has to lead, and bundles that loop
     * back in all of them. It has no reason to go dark between them.
     *
     * @param passed records of a moment in their order, at least one
     */
    SortedSet<Beam> kept(List<Records> passed) {
        SortedSet<Beam> loops = oracle.wanted(passed.getFirst().seats(site.ring()));
        loops.removeIf(beam -> !beam.egress().endsWith(LOOP));
        Map<String, List<Seats>> last = seats(passed.getFirst());
        Map<String, SortedSet<Beam>> kept = lit(passed.getFirst(), last);
        for (Records later : passed.subList(1, passed.size())) {
            Map<String, List<Seats>> before = last;
            Map<String, List<Seats>> now = seats(later);
            Set<String> moved = new TreeSet<>(kept.keySet());
            moved.addAll(now.keySet());
            moved.removeIf(job -> site.spine().isEmpty() && Objects.equals(now.get(job), before.get(job)));
            Map<String, List<Seats>> theirs = new TreeMap<>(now);
            theirs.keySet().retainAll(moved);
            theirs.values().forEach(groups -> loops.removeAll(oracle.looped(groups)));
            Map<String, SortedSet<Beam>> lit = lit(later, theirs);
            moved.stream()
                    .filter(kept::containsKey)
                    .forEach(job ->
                            Objects.requireNonNull(kept.get(job)).retainAll(lit.getOrDefault(job, new TreeSet<>())));
            last = now;
        }
        kept.values().forEach(loops::addAll);
        Set<String> broken = scene.broken();
        loops.removeIf(beam -> !SpineOracle.isSound(beam, broken));
        return loops;
    }

    private Map<String, List<Seats>> seats(Records records) {
        return records.seats(site.ring()).stream().collect(Collectors.groupingBy(Seats::job));
    }

    /** Light of these jobs on the ring, and of all jobs on switches. */
    private Map<String, SortedSet<Beam>> lit(Records records, Map<String, List<Seats>> ofJobs) {
        Map<String, SortedSet<Beam>> lit = new TreeMap<>();
        ofJobs.forEach((job, groups) -> lit.put(job, oracle.led(groups)));
        site.spine()
                .ifPresent(spine -> records.circuits(spine)
                        .forEach((job, circuits) -> lit.computeIfAbsent(job, unseen -> new TreeSet<>())
                                .addAll(circuits)));
        return lit;
    }
}
