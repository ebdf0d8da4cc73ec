package dev.lightpath.driver.tl1;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.Tl1Device;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.Ports;
import dev.lightpath.driver.session.Product;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.driver.session.SessionAdapter;
import dev.lightpath.driver.session.StandingAlarms;
import dev.lightpath.driver.session.SwitchAddress;
import dev.lightpath.driver.session.SwitchDescription;
import dev.lightpath.driver.session.SwitchSession;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.MoveConcurrency;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A switch over TL1. Each circuit is a command of its own, and a device answers when its mirrors stand still: so changes
 * have a session of their own, where the device takes two. A device may let a new circuit take the place of one that is
 * there: so what is there is read before, and a port in use is refused here.
 */
public final class Tl1Switch implements SwitchSession {
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final int CONNECT_MILLIS = 5_000;
    private static final int LONGEST_PASSWORD = 256;
    private static final Pattern PATCH = Pattern.compile("(\\d{1,5}),(\\d{1,5})");
    private static final Pattern POWER = Pattern.compile("(\\d{1,5}):([-+]?\\d{1,3}(?:\\.\\d{1,9})?)");
    private static final Pattern SIZE = Pattern.compile("SYSTEM:SIZE=(\\S+)");
    private static final Pattern SERIAL = Pattern.compile("SN=(\\w+)");
    /** What TL1 itself uses, and blanks, cannot be sent. */
    private static final Pattern PASSWORD = Pattern.compile("[\\x21-\\x7e&&[^:;,\"&\\\\]]{1," + LONGEST_PASSWORD + "}");

    private static final Logger LOG = LoggerFactory.getLogger(Tl1Switch.class);

    private final Tl1Session session;
    private final Tl1Session changing;
    private final PortLayout layout;
    private final DeviceDescription description;
    private final boolean meters;
    private final StandingAlarms alarms;

    private Tl1Switch(
            Tl1Session session,
            Tl1Session changing,
            PortLayout layout,
            DeviceDescription description,
            boolean meters,
            StandingAlarms alarms) {
        this.session = session;
        this.changing = changing;
        this.layout = layout;
        this.description = description;
        this.meters = meters;
        this.alarms = alarms;
    }

    /** The switches of one entry in {@code driver.yaml}. */
    public static SessionAdapter adapter(AdapterConfig.Tl1 config) {
        return new SessionAdapter(
                AdapterConfig.Tl1.KIND,
                config.devices().stream()
                        .map(each -> new SwitchAddress(each.id(), each.poll(), event -> open(each, event)))
                        .toList(),
                () -> {});
    }

    private static Tl1Switch open(Tl1Device config, Runnable event) throws LostException, RefusedException {
        String password = password(config);
        StandingAlarms alarms = new StandingAlarms(Clock.systemUTC());
        Tl1Session session = login(config, password, report -> {
            PortAlarms.take(report, alarms);
            event.run();
        });
        Tl1Session changing = session;
        boolean open = false;
        try {
            changing = second(config, password, session);
            Tl1Switch device = greet(config, session, changing, alarms);
            open = true;
            return device;
        } finally {
            if (!open) {
                session.close();
                changing.close();
            }
        }
    }

    private static Tl1Session login(Tl1Device config, String password, Consumer<Message.Report> heard)
            throws LostException {
        Tl1Session session = connect(config, heard);
        try {
            session.login(config.user(), password, CALL);
            return session;
        } catch (RefusedException refused) {
            session.close();
            throw new LostException(
                    "the device takes no user '" + config.user() + "' with this password: " + refused.getMessage());
        }
    }

    /** For changes; the first one where the device takes no second. */
    private static Tl1Session second(Tl1Device config, String password, Tl1Session first) {
        try {
            return login(config, password, report -> {});
        } catch (LostException none) {
            LOG.atWarn()
                    .addKeyValue("device", config.id())
                    .log("no second session, it is not read while it moves: " + none.getMessage());
            return first;
        }
    }

    private static String password(Tl1Device config) throws LostException {
        try {
            String password = Files.readString(config.passwordFile()).strip();
            if (!PASSWORD.matcher(password).matches()) {
                throw new LostException("the password in " + config.passwordFile()
                        + " cannot be sent by TL1: allowed are 1 to " + LONGEST_PASSWORD
                        + " letters, digits and signs of ASCII but : ; , \" & \\");
            }
            return password;
        } catch (IOException e) {
            throw new LostException("the file " + config.passwordFile() + " with the password cannot be read");
        }
    }

    private static Tl1Session connect(Tl1Device config, Consumer<Message.Report> heard) throws LostException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(config.host(), config.port()), CONNECT_MILLIS);
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            return new Tl1Session(socket.getInputStream(), socket.getOutputStream(), socket, heard);
        } catch (IOException e) {
            try {
                socket.close();
            } catch (IOException closing) {
                // it was never open
            }
            throw new LostException("cannot connect to " + config.host() + ":" + config.port() + ": "
                    + MessageReader.oneLine(String.valueOf(e.getMessage())));
        }
    }

    private static Tl1Switch greet(Tl1Device config, Tl1Session session, Tl1Session changing, StandingAlarms alarms)
            throws LostException, RefusedException {
        String size = found(session.command("RTRV-EQPT", "SYSTEM", "::PARAMETER=SIZE", CALL), SIZE);
        PortLayout layout = layout(config, size);
        String serial = found(session.command("RTRV-INV", "OCS", "", CALL), SERIAL);
        String type = String.join("", session.command("RTRV-NETYPE", "", "", CALL));
        boolean meters = meters(session, layout);
        DeviceDescription description = describe(config.id(), product(type, serial), layout, meters);
        return new Tl1Switch(session, changing, layout, description, meters, alarms);
    }

    /** @param type of RTRV-NETYPE: vendor, model, type and version */
    private static Product product(String type, String serial) {
        List<String> parts = List.of(MessageReader.oneLine(type).split(",", -1));
        return new Product(part(parts, 0), part(parts, 1), serial, part(parts, 3));
    }

    private static String part(List<String> parts, int index) {
        return index < parts.size() ? parts.get(index).strip() : "";
    }

    private static DeviceDescription describe(String id, Product product, PortLayout layout, boolean meters) {
        SwitchDescription words = new SwitchDescription(AdapterConfig.Tl1.KIND, layout, product);
        Capabilities.Builder can = words.capabilities()
                .setMoveConcurrency(MoveConcurrency.MOVE_CONCURRENCY_SERIAL)
                .setPowerMonitoring(meters)
                .setAutonomousProtection(true);
        if (meters) {
            can.addStreamKinds(StreamKind.STREAM_KIND_RECEIVE_POWER);
        }
        return words.of(id, meters, can.build());
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

    private static PortLayout layout(Tl1Device config, String size) throws LostException {
        Optional<PortLayout> told = PortLayout.of(size);
        Optional<PortLayout> named = PortLayout.of(config.size());
        if (told.isPresent() && named.isPresent() && !told.equals(named)) {
            throw new LostException("the device has size " + MessageReader.oneLine(size)
                    + ", but driver.yaml names size " + config.size());
        }
        return named.or(() -> told)
                .orElseThrow(() -> new LostException("the device says no size such as 48x48 or 48xCC, but '"
                        + MessageReader.oneLine(size) + "'; write `size` in driver.yaml"));
    }

    @Override
    public DeviceDescription description() {
        return description;
    }

    @Override
    public DeviceReading reading() throws LostException, RefusedException {
        Ports ports = new Ports(layout);
        if (meters) {
            for (String line : session.command("RTRV-PORT-POWER", allPorts(layout), "", CALL)) {
                Matcher power = POWER.matcher(line);
                if (power.matches()) {
                    var unused = ports.named(power.group(1), "the power of a port")
                            .setReceivePowerDbm(Double.parseDouble(power.group(2)));
                }
            }
        }
        return new DeviceReading(circuits(), ports.build(), alarms.all(), Environment.getDefaultInstance());
    }

    @Override
    public List<NativeCircuit> circuits() throws LostException, RefusedException {
        return circuits(session);
    }

    private List<NativeCircuit> circuits(Tl1Session by) throws LostException, RefusedException {
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
    public List<MoveAnswer> move(List<Move> moves, Duration within) throws LostException, RefusedException {
        Map<String, CircuitPair> byPort = new TreeMap<>();
        for (NativeCircuit circuit : circuits(changing)) {
            byPort.put(circuit.pair().ingress(), circuit.pair());
            byPort.put(circuit.pair().egress(), circuit.pair());
        }
        List<MoveAnswer> answers = new ArrayList<>();
        for (Move move : moves) {
            answers.add(
                    switch (move) {
                        case Move.Break of -> breakUp(of.pair(), byPort, within);
                        case Move.Make of -> make(of.pair(), byPort, within);
                    });
        }
        return answers;
    }

    private MoveAnswer breakUp(CircuitPair pair, Map<String, CircuitPair> byPort, Duration within)
            throws LostException {
        if (!pair.equals(byPort.get(pair.ingress()))) {
            return new MoveAnswer.Accepted();
        }
        MoveAnswer answer = ask("DLT-PATCH", pair.ingress(), within);
        if (answer instanceof MoveAnswer.Accepted) {
            byPort.remove(pair.ingress());
            byPort.remove(pair.egress());
        }
        return answer;
    }

    private MoveAnswer make(CircuitPair pair, Map<String, CircuitPair> byPort, Duration within) throws LostException {
        if (pair.equals(byPort.get(pair.ingress()))) {
            return new MoveAnswer.Accepted();
        }
        for (String port : List.of(pair.ingress(), pair.egress())) {
            CircuitPair there = byPort.get(port);
            if (there != null) {
                return new MoveAnswer.Refused(
                        ItemReason.ITEM_REASON_PORT_IN_USE, "RTRV-PATCH shows " + there + " on port " + port);
            }
        }
        MoveAnswer answer = ask("ENT-PATCH", pair.ingress() + "," + pair.egress(), within);
        if (answer instanceof MoveAnswer.Accepted) {
            byPort.put(pair.ingress(), pair);
            byPort.put(pair.egress(), pair);
        }
        return answer;
    }

    private MoveAnswer ask(String verb, String aid, Duration within) throws LostException {
        try {
            var unused = changing.command(verb, aid, "", within);
            return new MoveAnswer.Accepted();
        } catch (RefusedException refused) {
            return new MoveAnswer.Refused(ItemReason.ITEM_REASON_DEVICE_REFUSED, String.valueOf(refused.getMessage()));
        }
    }

    @Override
    public void shutter(String port, boolean closed) {
        throw new UnsupportedOperationException("its capabilities offer no shutter");
    }

    @Override
    public String whyOver() {
        return session.whyOver().isEmpty() ? changing.whyOver() : session.whyOver();
    }

    @Override
    public void end(String why) {
        session.end(why);
        changing.end(why);
    }
}
