package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.discovery.FabricDiscovery;
import dev.lightpath.planner.discovery.Trial;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.PortLight;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.World;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What the transceivers of pods hear, where a driver tells of them as a device of the pod's name. Which of its ports
 * ends on which switch need not be written down: a pod hears the names of those whose light reaches it.
 *
 * <p>Probing circuits are heard as all others are. A voice that was not there before the probe may be the probe's. Of
 * probes that an earlier process left it is unknown what was heard before: one voice of the two pods that they join may
 * be theirs, and one of any two pods where no wiring says which they join. Exception: a voice is no probe's if it is
 * heard where the installation says that the fibres of a recorded circuit end, and that circuit is made.
 */
public final class PeerObservations {
    private static final int MOST_NAMED = 5;

    private final OcsWiring wiring;
    private final Optional<Trial> trial;
    private final Map<String, DeviceState> devices = new HashMap<>();
    private final Map<String, Map<String, Integer>> heard = new HashMap<>();
    /** Receivers of recorded circuits that are made, with who speaks there. */
    private final Map<FarEnd, Speaker> expected = new HashMap<>();
    /** Voices by the pods that they join, without those that are expected where they are heard. */
    private final Map<OcsWiring.Ends, Integer> unexpected = new HashMap<>();

    private final Set<OcsWiring.Ends> probed = new HashSet<>();
    private final Map<OcsWiring.Ends, Integer> leftBetween = new HashMap<>();
    private final SortedSet<String> probedSwitches = new TreeSet<>();
    private int leftSomewhere;

    /** @param farEnd empty where the installation does not say which of the pod's it is */
    private record Speaker(String pod, Optional<FarEnd> farEnd) {
        boolean is(FarEnd speaker) {
            return farEnd.map(speaker::equals).orElseGet(() -> speaker.device().equals(pod));
        }
    }

    private PeerObservations(OcsWiring wiring, Optional<Trial> trial) {
        this.wiring = wiring;
        this.trial = trial;
    }

    /**
     * Linear in ports of far ends; where there are probes, in circuits too.
     *
     * @param recorded the light of all records
     */
    static PeerObservations of(World world, OcsWiring wiring, SwitchedLight recorded) {
        OcsIntent intent = wiring.intent();
        FabricDiscovery discovery = world.discoveries()
                .getOrDefault(intent.name(), FabricDiscovery.NONE)
                .with(intent.discovery());
        PeerObservations ends = new PeerObservations(
                wiring,
                discovery
                        .trial()
                        .filter(now -> !(now.phase() instanceof Trial.Phase.Proposed)
                                || mayShine(world, intent, now.opticalSwitch(), now.circuit())));
        discovery
                .switches()
                .forEach((name, of) -> of.probes().stream()
                        .filter(probe -> discovery
                                .trial()
                                .filter(now -> now.opticalSwitch().equals(name)
                                        && now.circuit().equals(probe))
                                .isEmpty())
                        .filter(probe -> mayShine(world, intent, name, probe))
                        .forEach(probe -> ends.left(name, probe)));
        ends.trial.ifPresent(now -> ends.probedSwitches.add(now.opticalSwitch()));
        if (ends.doubtsAny()) {
            recorded.forEach((name, circuit) -> ends.expect(world, name, circuit));
        }
        for (OcsPod pod : intent.pods()) {
            for (String driver : intent.drivers()) {
                DeviceState device = world.driver(driver).synced()
                        ? world.driver(driver).devices().get(pod.name())
                        : null;
                if (device != null && ends.devices.putIfAbsent(pod.name(), device) == null) {
                    ends.listen(pod.name(), device);
                }
            }
        }
        return ends;
    }

    /** Whether there are probes, so that some voice may be theirs. */
    boolean doubtsAny() {
        return trial.isPresent() || leftSomewhere > 0 || !leftBetween.isEmpty();
    }

    private void expect(World world, String name, Circuit circuit) {
        OcsSwitch of = wiring.intent().switches().get(name);
        DeviceState device = of == null ? null : world.device(of.device()).orElse(null);
        if (of == null
                || device == null
                || !of.shows(device, circuit)
                || device.moves(circuit)
                || device.failed(circuit)) {
            return;
        }
        SortedMap<String, FarEnd> peers = device.peers();
        wiring.ways(name, circuit).forEach(way -> {
            FarEnd receiver = peers.get(way.out());
            if (receiver != null) {
                expected.put(receiver, new Speaker(way.ends().from(), Optional.ofNullable(peers.get(way.in()))));
            }
        });
    }

    private static boolean mayShine(World world, OcsIntent intent, String name, Circuit probe) {
        OcsSwitch of = intent.switches().get(name);
        DeviceState device = of == null ? null : world.device(of.device()).orElse(null);
        return of == null
                || device == null
                || !device.present()
                || device.operation().isPresent()
                || world.locked().contains(of.device())
                || device.moves(probe)
                || device.circuits().contains(probe)
                || device.circuits().contains(probe.turned());
    }

    private void listen(String pod, DeviceState device) {
        if (!device.present()) {
            return;
        }
        Map<String, Integer> voices = new HashMap<>();
        device.light().forEach((port, light) -> {
            Optional<FarEnd> speaker = light.heard();
            if (light.lock() == PortLight.Lock.UP && speaker.isPresent()) {
                voices.merge(speaker.get().device(), 1, Integer::sum);
                FarEnd receiver = new FarEnd(pod, port);
                OcsWiring.Ends ends = new OcsWiring.Ends(speaker.get().device(), pod);
                if (doubtsAny() && !isExpected(receiver, speaker.get())) {
                    unexpected.merge(ends, 1, Integer::sum);
                }
                if (mayBeProbe(receiver, speaker.get())) {
                    probed.add(ends);
                }
            }
        });
        heard.put(pod, voices);
    }

    private boolean mayBeProbe(FarEnd receiver, FarEnd speaker) {
        return !isExpected(receiver, speaker)
                && trial.filter(now -> now.mayBeHeard(receiver, speaker) && mayJoin(now, receiver, speaker))
                        .isPresent();
    }

    /**
     * Whether a probe may lead there. Its written wiring is what is asked about, so that decides only where nothing
     * else will: without what was heard before, or while far ends are away.
     */
    private boolean mayJoin(Trial now, FarEnd receiver, FarEnd speaker) {
        boolean decides = now.awaitsFarEnds() || now.left() && now.phase() instanceof Trial.Phase.Unread;
        return !decides
                || wiring.mayJoin(
                        now.opticalSwitch(), now.circuit(), new OcsWiring.Ends(speaker.device(), receiver.device()));
    }

    private boolean isExpected(FarEnd receiver, FarEnd speaker) {
        Speaker known = expected.get(receiver);
        return known != null && known.is(speaker);
    }

    private void left(String name, Circuit probe) {
        probedSwitches.add(name);
        List<OcsWiring.Way> ways = wiring.ways(name, probe);
        ways.forEach(way -> leftBetween.merge(way.ends(), 1, Integer::sum));
        if (ways.isEmpty()) {
            leftSomewhere++;
        }
    }

    /** The device of a pod's far ends, if a driver tells of one. */
    Optional<DeviceState> device(String pod) {
        return Optional.ofNullable(devices.get(pod));
    }

    /** Whether a driver tells of both pods' far ends, whether they answer or not. */
    public boolean told(String from, String to) {
        return devices.containsKey(from) && devices.containsKey(to);
    }

    /** Whether a pod's far ends answer. */
    public boolean listens(String pod) {
        return heard.containsKey(pod);
    }

    /** Whether both pods' far ends can be asked. */
    boolean know(String from, String to) {
        return heard.containsKey(from) && heard.containsKey(to);
    }

    /** Whom a pod hears on one of its ports. */
    Optional<String> speaker(String by, String port) {
        return voice(by, port).map(FarEnd::device);
    }

    private Optional<FarEnd> voice(String by, String port) {
        return device(by)
                .filter(DeviceState::present)
                .map(device -> device.lightAt(port))
                .filter(light -> light.lock() == PortLight.Lock.UP)
                .flatMap(PortLight::heard);
    }

    /** Whether it is known which voice is the probing circuit's. */
    boolean tellsProbe() {
        return knowsBefore() && trial.filter(Trial::isTold).isPresent();
    }

    /** Whether it is known what was heard without probing circuits: no earlier process left one. */
    boolean knowsBefore() {
        return leftSomewhere == 0
                && leftBetween.isEmpty()
                && trial.filter(Trial::knowsBefore).isPresent();
    }

    /** Pods whose silence keeps it open which voice is a probing circuit's, for people; empty where none does. */
    public Optional<String> awaited() {
        List<String> silent = trial.filter(Trial::awaitsFarEnds).isEmpty()
                ? List.of()
                : wiring.intent().pods().stream()
                        .map(OcsPod::name)
                        .filter(pod -> !listens(pod))
                        .toList();
        return silent.isEmpty() ? Optional.empty() : Optional.of(Words.first(MOST_NAMED, silent));
    }

    /** Switches of probing circuits that may be heard. */
    public SortedSet<String> probedSwitches() {
        return probedSwitches;
    }

    /** Whether what a far end hears may be a probing circuit. */
    boolean mayHearProbe(FarEnd receiver) {
        return voice(receiver.device(), receiver.port())
                .filter(speaker -> mayBeProbe(receiver, speaker))
                .isPresent();
    }

    /** On how many ports a pod hears another. */
    public int heard(String by, String speaker) {
        return heard.getOrDefault(by, Map.of()).getOrDefault(speaker, 0);
    }

    /** The same, without ports on which it may hear probing circuits. */
    int heardWithoutProbes(String by, String speaker) {
        OcsWiring.Ends ends = new OcsWiring.Ends(speaker, by);
        int probes = (probed.contains(ends) ? 1 : 0) + leftBetween.getOrDefault(ends, 0) + leftSomewhere;
        return heard(by, speaker) - Math.min(probes, unexpected.getOrDefault(ends, 0));
    }

    /** Whether a pod may hear a probing circuit in place of one from another pod. */
    public boolean mayHearProbe(OcsWiring.Ends ends) {
        return heardWithoutProbes(ends.to(), ends.from()) < heard(ends.to(), ends.from());
    }
}
