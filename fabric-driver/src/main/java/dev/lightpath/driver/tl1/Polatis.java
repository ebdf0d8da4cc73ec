package dev.lightpath.driver.tl1;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.Ports;
import dev.lightpath.driver.session.Product;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.driver.session.SwitchDescription;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A switch of Polatis. Its device may let a new circuit take the place of one that is there: so a port in use is
 * refused here.
 */
record Polatis(Product product, PortLayout layout, boolean meters) implements Maker {
    private static final Pattern PATCH = Pattern.compile("(\\d{1,5}),(\\d{1,5})");
    private static final Pattern POWER = Pattern.compile("(\\d{1,5}):([-+]?\\d{1,3}(?:\\.\\d{1,9})?)");
    private static final Pattern SIZE = Pattern.compile("SYSTEM:SIZE=(\\S+)");
    private static final Pattern SERIAL = Pattern.compile("SN=(\\w+)");

    /** @param size as {@code driver.yaml} names it, or empty */
    static Polatis greet(Tl1Session session, String size) throws LostException, RefusedException {
        String said = found(session.command("RTRV-EQPT", "SYSTEM", "::PARAMETER=SIZE", CALL), SIZE);
        PortLayout layout = layout(size, said);
        String serial = found(session.command("RTRV-INV", "OCS", "", CALL), SERIAL);
        String type = String.join("", session.command("RTRV-NETYPE", "", "", CALL));
        return new Polatis(product(type, serial), layout, meters(session, layout));
    }

    /** @param type of RTRV-NETYPE: vendor, model, type and version */
    private static Product product(String type, String serial) {
        List<String> parts = List.of(MessageReader.oneLine(type).split(",", -1));
        return new Product(part(parts, 0), part(parts, 1), serial, part(parts, 3));
    }

    private static String part(List<String> parts, int index) {
        return index < parts.size() ? parts.get(index).strip() : "";
    }

    private static boolean meters(Tl1Session session, PortLayout layout) throws LostException {
        try {
            var unused = session.command("RTRV-PORT-POWER", allPorts(layout), "", CALL);
            return true;
        } catch (RefusedException none) {
            return false;
        }
    }

    private static String allPorts(PortLayout layout) {
        return "1&&" + (layout.ingress() + layout.egress());
    }

    private static String found(List<String> lines, Pattern what) {
        return lines.stream()
                .map(what::matcher)
                .filter(Matcher::find)
                .map(match -> match.group(1))
                .findFirst()
                .orElse("");
    }

    private static PortLayout layout(String size, String said) throws LostException {
        Optional<PortLayout> told = PortLayout.of(said);
        Optional<PortLayout> named = PortLayout.of(size);
        if (told.isPresent() && named.isPresent() && !told.equals(named)) {
            throw new LostException(
                    "the device has size " + MessageReader.oneLine(said) + ", but driver.yaml names size " + size);
        }
        return named.or(() -> told)
                .orElseThrow(() -> new LostException("the device says no size such as 48x48 or 48xCC, but '"
                        + MessageReader.oneLine(said) + "'; write `size` in driver.yaml"));
    }

    @Override
    public List<Port> ports() {
        return SwitchDescription.numbered(layout);
    }

    @Override
    public List<PortStatus> states(Tl1Session by) throws LostException, RefusedException {
        Ports ports = new Ports(layout);
        if (meters) {
            for (String line : by.command("RTRV-PORT-POWER", allPorts(layout), "", CALL)) {
                Matcher power = POWER.matcher(line);
                if (power.matches()) {
                    var unused = ports.named(power.group(1), "the power of a port")
                            .setReceivePowerDbm(Double.parseDouble(power.group(2)));
                }
            }
        }
        return ports.build();
    }

    @Override
    public List<NativeCircuit> circuits(Tl1Session by) throws LostException, RefusedException {
        List<NativeCircuit> all = new ArrayList<>();
        for (String line : by.command("RTRV-PATCH", "", "", CALL)) {
            Matcher patch = PATCH.matcher(line);
            if (!patch.matches()) {
                throw new LostException("RTRV-PATCH answers '" + MessageReader.oneLine(line)
                        + "' where two ports such as 1,17 are expected");
            }
            all.add(new NativeCircuit(
                    pair(Ports.name(layout, patch.group(1), "a patch"), Ports.name(layout, patch.group(2), "a patch")),
                    CircuitState.CIRCUIT_STATE_CONNECTED,
                    OptionalDouble.empty()));
        }
        return all;
    }

    /** A device of two sides may name either end first. */
    private CircuitPair pair(String one, String other) {
        boolean turned = layout.twoSided() && Integer.parseInt(one) > layout.ingress();
        return turned ? new CircuitPair(other, one) : new CircuitPair(one, other);
    }

    @Override
    public Standing standing(Tl1Session by) throws LostException, RefusedException {
        TakenPorts taken = new TakenPorts(layout.twoSided());
        circuits(by).forEach(circuit -> taken.take(circuit.pair()));
        return new Patches(taken);
    }

    private record Patches(TakenPorts taken) implements Standing {
        @Override
        public Step step(Move move, List<Move> beside) {
            CircuitPair pair = move.pair();
            return switch (move) {
                case Move.Break unused when !taken.holds(pair) -> new Step.Settled(new MoveAnswer.Accepted());
                case Move.Break unused -> ask("DLT-PATCH", pair.ingress());
                case Move.Make unused when taken.holds(pair) -> new Step.Settled(new MoveAnswer.Accepted());
                case Move.Make unused ->
                    taken.inTheWay(pair)
                            .<Step>map(there -> new Step.Settled(new MoveAnswer.Refused(
                                    ItemReason.ITEM_REASON_PORT_IN_USE,
                                    "RTRV-PATCH shows " + there + " on a port of " + pair)))
                            .orElseGet(() -> ask("ENT-PATCH", pair.ingress() + "," + pair.egress()));
            };
        }

        private static Step ask(String verb, String aid) {
            return new Step.Ask(List.of(new Tl1Session.Command(verb, aid, "")));
        }

        @Override
        public void made(Move move) {
            switch (move) {
                case Move.Break unused -> taken.free(move.pair());
                case Move.Make unused -> taken.take(move.pair());
            }
        }
    }
}
