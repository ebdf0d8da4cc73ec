package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.pacing.Darkness;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.PortUse;
import dev.lightpath.planner.ocs.SwitchCircuit;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How much light in use is dark because it was taken down: what the disruption budget counts. A circuit that was taken
 * down stays on its record ({@code darkening}) until light is there again in its stead, so that a restart forgets
 * nothing. It counts while its two pods have fewer circuits lit than they are to have; of pods that are no longer to be
 * joined, while a circuit that takes one of its ports is not lit yet; of all, while the change that takes it down is
 * under way. What a fault made dark, or keeps from being lit, does not count: no change made it.
 */
public final class OcsDarkness implements Darkness {
    /** Pods that a slice joins; of any-to-any switches in either order. */
    private record Pair(SliceId id, String from, String to) {}

    /** Circuits of a pair. */
    private static final class Tally {
        private int wanted;
        private int lit;
        /** Of those wanted besides, on devices that failed to make them again and again. */
        private int vain;

        private int gone;
        /** Of those gone, by changes whose outcome is not known. */
        private int leaving;

        private int dark() {
            return dark(lit, gone);
        }

        private int dark(int lit, int gone) {
            return wanted == 0 ? 0 : Math.min(Math.max(0, wanted - lit), gone);
        }

        private boolean joins() {
            return wanted + vain > 0;
        }

        /** Whether light is missing in the stead of what is gone. */
        private boolean owes() {
            return gone > 0 && lit < wanted + vain;
        }

        /** A circuit that goes counts while it goes, also where another has taken its place before. */
        private int during(int down) {
            return Math.max(dark(lit - down, gone + down), leaving + down);
        }
    }

    private final OcsState state;
    private final Set<DeviceId> locked;
    private final Map<DeviceId, String> names = new HashMap<>();
    private final Set<SwitchCircuit> leaving = new HashSet<>();
    private final Map<Pair, Tally> tallies = new HashMap<>();
    /** Lit circuits in use that are to go, and those already gone. */
    private final Map<SwitchCircuit, Pair> going = new HashMap<>();

    private final Map<SwitchCircuit, Pair> gone = new HashMap<>();
    private final Map<SwitchCircuit, Pair> wanted = new HashMap<>();
    /** Wanted circuits of any slice that are not lit though they could be, by the port they wait for. */
    private final Map<PortUse, SwitchCircuit> awaited = new HashMap<>();
    /** Ports of those that devices failed to light again and again. */
    private final Set<PortUse> vain = new HashSet<>();

    private OcsDarkness(OcsState state) {
        this.state = state;
        this.locked = state.world().locked();
        for (OcsSwitch of : state.intent().switches().values()) {
            names.put(of.device(), of.name());
        }
        for (Stage stage : state.world().inFlight()) {
            for (DeviceChange change : stage.changes()) {
                String name = names.get(change.device());
                if (name != null) {
                    change.disconnects().forEach(circuit -> leaving.add(spot(name, circuit)));
                }
            }
        }
    }

    /** Linear in recorded circuits. Those that are lit count where a slice loses light only. */
    public static OcsDarkness of(OcsState state, List<SliceState> slices) {
        OcsDarkness darkness = new OcsDarkness(state);
        List<SliceState> losing = slices.stream().filter(OcsDarkness::loses).toList();
        SwitchedLight leaving =
                SwitchedLight.all(losing.stream().map(SliceState::darkening).toList());
        for (SliceState slice : slices) {
            boolean loses = loses(slice);
            slice.circuits().forEach((name, circuit) -> {
                if (loses || !darkness.isLit(name, circuit) || leaving.on(name).contains(circuit)) {
                    darkness.wanted(slice, darkness.spot(name, circuit));
                }
            });
        }
        losing.forEach(slice ->
                slice.darkening().forEach((name, circuit) -> darkness.darkening(slice, darkness.spot(name, circuit))));
        return darkness;
    }

    private static boolean loses(SliceState slice) {
        return slice.usesLight() && !slice.darkening().isEmpty();
    }

    private boolean isLit(String name, Circuit circuit) {
        OcsSwitch of = state.intent().switches().get(name);
        return of != null
                && state.device(of).filter(device -> of.shows(device, circuit)).isPresent();
    }

    private void wanted(SliceState slice, SwitchCircuit spot) {
        DeviceState device = device(spot);
        if (device == null || !sound(device, spot.circuit())) {
            return;
        }
        boolean lit = of(spot).shows(device, spot.circuit());
        // what it failed to make again and again holds up no other change; OcsSteps keeps what is lit in its stead
        if (!lit && state.world().failsAgain(of(spot).device())) {
            vain.addAll(uses(spot));
            if (slice.usesLight()) {
                tallies.computeIfAbsent(pair(slice, spot), of -> new Tally()).vain++;
            }
            return;
        }
        if (!lit) {
            uses(spot).forEach(use -> awaited.put(use, spot));
        }
        if (slice.usesLight()) {
            Pair pair = pair(slice, spot);
            Tally tally = tallies.computeIfAbsent(pair, of -> new Tally());
            tally.wanted++;
            tally.lit += lit ? 1 : 0;
            wanted.put(spot, pair);
        }
    }

    private void darkening(SliceState slice, SwitchCircuit spot) {
        DeviceState device = device(spot);
        if (device == null || !sound(device, spot.circuit()) || wanted.containsKey(spot)) {
            return;
        }
        Pair pair = pair(slice, spot);
        Tally tally = tallies.computeIfAbsent(pair, of -> new Tally());
        // of a device whose outcome is unknown nothing is certain but that it may have happened
        boolean lit = of(spot).shows(device, spot.circuit())
                && !leaving.contains(spot)
                && !(locked.contains(of(spot).device()) && !flying(of(spot).device()));
        if (lit) {
            tally.lit++;
            going.put(spot, pair);
        } else {
            tally.gone++;
            tally.leaving += underWay(spot) ? 1 : 0;
            gone.put(spot, pair);
        }
    }

    private boolean underWay(SwitchCircuit spot) {
        return leaving.contains(spot) || locked.contains(of(spot).device());
    }

    private boolean flying(DeviceId device) {
        return state.world().inFlight().stream()
                .anyMatch(stage -> stage.devices().contains(device));
    }

    @Override
    public int now() {
        int dark = 0;
        for (Tally tally : tallies.values()) {
            dark += tally.wanted == 0 ? 0 : tally.during(0);
        }
        for (Map.Entry<SwitchCircuit, Pair> each : gone.entrySet()) {
            dark += tally(each.getValue()).wanted == 0 && counts(each.getKey()) ? 1 : 0;
        }
        return dark;
    }

    /**
     * Of circuits of a record that were read back dark, those that still count, or will once a device that fails to
     * make light in their stead is no longer known for that.
     */
    public SwitchedLight counting(SwitchedLight dark) {
        return dark.filter((name, circuit) -> {
            SwitchCircuit spot = spot(name, circuit);
            Pair pair = gone.get(spot);
            return pair != null
                    && (tally(pair).joins()
                            ? tally(pair).owes()
                            : counts(spot) || uses(spot).stream().anyMatch(vain::contains));
        });
    }

    /** Of pods that are no longer to be joined. */
    private boolean counts(SwitchCircuit spot) {
        return underWay(spot) || uses(spot).stream().anyMatch(awaited::containsKey);
    }

    @Override
    public Cost of(DeviceChange change) {
        String name = Objects.requireNonNull(names.get(change.device()));
        Map<Pair, Integer> downs = new HashMap<>();
        int given = 0;
        for (Circuit circuit : change.disconnects()) {
            Pair pair = going.get(spot(name, circuit));
            if (pair != null && tally(pair).wanted > 0) {
                downs.merge(pair, 1, Integer::sum);
            } else if (pair != null) {
                given++;
            }
        }
        Map<Pair, Integer> ups = new HashMap<>();
        int taken = 0;
        Set<SwitchCircuit> served = new HashSet<>();
        for (Circuit circuit : change.connects()) {
            SwitchCircuit spot = spot(name, circuit);
            Pair pair = wanted.get(spot);
            if (pair != null) {
                ups.merge(pair, 1, Integer::sum);
            }
            served.add(spot);
        }
        for (Circuit circuit : change.disconnects()) {
            SwitchCircuit spot = spot(name, circuit);
            Pair pair = going.get(spot);
            boolean waits = uses(spot).stream()
                    .map(awaited::get)
                    .filter(Objects::nonNull)
                    .anyMatch(other -> !served.contains(other));
            taken += pair != null && tally(pair).wanted == 0 && waits ? 1 : 0;
        }
        int during = given;
        int after = taken;
        Set<Pair> touched = new HashSet<>(downs.keySet());
        touched.addAll(ups.keySet());
        for (Pair pair : touched) {
            Tally tally = tally(pair);
            int down = downs.getOrDefault(pair, 0);
            int up = ups.getOrDefault(pair, 0);
            during += tally.during(down) - tally.during(0);
            after += tally.dark(tally.lit - down + up, tally.gone + down) - tally.dark();
        }
        return new Cost(during, after);
    }

    @Override
    public void take(DeviceChange change) {
        String name = Objects.requireNonNull(names.get(change.device()));
        for (Circuit circuit : change.disconnects()) {
            SwitchCircuit spot = spot(name, circuit);
            Pair pair = going.remove(spot);
            if (pair != null) {
                tally(pair).lit--;
                tally(pair).gone++;
                tally(pair).leaving++;
                gone.put(spot, pair);
                leaving.add(spot);
            }
        }
    }

    /**
     * What is under way may light another circuit between the same pods, and a device that failed will be asked again.
     */
    @Override
    public boolean maySubside() {
        boolean busy = state.intent().switches().values().stream()
                .filter(of -> state.device(of).filter(DeviceState::present).isPresent())
                .map(OcsSwitch::device)
                .anyMatch(locked::contains);
        return busy
                || now() > 0
                        && state.intent().switches().values().stream()
                                .map(OcsSwitch::device)
                                .anyMatch(device -> state.world().waits(device)
                                        && !state.world().failsAgain(device));
    }

    private Tally tally(Pair pair) {
        return Objects.requireNonNull(tallies.get(pair));
    }

    private Pair pair(SliceState slice, SwitchCircuit spot) {
        OcsWiring.Ends ends = state.wiring()
                .ends(spot.opticalSwitch(), spot.circuit())
                .orElseGet(() -> new OcsWiring.Ends(
                        spot.opticalSwitch() + "/" + spot.circuit().ingress(),
                        spot.opticalSwitch() + "/" + spot.circuit().egress()));
        boolean turned = state.wiring().kind(spot.opticalSwitch()) == DeviceKind.ANY_TO_ANY
                && ends.from().compareTo(ends.to()) > 0;
        return turned ? new Pair(slice.id(), ends.to(), ends.from()) : new Pair(slice.id(), ends.from(), ends.to());
    }

    private Collection<PortUse> uses(SwitchCircuit spot) {
        return state.wiring().uses(spot.opticalSwitch(), spot.circuit());
    }

    private SwitchCircuit spot(String name, Circuit circuit) {
        return new SwitchCircuit(name, state.wiring().canonical(name, circuit));
    }

    private OcsSwitch of(SwitchCircuit spot) {
        return Objects.requireNonNull(state.intent().switches().get(spot.opticalSwitch()));
    }

    /** The device of a switch that answers; null where it does not, or the switch is no longer of the fabric. */
    private @Nullable DeviceState device(SwitchCircuit spot) {
        OcsSwitch of = state.intent().switches().get(spot.opticalSwitch());
        DeviceState device = of == null ? null : state.device(of).orElse(null);
        return device != null && device.present() ? device : null;
    }

    private static boolean sound(DeviceState device, Circuit circuit) {
        return !device.failed(circuit) && device.refusal(circuit).isEmpty();
    }
}
