package dev.lightpath.driver.openflow;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.OpenFlowSwitchConfig;
import dev.lightpath.driver.session.EndingQuestion;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.Product;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.driver.session.SessionAdapter;
import dev.lightpath.driver.session.SwitchAddress;
import dev.lightpath.driver.session.SwitchDescription;
import dev.lightpath.driver.session.SwitchSession;
import dev.lightpath.driver.session.ToldOnce;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import dev.lightpath.proto.driver.v1alpha1.BatchAtomicity;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.LockState;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortOperState;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is asked of one device. A circuit is one flow: all light of its ingress port goes out of its egress port. Port
 * numbers are the names of ports; of two sides the ingress ports come first.
 */
public final class OpenFlowSwitch implements SwitchSession {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFlowSwitch.class);
    /** A driver that starts waits so long for its devices to connect. */
    private static final Duration FIRST = Duration.ofSeconds(5);

    /** Devices try again after some seconds. */
    private static final Duration CONNECTING = Duration.ofSeconds(30);

    /** The cookie of our flows begins so, and goes on with the two ports. */
    private static final long OURS = 0x4c50L << 48;

    private static final Duration CALL = Duration.ofSeconds(10);
    private static final int BUNDLES_SINCE = 5;
    private static final int MULTIPART_FLOWS = 1;
    private static final int MULTIPART_PORTS = 13;
    private static final int ALL_TABLES = 0xff;
    private static final int ANY = 0xffff_ffff;
    private static final int ADD = 0;
    private static final int DELETE_STRICT = 4;
    private static final int CHECK_OVERLAP = 2;
    private static final int MOST_STRANGE = 5;
    private static final int PORT_DELETED = 1;
    private static final int PORT_STATUS_PORT = 8;
    private static final int ROLE_NOCHANGE = 0;
    private static final int ROLE_MASTER = 2;
    private static final int BUNDLE_OPEN = 0;
    private static final int BUNDLE_COMMIT = 4;
    private static final int BUNDLE_DISCARD = 6;
    private static final int ATOMIC_AND_ORDERED = 3;

    private final Connection connection;
    private final PortLayout layout;
    private final UntoldPorts untold;
    private final DeviceDescription description;
    private final boolean bundles;
    /** Why the driver is not the device's master; empty while it is. */
    private volatile String lesser = "";

    private OpenFlowSwitch(Connection connection, OpenFlowSwitchConfig config, boolean bundles, ToldOnce told) {
        this.connection = connection;
        this.layout = PortLayout.of(config.size()).orElseThrow();
        this.untold = new UntoldPorts(config, layout, told);
        this.bundles = bundles;
        this.description = describe(config, layout, bundles);
    }

    /**
     * The switches of one entry in {@code driver.yaml}: they connect to the driver, as to any controller.
     *
     * @throws IOException with one line: the port is in use, or a file of TLS cannot be used
     */
    public static SessionAdapter adapter(AdapterConfig.OpenFlow config) throws IOException {
        ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("openflow-timers").daemon(true).factory());
        Map<Long, Incoming> byDatapath = new HashMap<>();
        List<SwitchAddress> addresses = new ArrayList<>();
        for (OpenFlowSwitchConfig each : config.devices()) {
            Incoming incoming = new Incoming(each);
            byDatapath.put(each.datapath(), incoming);
            ToldOnce told = new ToldOnce();
            EndingQuestion bundles = new EndingQuestion(System::nanoTime);
            addresses.add(
                    new SwitchAddress(each.id(), each.poll(), FIRST, event -> open(incoming, told, bundles, event)));
        }
        Reception reception = new Reception(config.host(), config.port(), config.tls(), timers, byDatapath);
        return new SessionAdapter(AdapterConfig.OpenFlow.KIND, addresses, () -> {
            reception.close();
            byDatapath.values().forEach(Incoming::close);
            timers.shutdownNow();
        });
    }

    private static OpenFlowSwitch open(Incoming incoming, ToldOnce told, EndingQuestion question, Runnable event)
            throws LostException, RefusedException, InterruptedException {
        Connection connection = incoming.next(CONNECTING);
        boolean open = false;
        try {
            boolean bundles = takesBundles(connection, question);
            OpenFlowSwitch device = new OpenFlowSwitch(connection, incoming.config(), bundles, told);
            connection.listen(message -> {
                device.hear(message);
                event.run();
            });
            device.requireSize();
            device.claim();
            if (question.isLeftAlone()) {
                device.withoutBundles(question, told);
            }
            open = true;
            return device;
        } finally {
            if (!open) {
                connection.close();
            }
        }
    }

    /** Some devices hang up, or say nothing more, when they are asked what they do not know: they take none. */
    private static boolean takesBundles(Connection connection, EndingQuestion question) throws LostException {
        question.begin();
        if (connection.version() < BUNDLES_SINCE || question.isLeftAlone()) {
            return false;
        }
        try {
            boolean takes = takesBundles(connection);
            question.answered();
            return takes;
        } catch (LostException lost) {
            var unused = question.ended();
            throw lost;
        }
    }

    /** A cut of the network ends connections at any message: that of bundles is tried again before it is blamed. */
    private void withoutBundles(EndingQuestion question, ToldOnce told) throws LostException {
        if (question.asksOnceMore()) {
            throw new LostException("connections ended when the device was asked for bundles: it is asked once more");
        }
        String line = "it is used without bundles: its connections end when it is asked for them";
        if (told.isNew(line)) {
            LOG.atWarn().addKeyValue("device", description.deviceId()).log(line);
        }
    }

    /**
     * Whether the device takes bundles, which OpenFlow 1.4 leaves to it: one is opened and dropped. Some devices say
     * nothing at all to what they do not know.
     */
    private static boolean takesBundles(Connection connection) throws LostException {
        try (Connection.Exchange exchange = connection.new Exchange(CALL)) {
            int id = connection.xid();
            int opening = connection.xid();
            exchange.send(opening, Message.BUNDLE_CONTROL, control(id, BUNDLE_OPEN));
            exchange.send(connection.xid(), Message.BUNDLE_CONTROL, control(id, BUNDLE_DISCARD));
            int barrier = connection.xid();
            exchange.send(barrier, Message.BARRIER_REQUEST, new byte[0]);
            boolean takes = false;
            for (Message answer = exchange.next(); answer.xid() != barrier; answer = exchange.next()) {
                if (answer.xid() == opening) {
                    takes = answer.type() != Message.ERROR
                            || !Connection.refusal(answer).isUnknownRequest();
                }
            }
            return takes;
        }
    }

    /** OpenFlow tells the number of a switch and its ports, and nothing of its make. */
    private static DeviceDescription describe(OpenFlowSwitchConfig config, PortLayout layout, boolean transactional) {
        SwitchDescription words = new SwitchDescription(
                AdapterConfig.OpenFlow.KIND, layout, new Product("", "", hex(config.datapath()), ""));
        Capabilities can = words.capabilities()
                .setBatchAtomicity(
                        transactional
                                ? BatchAtomicity.BATCH_ATOMICITY_TRANSACTIONAL
                                : BatchAtomicity.BATCH_ATOMICITY_NONE)
                .build();
        return words.of(config.id(), transactional, can);
    }

    /** A number of a device as controllers write it. */
    static String hex(long datapath) {
        return "%016x".formatted(datapath);
    }

    @Override
    public DeviceDescription description() {
        return description;
    }

    /**
     * A port that failed is not told either. So some may be missing ({@link UntoldPorts}), but not all of a side, and
     * none may be beyond the size.
     */
    private void requireSize() throws LostException, RefusedException {
        SortedSet<Integer> told = new TreeSet<>(ports().keySet());
        Set<PortSide> sides = EnumSet.noneOf(PortSide.class);
        told.headSet(layout.ingress() + layout.egress() + 1)
                .forEach(port -> sides.add(layout.side(Integer.toString(port))));
        int highest = told.isEmpty() ? 0 : told.last();
        if (sides.size() < 2 || highest > layout.ingress() + layout.egress()) {
            throw new LostException("the device has ports up to " + highest + ", but driver.yaml names size "
                    + layout.size() + ", which is ports 1 to " + (layout.ingress() + layout.egress()));
        }
    }

    private Map<Integer, PortDescription> ports() throws LostException, RefusedException {
        Map<Integer, PortDescription> described = new HashMap<>();
        for (ByteBuffer part : connection.parts(MULTIPART_PORTS, new byte[0], CALL)) {
            PortDescription.parse(part, connection.version()).forEach(port -> described.put(port.number(), port));
        }
        return described;
    }

    private void claim() throws LostException {
        try {
            takeMastershipOrAgain();
        } catch (RefusedException another) {
            lesser("it does not take this driver as its master, and may refuse changes: " + another.getMessage());
        }
    }

    /** Two drivers that start together may read the same generation: the one that comes second tries once more. */
    private void takeMastershipOrAgain() throws LostException, RefusedException {
        try {
            takeMastership();
        } catch (OpenFlowErrorException refused) {
            if (!refused.isStale()) {
                throw refused;
            }
            takeMastership();
        }
    }

    private void hear(Message message) {
        if (message.type() == Message.PORT_STATUS) {
            hearOfPort(message);
        }
        if (message.type() != Message.ROLE_STATUS || message.body().length < Integer.BYTES) {
            return;
        }
        if (message.read().getInt() == ROLE_MASTER) {
            lesser = "";
        } else {
            lesser("another controller became its master: it takes changes of this driver again when it has connected"
                    + " again");
        }
    }

    /** A move that is asked after this must know it: the device takes flows to ports that it has no more. */
    private void hearOfPort(Message message) {
        ByteBuffer body = message.read();
        if (body.remaining() <= PORT_STATUS_PORT) {
            return;
        }
        boolean gone = body.get(0) == PORT_DELETED;
        try {
            PortDescription.parse(body.position(PORT_STATUS_PORT).slice(), connection.version())
                    .forEach(port -> untold.heard(port.number(), gone));
        } catch (LostException unusable) {
            // all ports are read next, and nonsense there ends the connection
        }
    }

    private void lesser(String why) {
        lesser = why;
        LOG.atWarn().addKeyValue("device", description.deviceId()).log(why);
    }

    /** Becomes the one controller that may write: the device knows the generation of the last (OpenFlow 1.4, 6.3.6). */
    private void takeMastership() throws LostException, RefusedException {
        Message now = connection.ask(Message.ROLE_REQUEST, role(ROLE_NOCHANGE, 0), CALL);
        if (now.body().length < 16) {
            throw new LostException("the answer about its role is cut");
        }
        long generation = now.read().getLong(8);
        var unused = connection.ask(Message.ROLE_REQUEST, role(ROLE_MASTER, generation + 1), CALL);
    }

    private static byte[] role(int role, long generation) {
        return ByteBuffer.allocate(16)
                .putInt(role)
                .putInt(0)
                .putLong(generation)
                .array();
    }

    private List<Flow> flows() throws LostException, RefusedException {
        byte[] all = ByteBuffer.allocate(40)
                .put((byte) ALL_TABLES)
                .put(new byte[3])
                .putInt(ANY)
                .putInt(ANY)
                .putInt(0)
                .putLong(0)
                .putLong(0)
                // matches everything
                .putShort((short) 1)
                .putShort((short) 4)
                .putInt(0)
                .array();
        List<Flow> flows = new ArrayList<>();
        for (ByteBuffer part : connection.parts(MULTIPART_FLOWS, all, CALL)) {
            flows.addAll(Flow.parse(part));
        }
        return flows;
    }

    private FlowTable table() throws LostException, RefusedException {
        return new FlowTable(flows(), layout);
    }

    @Override
    public List<NativeCircuit> circuits() throws LostException, RefusedException {
        return circuits(table().lit());
    }

    private static List<NativeCircuit> circuits(List<Flow> flows) {
        return flows.stream()
                .map(flow -> new NativeCircuit(
                        pair(flow.way().orElseThrow()), CircuitState.CIRCUIT_STATE_CONNECTED, OptionalDouble.empty()))
                .toList();
    }

    private static CircuitPair pair(Flow.Way way) {
        return new CircuitPair(Integer.toString(way.from()), Integer.toString(way.to()));
    }

    @Override
    public DeviceReading reading() throws LostException, RefusedException {
        long asked = untold.news();
        Map<Integer, PortDescription> described = ports();
        FlowTable table = table();
        return new DeviceReading(
                circuits(table.lit()),
                layout.names().stream()
                        .map(name -> status(name, described.get(Integer.parseInt(name))))
                        .toList(),
                alarms(untold.after(described.keySet(), asked), table.strange(), lesser),
                Environment.getDefaultInstance());
    }

    /**
     * Ports may be missing, light may go where no circuit says, and another controller may rule. One alarm says all: of
     * several alarms of a kind at the device only the last would stand.
     */
    private static List<Alarm> alarms(String untold, List<String> strange, String lesser) {
        List<String> texts = new ArrayList<>();
        texts.add(untold);
        texts.add(lesser);
        texts.addAll(strange.subList(0, Math.min(strange.size(), MOST_STRANGE)));
        texts.removeIf(String::isEmpty);
        return texts.isEmpty()
                ? List.of()
                : List.of(Alarm.newBuilder()
                        .setKind(AlarmKind.ALARM_KIND_DEGRADED)
                        .setSeverity(AlarmSeverity.ALARM_SEVERITY_WARNING)
                        .setNativeText(String.join("; ", texts))
                        .build());
    }

    private static PortStatus status(String name, @org.jspecify.annotations.Nullable PortDescription port) {
        PortStatus.Builder status =
                PortStatus.newBuilder().setPort(name).setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE);
        if (port == null) {
            return status.setOperState(PortOperState.PORT_OPER_STATE_FAILED).build();
        }
        if (port.down()) {
            status.setAdminState(PortAdminState.PORT_ADMIN_STATE_OUT_OF_SERVICE);
        }
        if (port.linkDown()) {
            status.setLockState(LockState.LOCK_STATE_LOSS_OF_SIGNAL);
        }
        return status.setOperState(PortOperState.PORT_OPER_STATE_OK).build();
    }

    /** One change of a flow, and the move that it is for. */
    private record Change(int move, byte[] body) {}

    /**
     * Makes all moves in one bundle. If the device refuses it, nothing was changed; then each move is asked alone, so
     * that one bad move prevents no other. A device without bundles is asked so at once. It may then change the order:
     * that harms nothing, because a request breaks or makes, and no two of its moves have a port in common.
     */
    @Override
    public List<MoveAnswer> move(List<Move> moves, Duration within) throws LostException, RefusedException {
        Map<Integer, MoveAnswer> refused = new HashMap<>();
        List<FlowTable.Step> steps = table().steps(moves);
        if (steps.stream().anyMatch(this::isUntold)) {
            // one may be there again
            long asked = untold.news();
            var unused = untold.after(ports().keySet(), asked);
        }
        List<Change> changes = changes(steps, refused);
        if (!changes.isEmpty() && !(bundles && changes.size() > 1 && bundled(changes, within))) {
            single(changes, within, refused);
        }
        List<MoveAnswer> answers = new ArrayList<>();
        for (int index = 0; index < moves.size(); index++) {
            answers.add(refused.getOrDefault(index, new MoveAnswer.Accepted()));
        }
        return answers;
    }

    private boolean isUntold(FlowTable.Step step) {
        return step instanceof FlowTable.Step.Add(Flow.Way way) && untold.has(way);
    }

    private List<Change> changes(List<FlowTable.Step> steps, Map<Integer, MoveAnswer> refused) {
        List<Change> changes = new ArrayList<>();
        for (int index = 0; index < steps.size(); index++) {
            switch (steps.get(index)) {
                case FlowTable.Step.Nothing() -> {}
                case FlowTable.Step.Delete(Flow flow) -> changes.add(new Change(index, delete(flow)));
                case FlowTable.Step.Add(Flow.Way way) -> {
                    if (untold.has(way)) {
                        refused.put(
                                index,
                                new MoveAnswer.Refused(
                                        ItemReason.ITEM_REASON_PORT_UNUSABLE,
                                        "the device tells nothing of a port of " + pair(way)));
                    } else {
                        changes.add(new Change(index, add(way)));
                    }
                }
                case FlowTable.Step.InTheWay(Flow.Way way) ->
                    refused.put(
                            index,
                            new MoveAnswer.Refused(
                                    ItemReason.ITEM_REASON_PORT_IN_USE, "a flow shows " + pair(way) + " there"));
                case FlowTable.Step.Taken(int ingress, Flow by) ->
                    refused.put(
                            index,
                            new MoveAnswer.Refused(
                                    ItemReason.ITEM_REASON_PORT_IN_USE,
                                    by.said() + " takes the light of port " + ingress));
            }
        }
        return changes;
    }

    /** Only a flow that still has this cookie: in its place there may be another one by now. */
    private static byte[] delete(Flow flow) {
        return mod(flow.cookie(), -1, flow.table(), DELETE_STRICT, flow.priority(), flow.match(), new byte[0]);
    }

    private static byte[] add(Flow.Way way) {
        long cookie = OURS | (long) way.from() << 24 | way.to();
        return mod(cookie, 0, 0, ADD, FlowTable.PRIORITY, Flow.matchOf(way.from()), Flow.instructionsTo(way.to()));
    }

    private static byte[] mod(
            long cookie, long cookieMask, int table, int command, int priority, byte[] match, byte[] instructions) {
        return ByteBuffer.allocate(40 + match.length + instructions.length)
                .putLong(cookie)
                .putLong(cookieMask)
                .put((byte) table)
                .put((byte) command)
                .putShort((short) 0)
                .putShort((short) 0)
                .putShort((short) priority)
                .putInt(ANY)
                .putInt(ANY)
                .putInt(ANY)
                .putShort((short) (command == ADD ? CHECK_OVERLAP : 0))
                .putShort((short) 0)
                .put(match)
                .put(instructions)
                .array();
    }

    /** Whether the device took the bundle (OpenFlow 1.4, 6.9). */
    private boolean bundled(List<Change> changes, Duration within) throws LostException {
        try (Connection.Exchange exchange = connection.new Exchange(within)) {
            int id = connection.xid();
            exchange.send(connection.xid(), Message.BUNDLE_CONTROL, control(id, BUNDLE_OPEN));
            if (exchange.next().type() == Message.ERROR) {
                return false;
            }
            for (Change change : changes) {
                int xid = connection.xid();
                byte[] inner = new Message(connection.version(), Message.FLOW_MOD, xid, change.body()).bytes();
                exchange.send(
                        xid,
                        Message.BUNDLE_ADD,
                        ByteBuffer.allocate(8 + inner.length)
                                .putInt(id)
                                .putShort((short) 0)
                                .putShort((short) ATOMIC_AND_ORDERED)
                                .put(inner)
                                .array());
            }
            int commit = connection.xid();
            exchange.send(commit, Message.BUNDLE_CONTROL, control(id, BUNDLE_COMMIT));
            while (true) {
                Message answer = exchange.next();
                if (answer.xid() == commit) {
                    return answer.type() == Message.BUNDLE_CONTROL;
                }
            }
        }
    }

    private static byte[] control(int bundle, int what) {
        return ByteBuffer.allocate(8)
                .putInt(bundle)
                .putShort((short) what)
                .putShort((short) ATOMIC_AND_ORDERED)
                .array();
    }

    private void single(List<Change> changes, Duration within, Map<Integer, MoveAnswer> refused) throws LostException {
        try (Connection.Exchange exchange = connection.new Exchange(within)) {
            Map<Integer, Integer> moveOf = new HashMap<>();
            for (Change change : changes) {
                int xid = connection.xid();
                moveOf.put(xid, change.move());
                exchange.send(xid, Message.FLOW_MOD, change.body());
            }
            int barrier = connection.xid();
            exchange.send(barrier, Message.BARRIER_REQUEST, new byte[0]);
            Message answer = exchange.next();
            while (answer.xid() != barrier) {
                Integer move = moveOf.get(answer.xid());
                if (move != null && answer.type() == Message.ERROR) {
                    OpenFlowErrorException why = Connection.refusal(answer);
                    refused.put(
                            move,
                            new MoveAnswer.Refused(
                                    why.isOverlap()
                                            ? ItemReason.ITEM_REASON_PORT_IN_USE
                                            : ItemReason.ITEM_REASON_DEVICE_REFUSED,
                                    String.valueOf(why.getMessage())));
                }
                answer = exchange.next();
            }
        }
    }

    @Override
    public void shutter(String port, boolean closed) {
        throw new UnsupportedOperationException("its capabilities offer no shutter");
    }

    @Override
    public String whyOver() {
        return connection.why();
    }

    @Override
    public void end(String why) {
        connection.end(why);
    }
}
