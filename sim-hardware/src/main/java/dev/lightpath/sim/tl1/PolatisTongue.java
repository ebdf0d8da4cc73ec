package dev.lightpath.sim.tl1;

import dev.lightpath.sim.core.move.Move;
import dev.lightpath.sim.managed.ManagedSwitch;
import dev.lightpath.sim.scenario.Tl1Spec;
import dev.lightpath.sim.scenario.Tl1Spec.Quirk;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A patch is one command, and is answered when its mirrors stand still. */
record PolatisTongue(Tl1Spec spec, ManagedSwitch device) implements Tongue {
    @Override
    public String port(String inside) {
        return inside;
    }

    @Override
    public List<String> carryOut(List<String> parts) throws Denied {
        String aid = Tongue.part(parts, 2);
        return switch (parts.getFirst().toUpperCase(Locale.ROOT)) {
            case "RTRV-EQPT" -> Tongue.quoted(List.of("SYSTEM:SIZE=" + device.size()));
            case "RTRV-INV" -> Tongue.quoted(List.of("OCS:SN=" + device.serial() + ",HW=1"));
            case "RTRV-NETYPE" -> Tongue.quoted(List.of("Lightpath,E" + device.size() + ",OXC," + device.firmware()));
            case "RTRV-PATCH" ->
                Tongue.quoted((spec.quirks().contains(Quirk.LISTS_WHEN_DONE) ? device.settled() : device.circuits())
                        .entrySet().stream()
                                .map(circuit -> circuit.getKey() + "," + circuit.getValue())
                                .toList());
            case "RTRV-PORT-POWER" -> power();
            case "ENT-PATCH" -> enter(aid);
            case "DLT-PATCH" -> delete(aid);
            default -> throw Tongue.unknown();
        };
    }

    private List<String> power() throws Denied {
        if (spec.quirks().contains(Quirk.NO_METERS)) {
            throw new Denied("SNVS", "Status, Not in Valid State");
        }
        return Tongue.quoted(device.ports().stream()
                .filter(row -> !Double.isNaN(row.powerDbm()))
                .map(row -> String.format(Locale.ROOT, "%s:%.2f", row.port(), row.powerDbm()))
                .toList());
    }

    private List<String> enter(String aid) throws Denied {
        String[] ports = aid.split(",", -1);
        if (ports.length != 2 || !device.hasPort(ports[0]) || !device.hasPort(ports[1])) {
            throw new Denied("IIAC", "Input, Invalid Access Identifier");
        }
        List<Move> before = new ArrayList<>();
        for (Map.Entry<String, String> circuit : device.circuits().entrySet()) {
            List<String> both = List.of(circuit.getKey(), circuit.getValue());
            if (both.contains(ports[0]) || both.contains(ports[1])) {
                before.add(new Move(circuit.getKey(), circuit.getValue()));
            }
        }
        if (!before.isEmpty() && !spec.quirks().contains(Quirk.REPLACES)) {
            throw new Denied("SAIN", "Status, Already In use");
        }
        Tongue.move(device, before, List.of(new Move(ports[0], ports[1])), true);
        return List.of();
    }

    private List<String> delete(String aid) throws Denied {
        for (Map.Entry<String, String> circuit : device.circuits().entrySet()) {
            if (circuit.getKey().equals(aid) || circuit.getValue().equals(aid)) {
                Tongue.move(device, List.of(new Move(circuit.getKey(), circuit.getValue())), List.of(), true);
                return List.of();
            }
        }
        throw new Denied("SNCN", "Status, Not Connected");
    }
}
