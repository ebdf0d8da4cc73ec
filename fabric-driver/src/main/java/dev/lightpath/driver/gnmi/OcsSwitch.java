package dev.lightpath.driver.gnmi;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.SetRequest;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.GnmiDevice;
import dev.lightpath.driver.session.Deadline;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.OneLine;
import dev.lightpath.driver.session.Product;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.driver.session.SessionAdapter;
import dev.lightpath.driver.session.SwitchAddress;
import dev.lightpath.driver.session.SwitchDescription;
import dev.lightpath.driver.session.SwitchSession;
import dev.lightpath.driver.session.ToldOnce;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ReadBack;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * A switch over gNMI. The moves of a request are one Set. That a device took it says nothing yet: a circuit is made
 * when both of its ports are tuned.
 */
public final class OcsSwitch implements SwitchSession {
    private static final Duration CALL = Duration.ofSeconds(5);

    private final GnmiSession session;
    private final Mastership mastership;
    private final Dialect dialect;
    private final OcsTables tables;
    private final OcsPorts ports;
    private final DeviceDescription description;
    private final PortReport report;
    private final News news;

    private OcsSwitch(
            GnmiSession session,
            Mastership mastership,
            OcsTables tables,
            OcsPorts ports,
            DeviceDescription description,
            News news) {
        this.session = session;
        this.mastership = mastership;
        this.dialect = tables.dialect();
        this.tables = tables;
        this.ports = ports;
        this.description = description;
        this.report = new PortReport(ports);
        this.news = news;
    }

    /**
     * The switches of one entry in {@code driver.yaml}.
     *
     * @throws IOException with one line, when the TLS files cannot be used
     */
    public static SessionAdapter adapter(AdapterConfig.GnmiSonicOcs config) throws IOException {
        Channels channels = new Channels(config);
        return new SessionAdapter(
                AdapterConfig.GnmiSonicOcs.KIND,
                config.devices().stream().map(each -> address(each, channels)).toList(),
                channels::close);
    }

    private static SwitchAddress address(GnmiDevice config, Channels channels) {
        AtomicBoolean endsAtSeveral = new AtomicBoolean();
        ToldOnce told = new ToldOnce();
        return new SwitchAddress(
                config.id(), config.poll(), event -> open(config, channels, endsAtSeveral, told, event));
    }

    private static OcsSwitch open(
            GnmiDevice config, Channels channels, AtomicBoolean endsAtSeveral, ToldOnce told, Runnable event)
            throws LostException, RefusedException {
        GnmiSession session = channels.open(config, endsAtSeveral);
        boolean open = false;
        try {
            OcsSwitch device = greet(config, session, told, event);
            open = true;
            return device;
        } catch (RefusedException refused) {
            throw isUnknownUser(refused) ? unknown(config, refused) : refused;
        } finally {
            if (!open) {
                session.close();
            }
        }
    }

    private static boolean isUnknownUser(RefusedException refused) {
        return refused.code().equals(Status.Code.UNAUTHENTICATED.name())
                || refused.code().equals(Status.Code.PERMISSION_DENIED.name());
    }

    private static RefusedException unknown(GnmiDevice config, RefusedException refused) {
        String who = config.login()
                .map(login -> "no user '" + login.user() + "' with this password")
                .orElse("nobody without user and password");
        // the device's own words might repeat the password
        return new RefusedException(refused.code(), "the device takes " + who + ": " + refused.code());
    }

    private static OcsSwitch greet(GnmiDevice config, GnmiSession session, ToldOnce told, Runnable event)
            throws LostException, RefusedException {
        OcsTables tables = tables(session, Models.stated(session.capabilities(), config, told));
        Dialect dialect = tables.dialect();
        StateTables states = tables.states();
        Map<String, Map<String, String>> rows = tables.ports(session.get(tables.ofPorts()));
        OcsPorts ports = OcsPorts.of(rows.keySet(), config.size());
        Map<String, String> labels = new TreeMap<>();
        rows.forEach((port, row) -> labels.put(port, row.getOrDefault("label", "")));
        DeviceDescription description = describe(config.id(), product(session, dialect), ports, labels, states);
        Mastership mastership = new Mastership(session, config.electionId());
        mastership.claim(config.id());
        News news = new News(session, config.id(), config.poll(), states.watched(dialect), event);
        return new OcsSwitch(session, mastership, tables, ports, description, news);
    }

    /**
     * In the first dialect in which the device tells ports: servers refuse the names of the other, or find nothing
     * there.
     *
     * @param listed whether the device says that it has the module of states
     */
    private static OcsTables tables(GnmiSession session, boolean listed) throws LostException, RefusedException {
        for (Dialect each : Dialect.values()) {
            boolean configured = tells(session, each.ports());
            boolean stated = tells(session, each.portStates());
            if (configured || stated) {
                // some servers list no modules, or only some
                if (listed || stated) {
                    return new OcsTables(each, StateTables.MODULE);
                }
                return new OcsTables(
                        each, tells(session, StateTables.OWN.ports(each)) ? StateTables.OWN : StateTables.NONE);
            }
        }
        throw new LostException(
                "the device's tables of ports are empty or unknown: it is not ready, or no switch with sonic-ocs");
    }

    private static boolean tells(GnmiSession session, Path ports) throws LostException, RefusedException {
        AtomicBoolean tells = new AtomicBoolean();
        try {
            Rows.read(session.get(ports), Dialect.PORT_LIST, row -> tells.set(true));
        } catch (RefusedException refused) {
            if (isUnknownUser(refused)) {
                throw refused;
            }
        }
        return tells.get();
    }

    private static Product product(GnmiSession session, Dialect dialect) throws LostException {
        List<Notification> answer = List.of();
        try {
            answer = session.get(dialect.eeprom());
        } catch (RefusedException none) {
            // it has no such component
        }
        return product(answer);
    }

    private static Product product(List<Notification> answer) throws LostException {
        Map<String, String> said = new HashMap<>();
        Rows.read(answer, "state", said::putAll);
        return new Product(
                word(said, "mfg-name"), word(said, "part-no"), word(said, "serial-no"), word(said, "software-version"));
    }

    private static String word(Map<String, String> said, String leaf) {
        return OneLine.of(said.getOrDefault(leaf, ""));
    }

    private static DeviceDescription describe(
            String id, Product product, OcsPorts ports, Map<String, String> labels, StateTables states) {
        SwitchDescription words = new SwitchDescription(AdapterConfig.GnmiSonicOcs.KIND, ports.layout(), product);
        Capabilities.Builder can = words.capabilities().setShutter(true);
        if (states != StateTables.NONE) {
            can.setReadBack(ReadBack.READ_BACK_HARDWARE_STATE).setInsertionLossData(true);
        }
        return words.of(id, states.name().toLowerCase(Locale.ROOT), can.build(), ports.described(labels));
    }

    @Override
    public DeviceDescription description() {
        return description;
    }

    @Override
    public DeviceReading reading() throws LostException, RefusedException {
        news.listen();
        Map<Path, List<Notification>> said = known(tables.all());
        Map<String, Map<String, String>> rows = tables.ports(said);
        requirePorts(rows);
        PortReport.Told told = report.of(rows);
        return new DeviceReading(
                tables.shown(said, ports), told.ports(), told.alarms(), Environment.getDefaultInstance());
    }

    /** A device whose database starts again answers, and has empty tables: that says nothing of its circuits. */
    private static void requirePorts(Map<String, Map<String, String>> rows) throws LostException {
        if (rows.isEmpty()) {
            throw new LostException("the device's tables of ports are empty: it is not ready");
        }
    }

    /**
     * Asks the device that was described. A connection that ended is opened again without a word: another device may
     * answer then. So its serial number is asked for beside the tables, if it has told one before.
     */
    private Map<Path, List<Notification>> known(List<Path> wanted) throws LostException, RefusedException {
        String expected = description.device().getSerial();
        List<Path> identity = expected.isEmpty() ? List.of() : List.of(dialect.eeprom());
        Map<Path, List<Notification>> said = ask(identity, wanted);
        String serial = product(said.getOrDefault(dialect.eeprom(), List.of())).serial();
        // a device that has just started may not know its number yet
        if (!serial.isEmpty() && !expected.isEmpty() && !expected.equals(serial)) {
            throw new LostException(
                    "another device answers: serial number '" + serial + "' where '" + expected + "' is expected");
        }
        return said;
    }

    private Map<Path, List<Notification>> ask(List<Path> identity, List<Path> wanted)
            throws LostException, RefusedException {
        try {
            return session.get(Stream.of(identity, wanted).flatMap(List::stream).toList());
        } catch (RefusedException refused) {
            if (identity.isEmpty()) {
                throw refused;
            }
            // it may have no such component any more
            return session.get(wanted);
        }
    }

    @Override
    public List<NativeCircuit> circuits() throws LostException, RefusedException {
        List<NativeCircuit> shown = tables.shown(session.get(tables.ofCircuits()), ports);
        if (shown.isEmpty()) {
            requirePorts(tables.ports(session.get(tables.ofPorts())));
        }
        return shown;
    }

    @Override
    public List<FactoryLoss> factoryLoss() throws LostException, RefusedException {
        return tables.losses(session.get(tables.ofLosses()), ports);
    }

    /**
     * By one Set. If the device refuses it, each move is asked alone, so that one bad move prevents no other. What a
     * device made in spite of its refusal is not asked for again.
     */
    @Override
    public List<MoveAnswer> move(List<Move> moves, Duration within) throws LostException, RefusedException {
        Deadline deadline = Deadline.in(within);
        List<MoveAnswer> together = ask(moves, deadline.left());
        if (moves.size() == 1 || !together.isEmpty()) {
            return together;
        }
        List<MoveAnswer> single = new ArrayList<>();
        for (Move move : moves) {
            single.addAll(ask(List.of(move), deadline.left()));
        }
        return single;
    }

    /** No answers if the device refuses several moves. */
    private List<MoveAnswer> ask(List<Move> moves, Duration within) throws LostException, RefusedException {
        Change change = new Change(dialect, tables.circuits(known(tables.ofCircuits()), ports));
        moves.forEach(change::add);
        if (change.isEmpty()) {
            return change.answers();
        }
        try {
            mastership.set(change.request(), within);
            return change.answers();
        } catch (RefusedException refused) {
            return moves.size() > 1
                    ? List.of()
                    : List.of(new MoveAnswer.Refused(
                            ItemReason.ITEM_REASON_DEVICE_REFUSED, String.valueOf(refused.getMessage())));
        }
    }

    @Override
    public void shutter(String port, boolean closed) throws LostException, RefusedException {
        mastership.set(
                SetRequest.newBuilder()
                        .addUpdate(dialect.shutter(
                                ports.known(port, "a request"), tables.states().override(), closed))
                        .build(),
                CALL);
    }

    @Override
    public String whyOver() {
        return session.whyOver();
    }

    @Override
    public void end(String why) {
        session.end(why);
    }
}
