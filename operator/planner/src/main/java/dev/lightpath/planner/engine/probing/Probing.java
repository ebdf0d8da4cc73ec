package dev.lightpath.planner.engine.probing;

import dev.lightpath.planner.discovery.DiscoveryRequest;
import dev.lightpath.planner.discovery.FabricDiscovery;
import dev.lightpath.planner.discovery.FibreEnd;
import dev.lightpath.planner.discovery.ProbeOrder;
import dev.lightpath.planner.discovery.SwitchDiscovery;
import dev.lightpath.planner.discovery.Trial;
import dev.lightpath.planner.discovery.Voice;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.Stage.Cause;
import dev.lightpath.planner.memory.Lazy;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.world.OcsSwitch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Probing circuits of one fabric: one at a time, on ports that nobody uses, while nothing else is due. A probe is
 * written into the status of its switch before it is made, so that a later process knows whose light it is. It counts
 * only if what was heard with it is gone without it. Serves one pass.
 */
public final class Probing {
    /** How long a probe may be made and not heard. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final OcsState state;
    private final Set<DeviceId> locked;
    private final BiPredicate<String, Circuit> held;
    private final SortedMap<String, SwitchDiscovery> known = new TreeMap<>();
    private Optional<Trial> trial;
    private Optional<Instant> wakeAt = Optional.empty();
    private final Lazy<Voices> voices;

    private Probing(OcsState state, BiPredicate<String, Circuit> held) {
        this.state = state;
        this.voices = new Lazy<>(() -> Voices.of(state.world(), state.intent()));
        this.locked = state.world().locked();
        this.held = held;
        FabricDiscovery before =
                state.world().discoveries().getOrDefault(state.intent().name(), FabricDiscovery.NONE);
        this.trial = before.trial();
        state.intent().discovery().forEach((name, asked) -> {
            if (state.intent().switches().containsKey(name)) {
                opened(asked, Optional.ofNullable(before.switches().get(name))).ifPresent(of -> known.put(name, of));
            }
        });
    }

    /**
     * Where no fibre is asked for it costs nothing, else it is linear in ports of the fabric.
     *
     * @param held whether a slice's record names a circuit of a switch: such a circuit is no probe any more
     */
    public static Probing of(OcsState state, BiPredicate<String, Circuit> held) {
        Probing probing = new Probing(state, held);
        probing.trial.ifPresent(probing::waitNoMore);
        probing.known.replaceAll(probing::withoutDark);
        probing.trial = probing.trial
                .filter(now -> probing.known.containsKey(now.opticalSwitch())
                        && probing.isProbe(now.opticalSwitch(), now.circuit()))
                .or(probing::leftOutOfReach);
        probing.trial.ifPresent(probing::advance);
        // the circuit of a trial that has just ended is dark: the next one need not wait for another pass
        probing.known.replaceAll(probing::withoutDark);
        return probing;
    }

    /** What is known of a switch at the beginning of the pass; a person who asks anew begins anew. */
    private static Optional<SwitchDiscovery> opened(DiscoveryRequest asked, Optional<SwitchDiscovery> before) {
        Optional<SwitchDiscovery> of = before.or(asked::recorded);
        if (asked.request().isEmpty()) {
            return of.map(SwitchDiscovery::ended);
        }
        String request = asked.request().get();
        return of.filter(known -> known.request().equals(request))
                .or(() -> Optional.of(SwitchDiscovery.begun(
                        request, of.map(SwitchDiscovery::probes).orElseGet(TreeSet::new))));
    }

    /** A probe that was never recorded was never made. */
    private SwitchDiscovery withoutDark(String name, SwitchDiscovery of) {
        SortedSet<Circuit> lit = new TreeSet<>(of.probes());
        DeviceState device = believed(name);
        lit.removeIf(circuit -> held.test(name, circuit)
                || !isTrial(name, circuit)
                        && (device == null
                                ? !isRecorded(name, circuit)
                                : !new ProbedDevice(device).shows(circuit) && !device.moves(circuit)));
        return of.probing(lit);
    }

    private boolean isTrial(String name, Circuit circuit) {
        return trial.filter(
                        now -> now.opticalSwitch().equals(name) && now.circuit().equals(circuit))
                .isPresent();
    }

    /** Whether a circuit that a switch shows is a probe. */
    public boolean isProbe(String name, Circuit reported) {
        SwitchDiscovery of = known.get(name);
        return of != null
                && (of.probes().contains(reported)
                        || goesBothWays(name) && of.probes().contains(reported.turned()));
    }

    /** Whether a circuit and the turned one are the same. */
    private boolean goesBothWays(String name) {
        return state.device(described(name))
                .filter(device -> device.inventory().isPresent() && new ProbedDevice(device).anyToAny())
                .isPresent();
    }

    public FabricDiscovery after() {
        return new FabricDiscovery(known, trial);
    }

    public Optional<Instant> wakeAt() {
        return wakeAt;
    }

    private Voices voices() {
        return voices.get();
    }

    private OcsSwitch described(String name) {
        return Objects.requireNonNull(state.intent().switches().get(name));
    }

    private SwitchDiscovery of(String name) {
        return Objects.requireNonNull(known.get(name));
    }

    /**
     * A device at rest whose state is known; null where it is not. One with an open operation may still make the probe
     * that an earlier process asked for.
     */
    private @Nullable DeviceState believed(String name) {
        OcsSwitch of = described(name);
        DeviceState device = state.device(of).orElse(null);
        return device != null
                        && device.present()
                        && device.inventory().isPresent()
                        && device.operation().isEmpty()
                        && state.world().driver(of.device().driver()).synced()
                        && !locked.contains(of.device())
                ? device
                : null;
    }

    /** Whether nothing can be read of a switch. */
    private boolean isAway(String name) {
        OcsSwitch of = described(name);
        return !state.world().driver(of.device().driver()).synced()
                || state.device(of).filter(DeviceState::present).isEmpty();
    }

    /** A probe of which no trial is remembered, as after a restart, on a switch that does not answer. */
    private Optional<Trial> leftOutOfReach() {
        return known.entrySet().stream()
                .filter(of -> !of.getValue().probes().isEmpty() && isAway(of.getKey()))
                .findFirst()
                .map(of -> new Trial(
                        of.getKey(),
                        of.getValue().probes().first(),
                        true,
                        new Trial.Phase.Unread(
                                new Trial.Before(new TreeMap<>(Voices.BY_NAME), false), Optional.empty())));
    }

    /** What the switch of a trial does not tell is assumed: that the probe was made when the switch went away. */
    private Optional<Trial> outOfReach(Trial now) {
        return switch (now.phase()) {
            case Trial.Phase.Proposed proposed ->
                isRecorded(now.opticalSwitch(), now.circuit())
                        ? Optional.of(unread(now, proposed.before(), Optional.empty()))
                        : Optional.empty();
            case Trial.Phase.Lit lit -> Optional.of(unread(now, lit.before(), Optional.empty()));
            case Trial.Phase.Breaking breaking -> Optional.of(unread(now, breaking.before(), Optional.empty()));
            case Trial.Phase.Unread unread -> Optional.of(unread(now, unread.before(), unread.heardSince()));
            case Trial.Phase.Lost lost ->
                Optional.of(
                        voices().whole()
                                ? now.in(new Trial.Phase.Lost(
                                        lost.wholeBefore(),
                                        lost.heard().stream()
                                                .filter(voices()::has)
                                                .toList()))
                                : now);
        };
    }

    /** Its voice may be missing while a far end cannot be heard, and may come a little after that one is back. */
    private Trial unread(Trial now, Trial.Before before, Optional<Instant> heardSince) {
        if (!voices().whole()) {
            return now.in(new Trial.Phase.Unread(before, Optional.empty()));
        }
        Instant since = heardSince.orElse(state.world().now());
        Instant end = since.plus(GRACE);
        if (state.world().now().isBefore(end)) {
            wakeAt = Optional.of(end);
            return now.in(new Trial.Phase.Unread(before, Optional.of(since)));
        }
        return now.in(new Trial.Phase.Lost(
                before.whole(),
                voices().since(before.speakers()).stream()
                        .filter(voice -> !now.left() || mayJoin(now, voice))
                        .toList()));
    }

    private boolean mayJoin(Trial now, Voice voice) {
        return state.wiring()
                .mayJoin(
                        now.opticalSwitch(),
                        now.circuit(),
                        new OcsWiring.Ends(
                                voice.speaker().device(), voice.receiver().device()));
    }

    private Trial.Phase.Proposed proposed() {
        return new Trial.Phase.Proposed(new Trial.Before(voices().speakers(), voices().whole()));
    }

    private void advance(Trial now) {
        if (isAway(now.opticalSwitch())) {
            trial = outOfReach(now);
            return;
        }
        DeviceState device = believed(now.opticalSwitch());
        if (device == null) {
            return;
        }
        boolean shown = new ProbedDevice(device).shows(now.circuit());
        boolean made = shown && !device.moves(now.circuit());
        trial = switch (now.phase()) {
            case Trial.Phase.Proposed proposed
            when made ->
                Optional.of(later(now.in(
                        new Trial.Phase.Lit(proposed.before(), state.world().now(), voices().whole()))));
            case Trial.Phase.Proposed proposed when shown -> Optional.of(now);
            case Trial.Phase.Proposed proposed ->
                asked(now.opticalSwitch()) ? Optional.of(now.in(proposed())) : Optional.empty();
            case Trial.Phase.Lit lit when !shown -> disturbed(now);
            case Trial.Phase.Unread unread when !shown -> disturbed(now);
            case Trial.Phase.Unread unread
            when made ->
                Optional.of(later(now.in(
                        new Trial.Phase.Lit(unread.before(), state.world().now(), voices().whole()))));
            case Trial.Phase.Unread unread -> Optional.of(now);
            case Trial.Phase.Lit lit -> Optional.of(listen(now, lit, device));
            case Trial.Phase.Breaking breaking -> shown ? Optional.of(now) : conclude(now, breaking, device);
            case Trial.Phase.Lost lost -> shown ? Optional.of(now) : disturbed(now);
        };
        if (trial.isEmpty()) {
            // voices that might have been its own count again from the next pass on
            wakeAt = Optional.of(state.world().now());
        }
    }

    private boolean asked(String name) {
        DiscoveryRequest asked = state.intent().discovery().get(name);
        return asked != null && asked.request().isPresent() && !of(name).over();
    }

    private Trial later(Trial lit) {
        wakeAt = Optional.of(state.world().now().plus(GRACE));
        return lit;
    }

    private Optional<Trial> disturbed(Trial now) {
        known.computeIfPresent(now.opticalSwitch(), (name, of) -> ProbeOrder.disturbed(of, now.circuit()));
        return Optional.empty();
    }

    private Trial listen(Trial now, Trial.Phase.Lit lit, DeviceState device) {
        Instant end = lit.since().plus(GRACE);
        boolean late = !state.world().now().isBefore(end);
        Optional<ProbeOrder.Heard> heard = asked(now.opticalSwitch())
                ? ProbeOrder.heard(
                        new ProbedDevice(device).anyToAny(),
                        voices().since(lit.before().speakers()),
                        late)
                : Optional.of(new ProbeOrder.Heard(List.of(), true));
        boolean whole = lit.whole() && voices().whole();
        if (heard.isEmpty()) {
            wakeAt = Optional.of(end);
            return whole == lit.whole() ? now : now.in(new Trial.Phase.Lit(lit.before(), lit.since(), whole));
        }
        return now.in(new Trial.Phase.Breaking(
                lit.before(),
                heard.get().voices(),
                heard.get().disturbed(),
                whole,
                new ProbedDevice(device).entering(now.circuit().ingress()),
                state.world().now()));
    }

    private Optional<Trial> conclude(Trial now, Trial.Phase.Breaking breaking, DeviceState device) {
        if (breaking.disturbed()) {
            return disturbed(now);
        }
        if (breaking.heard().stream().anyMatch(voices()::has)) {
            Instant end = breaking.since().plus(GRACE);
            if (!state.world().now().isBefore(end)) {
                return disturbed(now);
            }
            wakeAt = Optional.of(end);
            return Optional.of(now);
        }
        known.computeIfPresent(
                now.opticalSwitch(),
                (name, of) -> ProbeOrder.learn(
                        of,
                        new ProbedDevice(device).anyToAny(),
                        now.circuit(),
                        breaking.heard(),
                        breaking.whole() && voices().whole(),
                        breaking.enteringDbm(),
                        state.world().now()));
        return Optional.empty();
    }

    /**
     * What is due: probes that are done go dark, and the next one is made.
     *
     * @param others changes that are due beside these; while there are any, no probe is made
     * @param blockers lit circuits that make way in these, by switch
     * @param taken ports that somebody uses or may use, by switch
     * @param freeze what keeps changes of the fabric from being made
     */
    public List<Due> due(
            List<Due> others, Map<String, Set<Circuit>> blockers, Map<String, Set<String>> taken, ChangeFreeze freeze) {
        List<Due> due = new ArrayList<>();
        known.forEach((name, of) -> {
            DeviceState device = atRest(name);
            if (device != null) {
                for (Circuit circuit : device.circuits().circuits()) {
                    if (isProbe(name, circuit)
                            && !held.test(name, circuit)
                            && !isLit(name, circuit)
                            && !blockers.getOrDefault(name, Set.of()).contains(circuit)
                            && !device.stuck(circuit)
                            && !device.moves(circuit)) {
                        due.add(step(described(name), device, List.of(circuit), List.of(), Cause.RELEASE));
                    }
                }
            }
        });
        if (freeze != ChangeFreeze.NONE) {
            trial = trial.filter(now -> !(now.phase() instanceof Trial.Phase.Proposed));
            waitFor(freeze.message());
        } else if (others.isEmpty() && due.isEmpty() && isQuiet()) {
            make(taken).ifPresent(due::add);
        }
        return due;
    }

    /** What is asked for waits for this. */
    private void waitFor(String why) {
        for (String name : List.copyOf(known.keySet())) {
            if (asked(name)) {
                known.put(name, of(name).waiting(why));
            }
        }
    }

    private static String stillMade(Trial now) {
        return "the probing circuit " + now.circuit() + " of switch " + now.opticalSwitch() + " is still being made";
    }

    /** A pass that still waits for it says so again. */
    private void waitNoMore(Trial now) {
        known.replaceAll((name, of) -> of.waitsFor().equals(Optional.of(stillMade(now))) ? of.goingOn() : of);
    }

    /** Whether a circuit is the trial, and is to shine. */
    private boolean isLit(String name, Circuit circuit) {
        return trial.filter(now -> now.opticalSwitch().equals(name)
                        && !(now.phase() instanceof Trial.Phase.Breaking)
                        && !(now.phase() instanceof Trial.Phase.Lost)
                        && (now.circuit().equals(circuit)
                                || goesBothWays(name) && now.circuit().equals(circuit.turned())))
                .isPresent();
    }

    private @Nullable DeviceState atRest(String name) {
        DeviceState device = believed(name);
        return device == null || state.world().waits(described(name).device()) ? null : device;
    }

    /** Nothing is recorded, and no switch of the fabric changes. */
    private boolean isQuiet() {
        return state.world().recording().isEmpty()
                && state.intent().switches().values().stream()
                        .map(OcsSwitch::device)
                        .noneMatch(locked::contains);
    }

    private Optional<Due> make(Map<String, Set<String>> taken) {
        Optional<Trial> underWay = trial.filter(this::mayBeUnderWay);
        underWay.ifPresent(now -> waitFor(stillMade(now)));
        if (underWay.isEmpty()) {
            trial = trial.filter(now -> !(now.phase() instanceof Trial.Phase.Proposed) || isFree(now, taken));
        }
        if (trial.filter(now -> !isAway(now.opticalSwitch())).isEmpty()) {
            known.entrySet().stream()
                    .filter(of -> !of.getValue().probes().isEmpty())
                    .findFirst()
                    .ifPresentOrElse(
                            left -> waitFor("the probing circuit "
                                    + left.getValue().probes().first() + " of switch " + left.getKey()
                                    + " was not read back dark"),
                            () -> propose(taken));
        }
        return trial.filter(now -> now.phase() instanceof Trial.Phase.Proposed
                        && isRecorded(now.opticalSwitch(), now.circuit())
                        && known.values().stream()
                                        .mapToInt(of -> of.probes().size())
                                        .sum()
                                == 1)
                .flatMap(now -> Optional.ofNullable(atRest(now.opticalSwitch()))
                        .filter(device -> !new ProbedDevice(device).shows(now.circuit()))
                        .map(device -> step(
                                described(now.opticalSwitch()),
                                device,
                                List.of(),
                                List.of(now.circuit()),
                                Cause.PROBE)));
    }

    /**
     * Its mirrors may take longer than a pass. Given up meanwhile, it would be taken down and made again without end.
     */
    private boolean mayBeUnderWay(Trial now) {
        DeviceState device = believed(now.opticalSwitch());
        return now.phase() instanceof Trial.Phase.Proposed
                && isRecorded(now.opticalSwitch(), now.circuit())
                && (device == null || new ProbedDevice(device).shows(now.circuit()));
    }

    private boolean isFree(Trial now, Map<String, Set<String>> taken) {
        DeviceState device = atRest(now.opticalSwitch());
        if (device == null || obstacle(now.opticalSwitch(), device).isPresent()) {
            return false;
        }
        Set<String> used = taken.getOrDefault(now.opticalSwitch(), Set.of());
        return !used.contains(now.circuit().ingress())
                && !used.contains(now.circuit().egress())
                && !device.failed(now.circuit());
    }

    /** Whether a probe is written where a later process reads it. */
    private boolean isRecorded(String name, Circuit circuit) {
        DiscoveryRequest asked = state.intent().discovery().get(name);
        return asked != null
                && asked.recorded()
                        .filter(told -> told.probes().contains(circuit))
                        .isPresent();
    }

    /** Why a switch is not probed now. */
    private Optional<String> obstacle(String name, @Nullable DeviceState device) {
        OcsSwitch of = described(name);
        if (of.drained()) {
            return Optional.of("it is drained");
        }
        return device == null || state.health().switches().contains(name) ? Optional.of(unfit(of)) : Optional.empty();
    }

    /** Why the device of a switch cannot be used now. */
    private String unfit(OcsSwitch of) {
        String device = of.device().device();
        DeviceState shown = state.device(of).orElse(null);
        if (shown == null) {
            return "its driver has not heard of a device " + device + ": if the name is right, its log says why";
        }
        return switch (shown.presence()) {
            case SILENT -> shown.unanswered(device);
            case FOREIGN -> "another role holds device " + device + " (kubectl lightpath driver transfer)";
            case AWAY -> "its driver does not answer";
            case PRESENT -> "device " + device + " has a fault or takes no change now";
        };
    }

    private void propose(Map<String, Set<String>> taken) {
        for (String name : List.copyOf(known.keySet())) {
            if (trial.isEmpty() && asked(name)) {
                DeviceState device = atRest(name);
                Optional<String> obstacle = obstacle(name, device);
                if (device == null || obstacle.isPresent()) {
                    obstacle.ifPresent(why -> known.put(name, of(name).waiting(why)));
                } else {
                    propose(name, device, taken.getOrDefault(name, Set.of()));
                }
            }
        }
    }

    private void propose(String name, DeviceState device, Set<String> taken) {
        ProbedDevice probed = new ProbedDevice(device);
        SortedSet<FibreEnd> ends = probed.ends();
        known.put(name, of(name).of(ends.size()));
        List<FibreEnd> free = ends.stream()
                .filter(end ->
                        !taken.contains(end.port()) && !device.failedPorts().containsKey(end.port()))
                .toList();
        Instant now = state.world().now();
        if (voices().whole()) {
            known.put(name, of(name).and(probed.unlit(free, now)));
        }
        switch (ProbeOrder.next(
                of(name), free, circuit -> device.refusal(circuit).isEmpty(), now)) {
            case ProbeOrder.Next.Probe probe -> {
                known.put(name, of(name).trying(probe.circuit()));
                trial = Optional.of(new Trial(name, probe.circuit(), false, proposed()));
            }
            case ProbeOrder.Next.Over over ->
                known.put(
                        name,
                        of(name).and(over.rest())
                                .and(probed.inUse(circuit -> held.test(name, circuit), voices(), now))
                                .ended());
        }
    }

    private static Due step(OcsSwitch of, DeviceState device, List<Circuit> down, List<Circuit> up, Cause cause) {
        return new Due(
                new DeviceChange(of.device(), device.digest(), new TreeSet<>(down), new TreeSet<>(up)),
                cause,
                Optional.empty(),
                false,
                false);
    }
}
