package dev.lightpath.console.picture;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.lightpath.console.Look;
import dev.lightpath.console.ReadBack;
import dev.lightpath.console.report.DegradingLight;
import dev.lightpath.console.report.ShownCondition;
import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.ObservedLight;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.opticalswitch.PortCounts;
import dev.lightpath.crds.opticalswitch.SwitchDevice;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.reading.OcsIntentReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One optical switch, port by port.
 *
 * @param readBack when the operator read the switch, RFC 3339; null where that is not known
 * @param presence of the device as read back: present, silent, foreign or unknown
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SwitchPicture(
        String name,
        String fabric,
        @Nullable Integer plane,
        boolean drained,
        List<ShownCondition> conditions,
        @Nullable SwitchDevice device,
        @Nullable ObservedLight observed,
        @Nullable PortCounts ports,
        @Nullable String readBack,
        @Nullable String presence,
        List<FaultRecord> faults,
        List<Tenant> tenants,
        List<Port> wires) {

    /** How a port stands. */
    public enum State {
        /** A circuit is recorded and read back. */
        LIT,
        /** A circuit is recorded and was not read back. */
        DARK,
        /** A circuit is recorded; whether it is lit is not known here. */
        RECORDED,
        /** A circuit is lit that no record explains. */
        FOREIGN,
        FREE
    }

    /**
     * A port of a pod on the switch.
     *
     * @param egress where light leaves for the pod; the same port on an any-to-any switch
     * @param toPort the port that light of the pod is led to; null without a circuit
     * @param toPod the pod wired there
     * @param tenant whose circuit it is, index; null while no record has it
     * @param powerDbm received at the ingress, null where it is not measured
     * @param lossDb of the path from there, null where it is not measured
     * @param reserved whether plans use it as a replacement only
     * @param fault why it counts as faulty
     * @param degrading how its light gets worse
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Port(
            String ingress,
            String egress,
            String pod,
            int index,
            State state,
            @Nullable String toPort,
            @Nullable String toPod,
            @Nullable Integer tenant,
            @Nullable Double powerDbm,
            @Nullable Double lossDb,
            @Nullable Boolean reserved,
            @Nullable String fault,
            @Nullable String degrading) {}

    private record Recorded(String egress, int tenant) {}

    /** Empty when there is no such switch. Linear in the switch's wires and in the fabric's circuits. */
    public static Optional<SwitchPicture> of(String name, Look look) {
        return look.opticalSwitch(name).map(of -> of(of, look));
    }

    private static SwitchPicture of(OpticalSwitch opticalSwitch, Look look) {
        String name = opticalSwitch.getMetadata().getName();
        String fabric = opticalSwitch.getSpec().fabric();
        ReadBack light = look.light().get(fabric);
        ReadBack.@Nullable DeviceLight device =
                light == null ? null : light.devices().get(name);
        List<Tenant.Holding> holdings = Tenant.on(fabric, look);
        List<FaultRecord> faults = look.fabric(fabric)
                .map(OpticalFabric::getStatus)
                .map(status -> status.faults().stream()
                        .filter(fault -> fault.subject().equals("device/" + name)
                                || fault.subject().startsWith("port/" + name + "/"))
                        .toList())
                .orElse(List.of());
        var status = opticalSwitch.getStatus();
        return new SwitchPicture(
                name,
                fabric,
                opticalSwitch.getSpec().plane(),
                opticalSwitch.getSpec().drained(),
                status == null ? List.of() : ShownCondition.of(status.conditions()),
                status == null ? null : status.device(),
                status == null ? null : status.observed(),
                status == null ? null : status.ports(),
                light == null ? null : light.at(),
                device == null ? null : device.presence(),
                faults,
                holdings.stream().map(Tenant.Holding::tenant).toList(),
                wired(name, fabric, look)
                        .map(of -> wires(of, holdings, device, faults, degrading(name, fabric, look)))
                        .orElse(List.of()));
    }

    /** How the light of ports of a switch gets worse, by port. */
    private static Map<String, String> degrading(String name, String fabric, Look look) {
        Map<String, String> degrading = new HashMap<>();
        look.fabric(fabric).map(DegradingLight::ports).orElse(List.of()).stream()
                .filter(port -> port.port().startsWith(name + "/"))
                .forEach(port -> degrading.put(port.port().substring(name.length() + 1), DegradingLight.told(port)));
        return degrading;
    }

    private static Optional<OcsSwitch> wired(String name, String fabric, Look look) {
        try {
            return look.fabric(fabric)
                    .flatMap(of -> new OcsIntentReader("").read(of, look.switches(), look.nodes()))
                    .map(OcsIntent::switches)
                    .flatMap(switches -> Optional.ofNullable(switches.get(name)));
        } catch (IllegalArgumentException impossible) {
            return Optional.empty(); // the fabric's own status says what is wrong with it
        }
    }

    private static List<Port> wires(
            OcsSwitch of,
            List<Tenant.Holding> holdings,
            ReadBack.@Nullable DeviceLight device,
            List<FaultRecord> faults,
            Map<String, String> degrading) {
        boolean anyToAny = of.kind() == DeviceKind.ANY_TO_ANY;
        Map<String, Recorded> recorded = new HashMap<>();
        for (int tenant = 0; tenant < holdings.size(); tenant++) {
            for (var circuits : holdings.get(tenant).allocation().circuits()) {
                if (circuits.opticalSwitch().equals(of.name())) {
                    for (String written : circuits.circuits()) {
                        String[] ports = written.split("-", 2);
                        if (ports.length == 2) {
                            recorded.put(ports[0], new Recorded(ports[1], tenant));
                            if (anyToAny) {
                                recorded.put(ports[1], new Recorded(ports[0], tenant));
                            }
                        }
                    }
                }
            }
        }
        Map<String, String> lit = device == null ? Map.of() : lit(of, device);
        Map<String, String> podOfEgress = new HashMap<>();
        of.wiring().forEach(wire -> podOfEgress.put(wire.egress(), wire.pod()));
        Map<String, String> broken = new HashMap<>();
        faults.forEach(fault -> broken.put(fault.subject(), fault.told()));
        List<Port> ports = new ArrayList<>();
        for (OcsSwitch.Wire wire : of.wiring()) {
            @Nullable Recorded wanted = recorded.get(wire.ingress());
            @Nullable String shown = lit.get(wire.ingress());
            @Nullable String to = wanted != null ? wanted.egress() : shown;
            ReadBack.@Nullable PortPower power =
                    device == null ? null : device.ports().get(wire.ingress());
            Set<String> names = new HashSet<>(List.of(wire.ingress(), wire.egress()));
            ports.add(new Port(
                    wire.ingress(),
                    wire.egress(),
                    wire.pod(),
                    wire.index(),
                    state(device != null, wanted, shown),
                    to,
                    to == null ? null : podOfEgress.get(to),
                    wanted == null ? null : wanted.tenant(),
                    power == null ? null : power.powerDbm(),
                    power == null ? null : power.lossDb(),
                    names.stream().anyMatch(of.reserved()::contains) ? true : null,
                    names.stream()
                            .map(port -> broken.get("port/" + of.name() + "/" + port))
                            .filter(java.util.Objects::nonNull)
                            .findFirst()
                            .orElse(broken.get("device/" + of.name())),
                    names.stream()
                            .sorted()
                            .filter(degrading::containsKey)
                            .map(degrading::get)
                            .reduce((one, other) -> one + "; " + other)
                            .orElse(null)));
        }
        return ports;
    }

    /** The egress port to which light from each ingress port is led; of any-to-any switches both ways. */
    static Map<String, String> lit(OcsSwitch of, ReadBack.DeviceLight device) {
        Map<String, String> lit = new HashMap<>();
        for (String circuit : device.observed()) {
            String[] ports = circuit.split("->", 2);
            if (ports.length == 2) {
                lit.put(ports[0], ports[1]);
                if (of.kind() == DeviceKind.ANY_TO_ANY) {
                    lit.put(ports[1], ports[0]);
                }
            }
        }
        return lit;
    }

    private static State state(boolean known, @Nullable Recorded wanted, @Nullable String shown) {
        if (wanted == null) {
            return shown == null ? State.FREE : State.FOREIGN;
        }
        if (!known) {
            return State.RECORDED;
        }
        return wanted.egress().equals(shown) ? State.LIT : State.DARK;
    }
}
