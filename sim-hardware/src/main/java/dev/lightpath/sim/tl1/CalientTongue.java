package dev.lightpath.sim.tl1;

import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.move.Move;
import dev.lightpath.sim.managed.ManagedSwitch;
import dev.lightpath.sim.scenario.Tl1Spec;
import dev.lightpath.sim.scenario.Tl1Spec.Quirk;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A connection is entered, activated, cancelled and deleted. Ports 1.1.1 to 1.1.8 and so on are the first ports of both
 * sides of the switch, in order: light enters by one and leaves by the other.
 */
final class CalientTongue implements Tongue {
    private static final int FIBRES = 8;
    private static final String NO_GROUP = "SYSTEM";

    private final Tl1Spec spec;
    private final ManagedSwitch device;
    private final int side;
    /** What was entered, active or not, by its name: the group. */
    private final Map<Ends, String> entered = new ConcurrentSkipListMap<>();

    /** Ports of the switch, in its own numbers of one side. */
    private record Ends(int from, int to) implements Comparable<Ends> {
        @Override
        public int compareTo(Ends other) {
            return from != other.from ? Integer.compare(from, other.from) : Integer.compare(to, other.to);
        }

        boolean meets(Ends other) {
            return from == other.from || to == other.to;
        }

        String name() {
            return name(from) + ">" + name(to);
        }

        private static String name(int port) {
            return "1." + ((port - 1) / FIBRES + 1) + "." + ((port - 1) % FIBRES + 1);
        }
    }

    CalientTongue(Tl1Spec spec, ManagedSwitch device) {
        this.spec = spec;
        this.device = device;
        this.side = device.ingressPorts();
    }

    @Override
    public String port(String inside) {
        int port = Integer.parseInt(inside);
        return Ends.name(port <= side ? port : port - side);
    }

    @Override
    public List<String> carryOut(List<String> parts) throws Denied {
        return switch (parts.getFirst().toUpperCase(Locale.ROOT)) {
            case "RTRV-NE" ->
                Tongue.quoted(List.of("NE:SERIALNUMBER=" + device.serial() + ",SWPACKAGE=" + device.firmware()
                        + ",STATUS=OK,CHASSISTYPE=S" + side));
            case "RTRV-PORT" -> ports();
            case "RTRV-PORT-SUM" -> sums();
            case "RTRV-CRS" -> connections();
            case "ENT-CRS" -> enter(ends(parts), words(parts));
            case "ACT-CRS" -> activate(ends(parts), words(parts));
            case "CANC-CRS" -> cancel(named(parts));
            case "DLT-CRS" -> delete(named(parts));
            default -> throw Tongue.unknown();
        };
    }

    private List<String> ports() {
        List<String> all = new ArrayList<>();
        for (int port = 1; port <= side; port++) {
            all.add(Ends.name(port) + ":FIBER,ALIAS=NONE");
        }
        return Tongue.quoted(all);
    }

    private List<String> sums() throws Denied {
        if (spec.quirks().contains(Quirk.NO_METERS)) {
            throw new Denied("SNVS", "Status, Not in Valid State");
        }
        List<String> all = new ArrayList<>();
        for (ManagedSwitch.PortRow row : device.ports()) {
            if (Integer.parseInt(row.port()) <= side) {
                String power =
                        Double.isNaN(row.powerDbm()) ? "NONE" : String.format(Locale.ROOT, "%.2f", row.powerDbm());
                all.add(port(row.port()) + ":ALIAS=NONE,INPWR=" + power + ",OUTPWR=NONE");
            }
        }
        return Tongue.quoted(all);
    }

    private Map<Ends, ConnectionState> light() {
        Map<Ends, ConnectionState> all = new TreeMap<>();
        device.connections()
                .forEach((move, state) -> all.put(
                        new Ends(Integer.parseInt(move.ingress()), Integer.parseInt(move.egress()) - side), state));
        return all;
    }

    private List<String> connections() {
        Map<Ends, ConnectionState> light = light();
        Map<Ends, String> all = new TreeMap<>(entered);
        light.keySet().forEach(ends -> all.putIfAbsent(ends, NO_GROUP));
        List<String> lines = new ArrayList<>();
        all.forEach((ends, group) -> lines.add(ends.name() + ":SRCPORT=" + Ends.name(ends.from()) + ",DSTPORT="
                + Ends.name(ends.to()) + ",GRPNAME=" + group + ",CONNNAME=" + ends.name() + ",CONNTYPE=1WAY,"
                + states(light.getOrDefault(ends, ConnectionState.BLOCKED)) + ",PS=UPR,AL=CL"));
        return Tongue.quoted(lines);
    }

    private static String states(ConnectionState state) {
        return switch (state) {
            case BLOCKED -> "AS=UMA,OS=RDY,OC=OK";
            case TUNING -> "AS=IS,OS=RDY,OC=OK";
            case TUNED -> "AS=IS,OS=IS,OC=OK";
            case FAILED -> "AS=IS,OS=RDY,OC=FAIL";
        };
    }

    private Ends ends(List<String> parts) throws Denied {
        String[] ports = Tongue.part(parts, 2).split(",", -1);
        if (ports.length != 2) {
            throw new Denied("IIAC", "Input, Invalid Access Identifier");
        }
        return new Ends(number(ports[0]), number(ports[1]));
    }

    private int number(String name) throws Denied {
        for (int port = 1; port <= side; port++) {
            if (Ends.name(port).equals(name)) {
                return port;
            }
        }
        throw new Denied("IIAC", "Input, Invalid Access Identifier");
    }

    private static List<String> words(List<String> parts) {
        return List.of(Tongue.part(parts, 5).split(",", -1));
    }

    private synchronized List<String> enter(Ends ends, List<String> words) throws Denied {
        if (words.size() < 2 || !words.get(1).equalsIgnoreCase("1WAY")) {
            throw new Denied("IIFM", "Input, Invalid Format");
        }
        List<Ends> before = new ArrayList<>();
        for (List<Ends> each : List.of(List.copyOf(entered.keySet()), List.copyOf(light().keySet()))) {
            each.stream()
                    .filter(ends::meets)
                    .filter(other -> !before.contains(other))
                    .forEach(before::add);
        }
        if (!before.isEmpty() && !spec.quirks().contains(Quirk.REPLACES)) {
            throw new Denied("SAIN", "Invalid Connection");
        }
        for (Ends each : before) {
            if (light().containsKey(each)) {
                Tongue.move(device, List.of(move(each)), List.of(), true);
            }
            entered.remove(each);
        }
        entered.put(ends, words.getFirst().isEmpty() ? NO_GROUP : words.getFirst());
        return List.of();
    }

    private List<String> activate(Ends ends, List<String> words) throws Denied {
        String group = words.size() < 2 ? NO_GROUP : words.get(1);
        if (!group.equals(entered.get(ends)) || !ends.name().equals(words.getFirst())) {
            throw new Denied("SNCN", "Invalid Connection");
        }
        Tongue.move(device, List.of(), List.of(move(ends)), spec.quirks().contains(Quirk.WAITS));
        return List.of();
    }

    private Ends named(List<String> parts) throws Denied {
        Ends ends = ends(parts);
        List<String> words = words(parts);
        String group = entered.getOrDefault(ends, light().containsKey(ends) ? NO_GROUP : "");
        if (words.size() < 3 || !words.get(1).equals(group) || !words.get(2).equals(ends.name())) {
            throw new Denied("SNCN", "Invalid Connection");
        }
        return ends;
    }

    private List<String> cancel(Ends ends) throws Denied {
        entered.putIfAbsent(ends, NO_GROUP);
        Tongue.move(device, List.of(move(ends)), List.of(), true);
        return List.of();
    }

    private List<String> delete(Ends ends) throws Denied {
        if (light().containsKey(ends)) {
            throw new Denied("SAAS", "Status, Already Active");
        }
        entered.remove(ends);
        return List.of();
    }

    private Move move(Ends ends) {
        return new Move(Integer.toString(ends.from()), Integer.toString(side + ends.to()));
    }
}
