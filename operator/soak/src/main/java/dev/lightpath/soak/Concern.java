package dev.lightpath.soak;

import dev.lightpath.soak.oracle.Beam;
import dev.lightpath.soak.oracle.LightHistory;
import dev.lightpath.soak.oracle.Records;
import dev.lightpath.soak.oracle.Seats;
import dev.lightpath.soak.oracle.SpineOracle;
import dev.lightpath.soak.script.Change;
import dev.lightpath.soak.script.Moment;
import dev.lightpath.soak.script.NodeFault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The jobs that a moment concerns. A job is concerned if it arrives or leaves, or if its record named a node, or had a
 * circuit on a port or switch, that failed or came back.
 *
 * <p>A job that is not concerned may have moved only to make room for another one that was placed or repaired in the
 * same moment, or could have been, if it had not left or another job had not taken the room. On optical switches it may
 * also have moved if ports had to be shared again.
 */
final class Concern {
    private final Site site;
    private final Scene scene;
    private final Set<String> nodes = new TreeSet<>();
    private final Set<String> ports = new TreeSet<>();
    private final Set<String> jobs = new TreeSet<>();
    private final Set<String> powered = new HashSet<>();
    private boolean roomTaken;

    Concern(Site site, Scene scene, Moment moment) {
        this.site = site;
        this.scene = scene;
        for (Change change : moment.changes()) {
            switch (change) {
                case Change.NodeFails fails -> {
                    node(fails.position(), fails.how());
                    roomTaken = true;
                }
                case Change.NodeRecovers recovers -> node(recovers.position(), recovers.how());
                case Change.PortFails fails -> ports.add(fails.device() + "/" + fails.port());
                case Change.PortRecovers recovers -> ports.add(recovers.device() + "/" + recovers.port());
                case Change.SwitchFails fails -> ports.add(fails.device());
                case Change.SwitchRecovers recovers -> ports.add(recovers.device());
                case Change.JobArrives arrives -> {
                    jobs.add(arrives.job().name());
                    roomTaken = true;
                }
                case Change.JobLeaves leaves -> jobs.add(leaves.job().name());
            }
        }
    }

    private void node(int position, NodeFault how) {
        String name = site.ring().nodes().get(position);
        nodes.add(name);
        if (how == NodeFault.POWER_LOSS) {
            powered.add(name);
        }
    }

    /** Light that was asked for before and after, on sound hardware, and went dark between. */
    List<String> blinked(SortedSet<Beam> kept, LightHistory history) {
        List<String> blinked = new ArrayList<>();
        history.darkened().keySet().forEach(beam -> {
            if (kept.contains(beam) && !nodes.contains(beam.device()) && SpineOracle.isSound(beam, ports)) {
                blinked.add("light moved without need: " + beam + " was to stay and went dark");
            }
        });
        return blinked;
    }

    /**
     * Jobs that moved and were not concerned.
     *
     * @param forOthers that made room
     * @param idle a line for each that moved without making room
     */
    record Movers(List<String> forOthers, List<String> idle) {}

    /**
     * The jobs that moved.
     *
     * @param passed records of the moment in their order, the first from before it
     * @param crowdedOut jobs that waited before it though others could make room for them
     */
    Movers movers(List<Records> passed, Collection<String> crowdedOut) {
        Records before = passed.getFirst();
        Set<String> concerned = new HashSet<>(jobs);
        Set<String> helped = new TreeSet<>();
        for (Seats group : before.seats(site.ring())) {
            boolean hit = group.positions().stream()
                    .anyMatch(position -> nodes.contains(site.ring().nodes().get(position))
                            || scene.faulty().contains(position));
            if (hit) {
                concerned.add(group.job());
            }
        }
        site.spine()
                .ifPresent(spine -> before.circuits(spine).forEach((job, circuits) -> {
                    if (circuits.stream().anyMatch(circuit -> !SpineOracle.isSound(circuit, ports))) {
                        concerned.add(job);
                    }
                }));
        Map<String, String> was = before.places();
        SortedSet<String> moved = new TreeSet<>();
        for (Records later : passed.subList(1, passed.size())) {
            later.places().forEach((of, place) -> {
                if (was.containsKey(of) && !Objects.equals(was.get(of), place)) {
                    moved.add(of);
                }
            });
        }
        passed.getLast().places().keySet().forEach(of -> {
            if (!was.containsKey(of) || moved.contains(of) && concerned.contains(jobOf(of))) {
                helped.add(jobOf(of));
            }
        });
        moved.removeIf(of -> concerned.contains(jobOf(of)));
        boolean made = !helped.isEmpty() || crowdedOut.stream().anyMatch(job -> roomTaken || jobs.contains(job));
        String ring = " on " + site.ring().fabric();
        List<String> idle = new ArrayList<>();
        for (String of : moved) {
            if (of.endsWith(ring) && !made) {
                idle.add("light moved without need: job " + of + " moved, was not concerned and made room for nobody");
            }
        }
        return new Movers(moved.stream().filter(of -> of.endsWith(ring)).toList(), idle);
    }

    private static String jobOf(String place) {
        return place.substring(0, place.indexOf(' '));
    }

    /** Bundles of transceivers among these circuits whose device did not just get its power. */
    int movedBundles(Collection<Beam> came) {
        Set<String> ring = Set.copyOf(site.ring().nodes());
        return (int) came.stream()
                .filter(beam -> ring.contains(beam.device()) && !powered.contains(beam.device()))
                .count();
    }

    /** Circuits of switches among these. */
    int movedCircuits(Collection<Beam> changed) {
        return (int) changed.stream()
                .filter(beam -> site.spine().map(spine -> spine.has(beam)).orElse(false))
                .count();
    }
}
