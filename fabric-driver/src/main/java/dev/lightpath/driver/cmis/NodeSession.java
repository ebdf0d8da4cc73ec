package dev.lightpath.driver.cmis;

import com.google.protobuf.Timestamp;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.CmisModuleConfig;
import dev.lightpath.driver.config.AdapterConfig.CmisNode;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.SessionAdapter;
import dev.lightpath.driver.session.SwitchAddress;
import dev.lightpath.driver.session.SwitchSession;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The modules of one node as one device. A module that is pulled out, broken or of another type takes its own ports
 * with it and leaves the others alone. With a module that is plugged in the node is described anew.
 */
public final class NodeSession implements SwitchSession {
    private final CmisNode node;
    private final List<Bay> bays;
    private final Clock clock;
    /** What was in each bay when it was told last, also by sessions before; a bay that does not answer says nothing. */
    private final Map<String, Identity> known;

    private volatile DeviceDescription description;
    /** Whether a module of this description has another serial number than was told before. */
    private volatile boolean exchanged;
    /** Alarms that stand, by place and kind. */
    private Map<String, Alarm> standing = new TreeMap<>();

    private volatile String over = "";

    private NodeSession(CmisNode node, List<Bay> bays, Map<String, Identity> known, Clock clock) {
        this.node = node;
        this.bays = bays;
        this.known = known;
        this.clock = clock;
        this.description = Description.of(node, bays, known);
        this.exchanged = bays.stream().anyMatch(this::isExchanged);
    }

    /** The adapter of nodes with such modules. */
    public static SessionAdapter adapter(AdapterConfig.Cmis config) {
        List<SwitchAddress> addresses = config.nodes().stream()
                .map(node -> {
                    Map<String, Identity> known = new ConcurrentHashMap<>();
                    return new SwitchAddress(node.id(), node.poll(), event -> open(node, known));
                })
                .toList();
        return new SessionAdapter(AdapterConfig.Cmis.KIND, addresses, () -> {});
    }

    private static SwitchSession open(CmisNode node, Map<String, Identity> known) throws LostException {
        List<Bay> bays = new ArrayList<>();
        for (CmisModuleConfig module : node.modules()) {
            Bay bay = new Bay(node.id(), module, NodeSession::memory);
            boolean unused = bay.look();
            bays.add(bay);
        }
        if (bays.stream().allMatch(bay -> bay.identity().isEmpty())) {
            bays.forEach(Bay::close);
            throw new LostException("no module of node " + node.id() + " can be used; the first, "
                    + bays.getFirst().name() + ": " + bays.getFirst().lost());
        }
        return new NodeSession(node, bays, known, Clock.systemUTC());
    }

    private boolean isExchanged(Bay bay) {
        Identity before = known.get(bay.name());
        return before != null
                && bay.identity()
                        .filter(now -> !now.serial().equals(before.serial()))
                        .isPresent();
    }

    private static ModuleMemory memory(CmisModuleConfig config) throws NotAnsweredException {
        return switch (config.bus()) {
            case AdapterConfig.CmisBus.I2c i2c -> new PagedMemory(new I2cRegisters(i2c.device()));
            case AdapterConfig.CmisBus.Eeprom eeprom -> new EepromFile(eeprom.file());
            case AdapterConfig.CmisBus.Socket socket ->
                new PagedMemory(new SocketRegisters(socket.host(), socket.port(), socket.module()));
        };
    }

    @Override
    public DeviceDescription description() {
        return description;
    }

    @Override
    public boolean isAnother(String serial) {
        return exchanged;
    }

    @Override
    public synchronized DeviceReading reading() throws LostException {
        List<NativeCircuit> circuits = new ArrayList<>();
        List<PortStatus> ports = new ArrayList<>();
        Map<String, Alarm> now = new TreeMap<>();
        double hottest = Double.NaN;
        boolean pluggedIn = false;
        for (Bay bay : bays) {
            pluggedIn |= bay.look();
        }
        if (pluggedIn) {
            description = Description.of(node, bays, known);
            exchanged = bays.stream().anyMatch(this::isExchanged);
        }
        for (Bay bay : bays) {
            Bay.Said said = bay.read();
            circuits.addAll(said.circuits());
            ports.addAll(said.ports());
            said.trouble().forEach((where, why) -> raise(now, where, AlarmKind.ALARM_KIND_PORT_FAILED, why));
            said.stuck().forEach(port -> raise(now, port, AlarmKind.ALARM_KIND_STUCK, "the selector does not move"));
            if (said.hot()) {
                raise(now, bay.name(), AlarmKind.ALARM_KIND_TEMPERATURE, "above the module's alarm threshold");
            }
            if (said.temperature().isPresent()) {
                double here = said.temperature().getAsDouble();
                hottest = Double.isNaN(hottest) ? here : Math.max(hottest, here);
            }
        }
        if (bays.stream().allMatch(bay -> bay.identity().isEmpty())) {
            throw lost("no module of node " + node.id() + " can be used; the first, "
                    + bays.getFirst().name() + ": " + bays.getFirst().lost());
        }
        standing = now;
        bays.forEach(bay -> bay.identity().ifPresent(plate -> known.put(bay.name(), plate)));
        Environment.Builder environment = Environment.newBuilder();
        if (!Double.isNaN(hottest)) {
            environment.setTemperatureCelsius(hottest);
        }
        return new DeviceReading(circuits, ports, List.copyOf(now.values()), environment.build());
    }

    private void raise(Map<String, Alarm> now, String where, AlarmKind kind, String text) {
        String key = where + " " + kind;
        Alarm before = standing.get(key);
        if (before != null && before.getNativeText().equals(text)) {
            now.put(key, before);
            return;
        }
        Instant since = clock.instant();
        now.put(
                key,
                Alarm.newBuilder()
                        .setKind(kind)
                        .setWhere(where)
                        .setSeverity(AlarmSeverity.ALARM_SEVERITY_CRITICAL)
                        .setSince(Timestamp.newBuilder()
                                .setSeconds(since.getEpochSecond())
                                .setNanos(since.getNano()))
                        .setNativeText(text)
                        .build());
    }

    @Override
    public synchronized List<NativeCircuit> circuits() throws LostException {
        List<NativeCircuit> circuits = new ArrayList<>();
        int answering = 0;
        String why = "";
        for (Bay bay : bays) {
            try {
                circuits.addAll(bay.circuits());
                answering++;
            } catch (NotAnsweredException e) {
                why = bay.name() + ": " + e.getMessage();
                circuits.addAll(bay.unread());
            }
        }
        if (answering == 0) {
            throw lost("no module of node " + node.id() + " can be used; " + why);
        }
        return circuits;
    }

    @Override
    public synchronized List<MoveAnswer> move(List<Move> moves, Duration within) throws LostException {
        List<MoveAnswer> answers = new ArrayList<>();
        for (Move move : moves) {
            Optional<Bay> at = bays.stream()
                    .filter(bay -> bay.has(move.pair().ingress())
                            && bay.has(move.pair().egress()))
                    .findFirst();
            if (at.isEmpty()) {
                answers.add(new MoveAnswer.Refused(
                        ItemReason.ITEM_REASON_NO_SUCH_PORT,
                        "node " + node.id() + " has no selector for " + move.pair()));
                continue;
            }
            try {
                answers.add(at.get().move(move));
            } catch (NotAnsweredException e) {
                // what it did is unknown: the device is read before anything else is asked of it
                throw lost(at.get().name() + " did not answer during a move: " + e.getMessage());
            }
        }
        return answers;
    }

    @Override
    public void shutter(String port, boolean closed) {
        throw new IllegalStateException("these modules have no shutter, and their description offers none");
    }

    private LostException lost(String why) {
        end(why);
        return new LostException(over);
    }

    @Override
    public String whyOver() {
        return over;
    }

    @Override
    public void end(String why) {
        if (over.isEmpty()) {
            over = why;
        }
        bays.forEach(Bay::close);
    }
}
