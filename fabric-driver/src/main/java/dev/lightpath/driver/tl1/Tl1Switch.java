package dev.lightpath.driver.tl1;

import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.Tl1Device;
import dev.lightpath.driver.session.ChangeSession;
import dev.lightpath.driver.session.Deadline;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.OneLine;
import dev.lightpath.driver.session.Product;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.driver.session.Secret;
import dev.lightpath.driver.session.SessionAdapter;
import dev.lightpath.driver.session.StandingAlarms;
import dev.lightpath.driver.session.SwitchAddress;
import dev.lightpath.driver.session.SwitchDescription;
import dev.lightpath.driver.session.SwitchSession;
import dev.lightpath.driver.session.ToldOnce;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.MoveConcurrency;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A switch over TL1. Each circuit has commands of its own, and a device may answer when its mirrors stand still: so
 * changes have a session of their own, where the device takes two. What holds its ports is read before each change.
 */
public final class Tl1Switch implements SwitchSession {
    private static final int CONNECT_MILLIS = 5_000;
    /** What TL1 itself uses, and blanks, cannot be sent. */
    private static final Pattern PASSWORD = Pattern.compile("[\\x21-\\x7e&&[^:;,\"&\\\\]]{1,256}");

    private static final String ALLOWED =
            "cannot be sent by TL1: allowed are 1 to 256 letters, digits and signs of ASCII but : ; , \" & \\";

    /** Input, command not valid (GR-831). */
    private static final String NO_SUCH_COMMAND = "ICNV";

    private static final Logger LOG = LoggerFactory.getLogger(Tl1Switch.class);

    private final Tl1Session session;
    private final Tl1Session changing;
    private final ChangeSession<Tl1Session> changes;
    private final Maker maker;
    private final DeviceDescription description;
    private final PortAlarms alarms;

    private Tl1Switch(
            Tl1Session session, Tl1Session changing, Maker maker, DeviceDescription description, PortAlarms alarms) {
        this.session = session;
        this.changing = changing;
        this.changes = new ChangeSession<>(changing);
        this.maker = maker;
        this.description = description;
        this.alarms = alarms;
    }

    /** The switches of one entry in {@code driver.yaml}. */
    public static SessionAdapter adapter(AdapterConfig.Tl1 config) {
        return new SessionAdapter(
                AdapterConfig.Tl1.KIND,
                config.devices().stream().map(Tl1Switch::address).toList(),
                () -> {});
    }

    private static SwitchAddress address(Tl1Device config) {
        PortAlarms alarms = new PortAlarms(new StandingAlarms(Clock.systemUTC()));
        ToldOnce told = new ToldOnce();
        return new SwitchAddress(config.id(), config.poll(), event -> open(config, alarms, told, event));
    }

    private static Tl1Switch open(Tl1Device config, PortAlarms alarms, ToldOnce told, Runnable event)
            throws LostException, RefusedException {
        String password = Secret.read(config.passwordFile(), PASSWORD, ALLOWED);
        alarms.begin();
        Tl1Session session = login(config, password, report -> {
            alarms.take(report);
            event.run();
        });
        Tl1Session changing = session;
        boolean open = false;
        try {
            changing = second(config, password, session, told);
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
            session.login(config.user(), password, Maker.CALL);
            return session;
        } catch (RefusedException refused) {
            session.close();
            throw new LostException(
                    "the device takes no user '" + config.user() + "' with this password: " + refused.getMessage());
        } catch (LostException lost) {
            session.close();
            throw String.valueOf(lost.getMessage()).startsWith(Tl1Session.NO_ANSWER)
                    ? new LostException("no answer to the login within " + Maker.CALL.toSeconds() + " s: "
                            + config.host() + ":" + config.port() + " may be no TL1 server")
                    : lost;
        }
    }

    /** For changes; the first one where the device takes no second. */
    private static Tl1Session second(Tl1Device config, String password, Tl1Session first, ToldOnce told) {
        try {
            return login(config, password, report -> {});
        } catch (LostException none) {
            String line = "no second session, it is not read while it moves: " + none.getMessage();
            if (told.isNew(line)) {
                LOG.atWarn().addKeyValue("device", config.id()).log(line);
            }
            return first;
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
            throw new LostException(
                    "cannot connect to " + config.host() + ":" + config.port() + ": " + OneLine.ofFailed(e));
        }
    }

    private static Tl1Switch greet(Tl1Device config, Tl1Session session, Tl1Session changing, PortAlarms alarms)
            throws LostException, RefusedException {
        Maker maker = maker(config, session);
        return new Tl1Switch(
                session, changing, maker, describe(config, maker, shown(maker.product(), session)), alarms);
    }

    private static Maker maker(Tl1Device config, Tl1Session session) throws LostException, RefusedException {
        try {
            return hiding(session, by -> switch (config.dialect()) {
                case POLATIS -> Polatis.greet(by, config.size());
                case CALIENT -> Calient.greet(by, config.size());
            });
        } catch (RefusedException refused) {
            if (!refused.code().startsWith(NO_SUCH_COMMAND)) {
                throw refused;
            }
            throw new LostException("the device does not know the commands of dialect "
                    + config.dialect().word() + " (" + refused.getMessage()
                    + "): name the dialect of its maker in driver.yaml");
        }
    }

    /** A device may say the password where anything else is expected. */
    private static <T> T hiding(Tl1Session session, ChangeSession.Use<Tl1Session, T> use)
            throws LostException, RefusedException {
        try {
            return use.by(session);
        } catch (LostException lost) {
            throw new LostException(session.hidden(String.valueOf(lost.getMessage())));
        }
    }

    /** The serial number tells one device from another, and stays what it is. */
    private static Product shown(Product said, Tl1Session session) {
        return new Product(
                session.hidden(said.vendor()),
                session.hidden(said.model()),
                said.serial(),
                session.hidden(said.firmware()));
    }

    private static DeviceDescription describe(Tl1Device config, Maker maker, Product product) {
        SwitchDescription words = new SwitchDescription(AdapterConfig.Tl1.KIND, maker.layout(), product);
        Capabilities.Builder can = words.capabilities()
                .setMoveConcurrency(MoveConcurrency.MOVE_CONCURRENCY_SERIAL)
                .setPowerMonitoring(maker.meters())
                .setAutonomousProtection(true);
        if (maker.meters()) {
            can.addStreamKinds(StreamKind.STREAM_KIND_RECEIVE_POWER);
        }
        return words.of(config.id(), config.dialect().word() + "/" + maker.meters(), can.build(), maker.ports());
    }

    @Override
    public DeviceDescription description() {
        return description;
    }

    @Override
    public DeviceReading reading() throws LostException, RefusedException {
        List<PortStatus> read = hiding(session, maker::states);
        List<NativeCircuit> circuits = hiding(session, by -> changes.readSeldom(by, maker::circuits));
        return new DeviceReading(circuits, read, alarms.all(names(), read), Environment.getDefaultInstance());
    }

    @Override
    public Optional<List<Alarm>> heard() {
        return Optional.of(alarms.all(names(), List.of()));
    }

    private Set<String> names() {
        return maker.ports().stream().map(Port::getName).collect(Collectors.toSet());
    }

    @Override
    public List<NativeCircuit> circuits() throws LostException, RefusedException {
        return hiding(session, maker::circuits);
    }

    @Override
    public List<MoveAnswer> move(List<Move> moves, Duration within) throws LostException, RefusedException {
        return changes.change(by -> moved(moves, within));
    }

    /** Moves of one kind follow each other without waiting; what breaks is done before the next is made. */
    private List<MoveAnswer> moved(List<Move> moves, Duration within) throws LostException, RefusedException {
        Deadline deadline = Deadline.in(within);
        Standing standing = hiding(changing, maker::standing);
        List<MoveAnswer> answers = new ArrayList<>();
        int from = 0;
        while (from < moves.size()) {
            int to = from + 1;
            while (to < moves.size()
                    && moves.get(to).getClass() == moves.get(from).getClass()) {
                to++;
            }
            answers.addAll(together(standing, moves.subList(from, to), deadline));
            from = to;
        }
        return answers;
    }

    private List<MoveAnswer> together(Standing standing, List<Move> moves, Deadline deadline) throws LostException {
        List<Standing.Step> steps = new ArrayList<>();
        for (Move move : moves) {
            Standing.Step step = standing.step(move, moves);
            steps.add(step);
            if (step instanceof Standing.Step.Ask && move instanceof Move.Make) {
                // from now on nothing else may take its ports
                standing.made(move);
            }
        }
        List<MoveAnswer> answers = new ArrayList<>();
        for (Standing.Step step : steps) {
            answers.add(
                    switch (step) {
                        case Standing.Step.Settled settled -> settled.answer();
                        case Standing.Step.Ask unused -> new MoveAnswer.Accepted();
                    });
        }
        for (int round = 0; ask(steps, answers, round, deadline); round++) {}
        for (int i = 0; i < moves.size(); i++) {
            boolean asked = steps.get(i) instanceof Standing.Step.Ask;
            if (asked && moves.get(i) instanceof Move.Break && answers.get(i) instanceof MoveAnswer.Accepted) {
                standing.made(moves.get(i));
            }
        }
        return answers;
    }

    /** Gives the next command of each move that was not refused so far; false when there is none. */
    private boolean ask(List<Standing.Step> steps, List<MoveAnswer> answers, int round, Deadline deadline)
            throws LostException {
        List<Integer> asked = new ArrayList<>();
        List<Tl1Session.Command> commands = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i) instanceof Standing.Step.Ask(var all)
                    && answers.get(i) instanceof MoveAnswer.Accepted
                    && round < all.size()) {
                asked.add(i);
                commands.add(all.get(round));
            }
        }
        List<Message.Answer> said = changing.commands(commands, deadline);
        for (int i = 0; i < asked.size(); i++) {
            try {
                var unused = Tl1Session.done(said.get(i));
            } catch (RefusedException refused) {
                answers.set(
                        asked.get(i),
                        new MoveAnswer.Refused(
                                ItemReason.ITEM_REASON_DEVICE_REFUSED, String.valueOf(refused.getMessage())));
            }
        }
        return !asked.isEmpty();
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
