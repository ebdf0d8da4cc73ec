package dev.lightpath.soak;

import dev.lightpath.soak.script.Change;
import dev.lightpath.soak.script.JobWish;
import dev.lightpath.soak.script.NodeFault;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the study has done to the environment so far, and therefore knows to be true. */
final class Scene {
    private final Site site;
    private final SortedMap<Integer, NodeFault> faulty = new TreeMap<>();
    private final SortedSet<String> ports = new TreeSet<>();
    private final SortedSet<String> switches = new TreeSet<>();
    private final SortedMap<String, JobWish> jobs = new TreeMap<>();

    Scene(Site site) {
        this.site = site;
    }

    void note(Change change) {
        switch (change) {
            case Change.NodeFails fails -> faulty.put(fails.position(), fails.how());
            case Change.NodeRecovers recovers -> faulty.remove(recovers.position());
            case Change.PortFails fails -> ports.add(fails.device() + "/" + fails.port());
            case Change.PortRecovers recovers -> ports.remove(recovers.device() + "/" + recovers.port());
            case Change.SwitchFails fails -> switches.add(fails.device());
            case Change.SwitchRecovers recovers -> switches.remove(recovers.device());
            case Change.JobArrives arrives -> jobs.put(arrives.job().name(), arrives.job());
            case Change.JobLeaves leaves -> jobs.remove(leaves.job().name());
        }
    }

    /** Positions of faulty nodes. */
    Set<Integer> faulty() {
        return faulty.keySet();
    }

    Optional<NodeFault> nodeFault(int position) {
        return Optional.ofNullable(faulty.get(position));
    }

    /** Transceivers without power. */
    SortedSet<String> unpowered() {
        SortedSet<String> devices = new TreeSet<>();
        faulty.forEach((position, how) -> {
            if (how == NodeFault.POWER_LOSS) {
                devices.add(site.ring().nodes().get(position));
            }
        });
        return devices;
    }

    /** Devices, and ports as `device/port`, that can lead no light. */
    SortedSet<String> broken() {
        SortedSet<String> broken = unpowered();
        broken.addAll(ports);
        broken.addAll(switches);
        return broken;
    }

    /** Failed ports of switches and switches without power. */
    SortedSet<String> brokenOfSwitches() {
        SortedSet<String> broken = new TreeSet<>(ports);
        broken.addAll(switches);
        return broken;
    }

    /** Jobs that are asked for, by name. */
    SortedMap<String, JobWish> jobs() {
        return jobs;
    }
}
