package dev.lightpath.app.publish.status;

import dev.lightpath.app.conditions.Conditions.Verdict;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.opticalswitch.Discovery;
import dev.lightpath.crds.opticalswitch.ObservedLight;
import dev.lightpath.crds.opticalswitch.OpticalSwitchStatus;
import dev.lightpath.crds.opticalswitch.PortCounts;
import dev.lightpath.crds.opticalswitch.Sides;
import dev.lightpath.crds.opticalswitch.SwitchDevice;
import dev.lightpath.planner.discovery.SwitchDiscovery;
import dev.lightpath.planner.engine.decision.OcsVerdict;
import dev.lightpath.planner.engine.state.DeviceMismatch;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.ocs.FoundWiring;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.reading.DiscoveryCodec;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The status of an OpticalSwitch (spec: kubernetes, 2 and 5). */
final class SwitchStatusProjector {
    /** Why a switch is ready that was to be emptied and is. */
    static final String DRAINED = EventReason.DRAINED.word();

    /** What the definition takes. */
    private static final int LONGEST_WORD = 253;

    private SwitchStatusProjector() {}

    /**
     * Never moves for the passing of time alone: the same outcome gives the same status.
     *
     * @param name of the switch
     * @param fabric that its spec names
     * @param before the status the object has now, null when it has none
     */
    static OpticalSwitchStatus project(
            String name,
            String fabric,
            Outcome outcome,
            @Nullable OpticalSwitchStatus before,
            long generation,
            Instant now) {
        @Nullable OcsIntent intent = outcome.world().ocsFabrics().get(fabric);
        @Nullable OcsVerdict spine = outcome.deliberation().ocsFabrics().get(fabric);
        OcsSwitch of = intent == null ? null : intent.switches().get(name);
        OcsVerdict.OfSwitch verdict = spine == null ? null : spine.switches().get(name);
        if (intent == null || spine == null || of == null || verdict == null) {
            return UnattendedStatus.opticalSwitch(fabric, outcome.world(), before, generation, now);
        }
        DriverState driver = outcome.world().driver(of.device().driver());
        Optional<DeviceState> device = outcome.world().device(of.device());
        Verdict connected = connected(of, intent, driver, device);
        Verdict inSync = inSync(verdict, connected);
        SortedMap<String, String> lacking =
                device.map(there -> DeviceMismatch.lacking(of, there)).orElseGet(Collections::emptySortedMap);
        Verdict ready = ready(
                of,
                verdict,
                connected,
                inSync,
                lacking,
                of.drained() ? DrainedSwitch.waits(outcome.world(), fabric, name) : "");
        boolean stalled = !ready.holds() && FabricStatusProjector.NEEDS_A_PERSON.contains(ready.reason());
        List<io.fabric8.kubernetes.api.model.Condition> conditions = FabricStatusProjector.conditions(
                before == null ? List.of() : before.conditions(),
                generation,
                now,
                ready,
                connected,
                inSync,
                stalled,
                FabricStatusProjector.plaintext(of.device().driver(), driver));
        return new OpticalSwitchStatus(
                generation,
                conditions,
                describe(of, device.flatMap(DeviceState::inventory), before),
                new ObservedLight(named(verdict.digest()), verdict.observed(), verdict.foreign()),
                new PortCounts(
                        verdict.ports(),
                        verdict.ports() - verdict.failedPorts() - verdict.degradedPorts(),
                        verdict.degradedPorts(),
                        verdict.failedPorts()),
                discovery(
                        of,
                        intent,
                        spine.discovery().switches().get(name),
                        device.flatMap(DeviceState::inventory),
                        before));
    }

    /** What an earlier process found stays until somebody asks anew. */
    private static @Nullable Discovery discovery(
            OcsSwitch of,
            OcsIntent intent,
            @Nullable SwitchDiscovery known,
            Optional<Inventory> inventory,
            @Nullable OpticalSwitchStatus before) {
        Discovery told = before == null ? null : before.discovery();
        if (known == null) {
            return told;
        }
        Set<String> pods = intent.pods().stream().map(OcsPod::name).collect(Collectors.toSet());
        List<String> findings = known.over() ? FoundWiring.findings(of, pods, known, inventory) : List.of();
        return DiscoveryCodec.write(known, findings);
    }

    /** As the device tells; until it does, as it told before, or else as it is wired. */
    private static SwitchDevice describe(
            OcsSwitch of, Optional<Inventory> inventory, @Nullable OpticalSwitchStatus before) {
        Sides wired = of.kind() == DeviceKind.TWO_SIDED ? Sides.TWO_SIDED : Sides.ONE_SIDED;
        return inventory
                .map(listed -> new SwitchDevice(
                        named(listed.make().vendor()),
                        named(listed.make().model()),
                        named(listed.make().firmware()),
                        listed.ports().values().stream().allMatch(side -> side.enters() && side.leaves())
                                ? Sides.ONE_SIDED
                                : Sides.TWO_SIDED,
                        listed.ports().size()))
                .orElseGet(() -> before == null || before.device() == null
                        ? new SwitchDevice(null, null, null, wired, null)
                        : before.device());
    }

    private static @Nullable String named(String word) {
        return word.isEmpty() ? null : Words.cut(word, LONGEST_WORD);
    }

    private static Verdict connected(OcsSwitch of, OcsIntent intent, DriverState driver, Optional<DeviceState> device) {
        Verdict contact = FabricStatusProjector.connected(of.device().driver(), intent.role(), driver);
        if (!contact.holds()) {
            return contact;
        }
        String name = of.device().device();
        if (device.isEmpty()) {
            return Verdict.fails(
                    Reason.DRIVER_UNREACHABLE.word(),
                    "driver " + of.device().driver() + " has not heard of a device " + name
                            + ": check spec.driver.deviceId; if it is right, the driver's log says why");
        }
        return switch (device.get().presence()) {
            case PRESENT -> Verdict.holds("device " + name + " answers its driver");
            case SILENT ->
                Verdict.fails(Reason.DRIVER_UNREACHABLE.word(), device.get().unanswered(name));
            case AWAY ->
                Verdict.fails(Reason.DRIVER_UNREACHABLE.word(), "the driver of device " + name + " does not answer");
            case FOREIGN ->
                Verdict.fails(
                        Reason.REJECTED.word(),
                        "another role holds device " + name + " until the driver's administrator transfers it to "
                                + intent.role());
        };
    }

    private static Verdict inSync(OcsVerdict.OfSwitch verdict, Verdict connected) {
        if (!connected.holds()) {
            return Verdict.unknown(Reason.UNREAD.word(), "the light cannot be read");
        }
        if (verdict.foreign() > 0) {
            return Verdict.fails(
                    Reason.FOREIGN_CIRCUITS.word(), Counted.of(verdict.foreign(), "circuit") + " that nobody planned");
        }
        if (verdict.lit() < verdict.planned()) {
            return Verdict.fails(
                    Reason.MISSING_CIRCUITS.word(),
                    Counted.part(
                            verdict.planned() - verdict.lit(),
                            verdict.planned(),
                            "circuit is not made",
                            "circuits are not made"));
        }
        return Verdict.holds("every circuit is read back as planned");
    }

    private static Verdict ready(
            OcsSwitch of,
            OcsVerdict.OfSwitch verdict,
            Verdict connected,
            Verdict inSync,
            SortedMap<String, String> lacking,
            String waits) {
        if (!connected.holds()) {
            return connected;
        }
        if (!verdict.flaws().isEmpty()) {
            return Verdict.fails(Reason.INVALID_WIRING.word(), String.join("; ", verdict.flaws()));
        }
        if (!lacking.isEmpty()) {
            return Verdict.fails(
                    Reason.INVALID_WIRING.word(),
                    String.join("; ", DeviceMismatch.told(List.of(of), Map.of(of.name(), lacking)))
                            + ": these ports are not used; correct spec.wiring or spec.reservedPorts, or the device");
        }
        if (!inSync.holds()) {
            return inSync;
        }
        String failed = verdict.failedPorts() == 0
                ? ""
                : "; " + Counted.of(verdict.failedPorts(), "port has failed", "ports have failed");
        int ours = verdict.observed() - verdict.foreign();
        if (of.drained() && ours == 0) {
            return Verdict.because(DRAINED, "drained, nothing is lit on it" + failed);
        }
        return Verdict.holds((of.drained() ? "is being drained and still carries " : "carries ")
                + Counted.of(ours, "circuit")
                + waits
                + failed);
    }
}
