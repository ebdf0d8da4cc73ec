package dev.lightpath.driver.netconf;

import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import dev.lightpath.driver.session.ChangeSession;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.OneLine;
import dev.lightpath.driver.session.Product;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.driver.session.SessionAdapter;
import dev.lightpath.driver.session.StandingAlarms;
import dev.lightpath.driver.session.SwitchAddress;
import dev.lightpath.driver.session.SwitchDescription;
import dev.lightpath.driver.session.SwitchSession;
import dev.lightpath.driver.session.ToldOnce;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.BatchAtomicity;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A switch over NETCONF: one session to ask, and where the device takes a second one, another for its notifications.
 */
public final class PolatisSession implements SwitchSession {
    private static final Logger LOG = LoggerFactory.getLogger(PolatisSession.class);

    /** After that the limits of alarms are read again: a person may change them. */
    private static final Duration LIMITS_LAST = Duration.ofMinutes(1);

    private static final String VENDOR_STREAM = "Polatis";
    private static final String GENERAL_STREAM = "NETCONF";

    private final NetconfSession asking;
    private final NetconfSession listening;
    private final NetconfSession changing;
    private final OpticalSwitch device;
    private final ChangeSession<OpticalSwitch> changes;
    private final PortLayout layout;
    private final DeviceDescription description;
    private final StandingAlarms alarms;
    private final StreamEvents events;
    private final LimitsReading limitsReading;
    private final MeasuredAlarms measured = new MeasuredAlarms(Clock.systemUTC());

    private PowerLimits limits = PowerLimits.NONE;
    private long limitsNanos;

    private PolatisSession(
            NetconfSession asking,
            NetconfSession listening,
            NetconfSession changing,
            OpticalSwitch device,
            ChangeSession<OpticalSwitch> changes,
            PortLayout layout,
            DeviceDescription description,
            StandingAlarms alarms,
            StreamEvents events,
            LimitsReading limitsReading) {
        this.asking = asking;
        this.listening = listening;
        this.changing = changing;
        this.device = device;
        this.changes = changes;
        this.layout = layout;
        this.description = description;
        this.alarms = alarms;
        this.events = events;
        this.limitsReading = limitsReading;
        this.limitsNanos = System.nanoTime() - LIMITS_LAST.toNanos();
    }

    /** The switches of one entry in {@code driver.yaml}. */
    public static SessionAdapter adapter(AdapterConfig.NetconfPolatis config) {
        SshSessions sessions = new SshSessions();
        return new SessionAdapter(
                AdapterConfig.NetconfPolatis.KIND,
                config.devices().stream().map(each -> address(each, sessions)).toList(),
                sessions::close);
    }

    private static SwitchAddress address(NetconfDevice config, SshSessions sessions) {
        StandingAlarms alarms = new StandingAlarms(Clock.systemUTC());
        ToldOnce told = new ToldOnce();
        LimitsReading limits = new LimitsReading(config.id(), told, System::nanoTime);
        return new SwitchAddress(
                config.id(), config.poll(), event -> open(config, sessions, alarms, told, limits, event));
    }

    private static PolatisSession open(
            NetconfDevice config,
            SshSessions sessions,
            StandingAlarms alarms,
            ToldOnce told,
            LimitsReading limits,
            Runnable event)
            throws LostException, RefusedException {
        NetconfSession asking = sessions.open(config, notification -> event.run());
        NetconfSession listening = asking;
        NetconfSession changing = asking;
        boolean open = false;
        try {
            OpticalSwitch device = new OpticalSwitch(asking, config.yangRevision());
            Product product = device.product();
            PortLayout layout = layout(config, product, asking);
            alarms.begin();
            limits.begin();
            Activities activities = new Activities(config.user(), asking::hidden);
            StreamEvents heard = new StreamEvents(layout, alarms, activities, asking::hidden, event);
            listening = listen(config, sessions, asking, told, heard);
            changing = second(config, sessions, asking, told);
            ChangeSession<OpticalSwitch> changes = new ChangeSession<>(
                    changing == asking ? device : new OpticalSwitch(changing, config.yangRevision()));
            DeviceDescription description = describe(config.id(), shown(product, asking), layout, device);
            open = true;
            return new PolatisSession(
                    asking, listening, changing, device, changes, layout, description, alarms, heard, limits);
        } finally {
            if (!open) {
                asking.close();
                listening.close();
                changing.close();
            }
        }
    }

    /** For changes: else they wait behind the reading of all ports. The first one where the device takes no other. */
    private static NetconfSession second(
            NetconfDevice config, SshSessions sessions, NetconfSession first, ToldOnce told) {
        try {
            return sessions.open(config, notification -> {});
        } catch (LostException none) {
            String line = "no session for changes alone, it is not read while it moves: " + none.getMessage();
            if (told.isNew(line)) {
                LOG.atInfo().addKeyValue("device", config.id()).log(line);
            }
            return first;
        }
    }

    private static DeviceDescription describe(String id, Product product, PortLayout layout, OpticalSwitch device)
            throws LostException, RefusedException {
        boolean transactional = device.isTransactional();
        OpticalSwitch.Installed installed = device.installed(layout);
        boolean shutters = installed.shutters();
        SwitchDescription words = new SwitchDescription(AdapterConfig.NetconfPolatis.KIND, layout, product);
        Capabilities can = words.capabilities()
                .setBatchAtomicity(
                        transactional
                                ? BatchAtomicity.BATCH_ATOMICITY_TRANSACTIONAL
                                : BatchAtomicity.BATCH_ATOMICITY_NONE)
                .setShutter(shutters)
                .setPowerMonitoring(true)
                .addStreamKinds(StreamKind.STREAM_KIND_RECEIVE_POWER)
                .setAutonomousProtection(true)
                .build();
        return words.of(
                id,
                transactional + (shutters ? "/shutters" : ""),
                can,
                SwitchDescription.numbered(layout, installed.farEnds()));
    }

    /**
     * A session for notifications: without :interleave a session that has subscribed takes no other rpc. Where the
     * device has none, or takes no second session, it is the first one, and the device is asked in each poll interval.
     */
    private static NetconfSession listen(
            NetconfDevice config, SshSessions sessions, NetconfSession asking, ToldOnce told, StreamEvents heard) {
        if (!asking.can("notification")) {
            return asking;
        }
        NetconfSession listening = asking;
        try {
            listening = sessions.open(config, heard);
            String refused = subscribe(new OpticalSwitch(listening, config.yangRevision()), heard);
            if (!refused.isEmpty()) {
                warn(config, told, "only changes of configuration are heard: " + refused);
            }
            return listening;
        } catch (RefusedException | LostException none) {
            warn(
                    config,
                    told,
                    "no notifications, asking every " + config.poll().toMillis() + " ms: " + none.getMessage());
            if (listening != asking) {
                listening.close();
            }
            return asking;
        }
    }

    /**
     * Asks for the events of the device, or else for the changes of its configuration, which each server with
     * notifications may tell (RFC 5277, section 3.2.3).
     *
     * @return why the device refused the first of them; empty: it did not
     */
    private static String subscribe(OpticalSwitch device, StreamEvents heard) throws RefusedException, LostException {
        try {
            device.subscribe(VENDOR_STREAM);
            return "";
        } catch (RefusedException first) {
            String why = "stream " + VENDOR_STREAM + ": " + first.getMessage();
            String both = why + "; stream " + GENERAL_STREAM + ": ";
            heard.areGeneral();
            try {
                device.subscribe(GENERAL_STREAM);
                return why;
            } catch (RefusedException second) {
                throw new RefusedException(second.code(), both + second.getMessage());
            } catch (LostException lost) {
                throw new LostException(both + lost.getMessage());
            }
        }
    }

    private static void warn(NetconfDevice config, ToldOnce told, String line) {
        if (told.isNew(line)) {
            LOG.atWarn().addKeyValue("device", config.id()).log(line);
        }
    }

    /** The serial number tells one device from another, and stays what it is. */
    private static Product shown(Product said, NetconfSession session) {
        return new Product(
                session.hidden(said.vendor()),
                session.hidden(said.model()),
                said.serial(),
                session.hidden(said.firmware()));
    }

    private static PortLayout layout(NetconfDevice config, Product product, NetconfSession asking)
            throws LostException {
        Optional<PortLayout> told = PortLayout.of(product.model());
        Optional<PortLayout> named = PortLayout.of(config.size());
        if (told.isPresent() && named.isPresent() && !told.equals(named)) {
            throw new LostException("the device is a " + asking.hidden(product.model())
                    + ", but driver.yaml names size " + config.size());
        }
        return named.or(() -> told)
                .orElseThrow(() -> new LostException("the model name '" + OneLine.of(asking.hidden(product.model()))
                        + "' has no size such as 48x48 or 48xCC; write `size` in driver.yaml"));
    }

    @Override
    public DeviceDescription description() {
        return description;
    }

    @Override
    public DeviceReading reading() throws LostException, RefusedException {
        events.beginReading();
        if (System.nanoTime() - limitsNanos >= LIMITS_LAST.toNanos()) {
            limits = limitsReading.of(device, layout);
            limitsNanos = System.nanoTime();
        }
        List<PortStatus> ports = device.ports(layout);
        return new DeviceReading(
                changes.readSeldom(device, by -> by.circuits(layout)),
                ports,
                alarms.all(ports, measured.after(limits, ports)),
                Environment.getDefaultInstance());
    }

    @Override
    public List<String> foreignWriters() {
        return events.foreignWriters();
    }

    @Override
    public boolean heardOnlyOfDriver() {
        return events.areOwn();
    }

    @Override
    public Optional<List<Alarm>> heard() {
        return Optional.of(alarms.all());
    }

    /** By the session for changes while nothing is changed: what is asked there waits for no reading of all ports. */
    @Override
    public List<NativeCircuit> circuits() throws LostException, RefusedException {
        return changes.read(device, by -> by.circuits(layout));
    }

    @Override
    public List<MoveAnswer> move(List<Move> moves, Duration within) throws LostException, RefusedException {
        return changes.change(by -> by.move(moves, layout, within));
    }

    @Override
    public void shutter(String port, boolean closed) throws LostException, RefusedException {
        device.shutter(port, closed);
    }

    @Override
    public String whyOver() {
        if (!asking.whyOver().isEmpty()) {
            return asking.whyOver();
        }
        if (changing.isOver()) {
            return "the session for changes ended: " + changing.whyOver();
        }
        return listening.isOver() ? "the session for notifications ended: " + listening.whyOver() : "";
    }

    @Override
    public void end(String why) {
        asking.end(why);
        listening.end(why);
        changing.end(why);
    }
}
