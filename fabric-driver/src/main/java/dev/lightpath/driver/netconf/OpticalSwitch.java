package dev.lightpath.driver.netconf;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.session.Deadline;
import dev.lightpath.driver.session.FarEnd;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.OneLine;
import dev.lightpath.driver.session.Ports;
import dev.lightpath.driver.session.Product;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.driver.session.YangRevision;
import dev.lightpath.proto.driver.v1alpha1.Attenuation;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortOperState;
import dev.lightpath.proto.driver.v1alpha1.PortRef;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One session with a device, in the words of the module optical-switch. */
final class OpticalSwitch {
    static final String NAMESPACE = "http://www.polatis.com/yang/optical-switch";

    private static final String ASKS = " xmlns=\"" + NAMESPACE + "\"";
    private static final Duration CALL = Duration.ofSeconds(10);
    private static final Pattern REVISION =
            Pattern.compile(Pattern.quote(NAMESPACE) + "\\?(?:.*&)?revision=([0-9]{4}-[0-9]{2}-[0-9]{2})(?:&.*)?");

    /** The newest revision whose text is known. */
    private static final String NEWEST = "2018-03-22";

    /** Until then the list was called {@code pairs}. */
    private static final String RENAMED = "2017-08-04";

    /** Another session holds a lock. */
    private static final String LOCK_DENIED = "lock-denied";

    /** Our own word: the device was asked for a lock, and for nothing else. */
    private static final String NOT_LOCKED = "not-locked";

    private static final String CROSS_CONNECTS =
            "<get-config><source><running/></source><filter type=\"subtree\"><cross-connects" + ASKS
                    + "/></filter></get-config>";

    private static final String DISCARD = "<discard-changes/>";

    private final NetconfSession session;
    private final String pair;
    /** Whether the device may have the container {@code voa}, which came with revision 2017-08-04. */
    private volatile boolean attenuates;

    private final boolean candidate;
    private final boolean rollsBack;

    /**
     * @param accepted a revision that is taken for the newest known one; empty: none
     * @throws LostException when the device has no module that is known, or nothing that can be written
     */
    OpticalSwitch(NetconfSession session, String accepted) throws LostException {
        this.session = session;
        String revision = revision(session.capabilities());
        YangRevision.requireKnown("optical-switch", revision, NEWEST, accepted);
        pair = revision.compareTo(RENAMED) < 0 ? "pairs" : "pair";
        attenuates = revision.compareTo(RENAMED) >= 0;
        candidate = session.can("candidate");
        rollsBack = session.can("rollback-on-error");
        if (!candidate && !session.can("writable-running")) {
            throw new LostException("the device's hello offers neither candidate nor writable-running");
        }
    }

    private static String revision(Set<String> capabilities) throws LostException {
        for (String each : capabilities) {
            Matcher module = REVISION.matcher(each);
            if (module.matches()) {
                return module.group(1);
            }
        }
        throw new LostException("the device's hello names no revision of module " + NAMESPACE);
    }

    boolean isTransactional() {
        return candidate || rollsBack;
    }

    /** Asks for the events of a stream. From then on this session only listens. */
    void subscribe(String stream) throws RefusedException, LostException {
        var unused = session.rpc(
                "<create-subscription xmlns=\"urn:ietf:params:xml:ns:netconf:notification:1.0\"><stream>" + stream
                        + "</stream></create-subscription>",
                CALL);
    }

    Product product() throws RefusedException, LostException {
        Element said = get("product-information")
                .at("data", "product-information")
                .orElse(new Element("", "product-information", "", "", List.of()));
        return new Product(
                OneLine.of(said.text("manufacturer")),
                OneLine.of(said.text("model-name")),
                OneLine.of(said.text("serial-number")),
                OneLine.of(said.text("software-version")));
    }

    List<NativeCircuit> circuits(PortLayout layout) throws RefusedException, LostException {
        return circuits(session.rpc(CROSS_CONNECTS, CALL), layout);
    }

    private List<NativeCircuit> circuits(Element reply, PortLayout layout) throws LostException {
        List<NativeCircuit> all = new ArrayList<>();
        Element data = reply.at("data", "cross-connects").orElse(new Element("", "", "", "", List.of()));
        for (Element each : data.children(pair)) {
            CircuitPair circuit = new CircuitPair(
                    name(layout, each.text("ingress"), "a cross-connect"),
                    name(layout, each.text("egress"), "a cross-connect"));
            all.add(new NativeCircuit(circuit, CircuitState.CIRCUIT_STATE_CONNECTED, OptionalDouble.empty()));
        }
        return all;
    }

    /** Asks for one container at a time: some servers take no filter with several. */
    private Element get(String container) throws RefusedException, LostException {
        return session.rpc("<get><filter type=\"subtree\"><" + container + ASKS + "/></filter></get>", CALL);
    }

    List<PortStatus> ports(PortLayout layout) throws RefusedException, LostException {
        Ports ports = new Ports(layout);
        for (Element each : list(get("port-config"), "port-config")) {
            PortStatus.Builder port = named(ports, each.text("port-id"), "the state of a port");
            switch (each.text("status")) {
                case "ENABLED" -> port.setOperState(PortOperState.PORT_OPER_STATE_OK);
                case "FAILED" -> port.setOperState(PortOperState.PORT_OPER_STATE_FAILED);
                case "DISABLED" -> port.setAdminState(PortAdminState.PORT_ADMIN_STATE_OUT_OF_SERVICE);
                // such as UNSUPPORTED: a port without a shutter lets light pass
                default -> {}
            }
        }
        for (Element each : list(get("opm-power"), "opm-power")) {
            PortStatus.Builder port = named(ports, each.text("port-id"), "the state of a port");
            number(each.text("power")).ifPresent(port::setReceivePowerDbm);
        }
        attenuators(ports);
        return ports.build();
    }

    /**
     * What is asked once in a session.
     *
     * @param shutters whether any port has one
     * @param farEnds of ports whose {@code peer-port}, or else whose {@code label}, names one
     */
    record Installed(boolean shutters, Map<String, PortRef> farEnds) {}

    Installed installed(PortLayout layout) throws RefusedException, LostException {
        boolean shutters = false;
        Map<String, PortRef> farEnds = new TreeMap<>();
        for (Element each : list(get("port-config"), "port-config")) {
            String status = each.text("status");
            shutters |= status.equals("ENABLED") || status.equals("DISABLED");
            String port = name(layout, each.text("port-id"), "the state of a port");
            FarEnd.of(each.text("peer-port"))
                    .or(() -> FarEnd.of(each.text("label")))
                    .ifPresent(farEnd -> farEnds.put(port, farEnd));
        }
        return new Installed(shutters, farEnds);
    }

    /** Levels are in dB in the mode that is relative to another port; in all others they are powers, or not used. */
    private void attenuators(Ports ports) throws RefusedException, LostException {
        if (!attenuates) {
            return;
        }
        Element said;
        try {
            said = get("voa");
        } catch (RefusedException unknown) {
            attenuates = false;
            return;
        }
        for (Element each : list(said, "voa")) {
            Attenuation.Builder attenuator =
                    named(ports, each.text("port-id"), "an attenuator").getAttenuationBuilder();
            switch (each.text("atten-mode")) {
                case "VOA_MODE_NONE" -> attenuator.setSetDb(0);
                case "VOA_MODE_RELATIVE" ->
                    number(each.text("atten-level")).ifPresent(level -> attenuator.setSetDb(Math.abs(level)));
                default -> {}
            }
        }
    }

    private PortStatus.Builder named(Ports ports, String said, String where) throws LostException {
        try {
            return ports.named(said, where);
        } catch (LostException noSuchPort) {
            throw hidden(noSuchPort);
        }
    }

    private String name(PortLayout layout, String said, String where) throws LostException {
        try {
            return Ports.name(layout, said, where);
        } catch (LostException noSuchPort) {
            throw hidden(noSuchPort);
        }
    }

    private LostException hidden(LostException lost) {
        return new LostException(session.hidden(String.valueOf(lost.getMessage())));
    }

    private static List<Element> list(Element reply, String container) {
        return reply.at("data", container).map(c -> c.children("port")).orElse(List.of());
    }

    /** Empty where nothing, or no finite number, is told. */
    static OptionalDouble number(String said) {
        try {
            double number = said.isEmpty() ? Double.NaN : Double.parseDouble(said);
            return Double.isFinite(number) ? OptionalDouble.of(number) : OptionalDouble.empty();
        } catch (NumberFormatException notANumber) {
            return OptionalDouble.empty();
        }
    }

    /** @throws RefusedException when the device does not tell them, or not to this user */
    PowerLimits limits(PortLayout layout) throws RefusedException, LostException {
        List<Element> alarms = list(get("opm-alarm-config"), "opm-alarm-config");
        if (alarms.isEmpty()) {
            return PowerLimits.NONE;
        }
        Element reply = session.rpc(
                "<get><filter type=\"subtree\"><system-config" + ASKS
                        + "><alarm-clear-hysteresis/></system-config></filter></get>",
                CALL);
        String hysteresis = reply.at("data", "system-config")
                .map(config -> config.text("alarm-clear-hysteresis"))
                .orElse("");
        PowerLimits limits = PowerLimits.of(alarms, list(get("opm-config"), "opm-config"), number(hysteresis), layout);
        return new PowerLimits(limits.ofPorts(), limits.hysteresisDb(), session.hidden(limits.leftOut()));
    }

    /**
     * Makes all moves by one edit and one commit. If the device refuses the edit it changed nothing; then each move is
     * asked alone, so that one bad move prevents no other.
     */
    List<MoveAnswer> move(List<Move> moves, PortLayout layout, Duration within) throws LostException {
        Deadline deadline = Deadline.in(within);
        try {
            locked(moves, layout, deadline);
            return all(moves, new MoveAnswer.Accepted());
        } catch (RefusedException refused) {
            if (moves.size() == 1 || refused.code().equals(NOT_LOCKED)) {
                return all(moves, answer(refused));
            }
        }
        List<MoveAnswer> single = new ArrayList<>();
        for (Move move : moves) {
            try {
                locked(List.of(move), layout, deadline);
                single.add(new MoveAnswer.Accepted());
            } catch (RefusedException refused) {
                single.add(answer(refused));
            }
        }
        return single;
    }

    private static List<MoveAnswer> all(List<Move> moves, MoveAnswer answer) {
        return Collections.nCopies(moves.size(), answer);
    }

    private static MoveAnswer answer(RefusedException refused) {
        return new MoveAnswer.Refused(reason(refused.code()), String.valueOf(refused.getMessage()));
    }

    private static ItemReason reason(String tag) {
        return switch (tag) {
            case "data-exists" -> ItemReason.ITEM_REASON_PORT_IN_USE;
            default -> ItemReason.ITEM_REASON_DEVICE_REFUSED;
        };
    }

    private void locked(List<Move> moves, PortLayout layout, Deadline deadline) throws RefusedException, LostException {
        List<String> held = new ArrayList<>();
        try {
            Set<CircuitPair> present = lock(held, layout);
            List<Move> todo = moves.stream()
                    .filter(move -> present.contains(move.pair()) == move instanceof Move.Break)
                    .toList();
            if (todo.isEmpty()) {
                return;
            }
            if (candidate) {
                stage(todo, present, layout, deadline);
                // a commit that was refused leaves what it was to make
                last("<commit/>", List.of(DISCARD), held, deadline);
            } else {
                String onError = rollsBack ? "rollback-on-error" : "stop-on-error";
                last(
                        edit("<target><running/></target><error-option>" + onError + "</error-option>", todo),
                        List.of(),
                        held,
                        deadline);
            }
        } finally {
            unlock(held);
        }
    }

    /**
     * Locks what is to be changed, and reads the cross-connects under the locks. A commit makes running what the
     * candidate is, as a whole: so running must not change meanwhile either. Many devices with a candidate do not lock
     * running.
     *
     * @param held gets what was locked
     */
    private Set<CircuitPair> lock(List<String> held, PortLayout layout) throws RefusedException, LostException {
        List<String> datastores = candidate ? List.of("candidate", "running") : List.of("running");
        List<NetconfSession.Reply> begun = session.rpcs(
                Stream.concat(datastores.stream().map(OpticalSwitch::lock), Stream.of(CROSS_CONNECTS))
                        .toList(),
                CALL);
        List<RefusedException> refusals = new ArrayList<>();
        for (int i = 0; i < datastores.size(); i++) {
            String datastore = datastores.get(i);
            refusal(begun.get(i))
                    .ifPresentOrElse(
                            refused -> {
                                if (datastore.equals(datastores.getFirst())
                                        || refused.code().equals(LOCK_DENIED)) {
                                    refusals.add(notLocked(datastore, refused));
                                }
                            },
                            () -> held.add(datastore));
        }
        if (!refusals.isEmpty()) {
            throw refusals.getFirst();
        }
        return pairs(begun.getLast(), layout);
    }

    /** Empty when the device did what it was asked for. */
    private static Optional<RefusedException> refusal(NetconfSession.Reply reply) {
        try {
            var unused = reply.orRefused();
            return Optional.empty();
        } catch (RefusedException refused) {
            return Optional.of(refused);
        }
    }

    /** One answer for all moves: they need the same lock. */
    private static RefusedException notLocked(String datastore, RefusedException refused) {
        return new RefusedException(NOT_LOCKED, "the device does not lock " + datastore + ": " + refused.getMessage());
    }

    private static String lock(String datastore) {
        return "<lock>" + target(datastore) + "</lock>";
    }

    private static String target(String datastore) {
        return "<target><" + datastore + "/></target>";
    }

    private Set<CircuitPair> pairs(NetconfSession.Reply reply, PortLayout layout)
            throws RefusedException, LostException {
        Set<CircuitPair> pairs = new TreeSet<>();
        circuits(reply.orRefused(), layout).forEach(c -> pairs.add(c.pair()));
        return pairs;
    }

    /**
     * Prepares the candidate, in which nothing else may be left, unless running changed since {@code present} was read:
     * the commit would undo that. Others may hold no lock, such as a client of TL1, or the switch itself when it
     * protects a circuit.
     */
    private void stage(List<Move> todo, Set<CircuitPair> present, PortLayout layout, Deadline deadline)
            throws RefusedException, LostException {
        try {
            List<NetconfSession.Reply> edited =
                    session.rpcs(List.of(DISCARD, edit(target("candidate"), todo), CROSS_CONNECTS), deadline.left());
            var unusedDiscard = edited.getFirst().orRefused();
            var unusedEdit = edited.get(1).orRefused();
            if (!pairs(edited.getLast(), layout).equals(present)) {
                throw new RefusedException(
                        "in-use", "the cross-connects were changed by somebody else meanwhile, nothing was committed");
            }
        } catch (RefusedException refused) {
            // a commit after a failed edit may say ok and commit the rest of it
            var unusedDiscard = session.rpc(DISCARD, CALL);
            throw refused;
        }
    }

    /**
     * Does what changes the device, and gives the locks back, without waiting in between.
     *
     * @param then to be done before the locks are given back
     */
    private void last(String change, List<String> then, List<String> held, Deadline deadline)
            throws RefusedException, LostException {
        List<String> unlocks = unlocks(held);
        held.clear();
        List<NetconfSession.Reply> replies = session.rpcs(
                List.of(change),
                deadline.left(),
                Stream.concat(then.stream(), unlocks.stream()).toList(),
                CALL);
        requireUnlocked(replies.subList(1 + then.size(), replies.size()));
        var unused = replies.getFirst().orRefused();
    }

    private String edit(String where, List<Move> todo) {
        return "<edit-config>" + where + "<config>" + wanted(todo) + "</config></edit-config>";
    }

    /** The last one first. */
    private static List<String> unlocks(List<String> held) {
        return held.reversed().stream()
                .map(datastore -> "<unlock>" + target(datastore) + "</unlock>")
                .toList();
    }

    private void unlock(List<String> held) throws LostException {
        if (!session.isOver() && !held.isEmpty()) {
            requireUnlocked(session.rpcs(unlocks(held), CALL));
        }
    }

    /** A lock that the device keeps ends with the session; it says nothing about the moves. */
    private void requireUnlocked(List<NetconfSession.Reply> replies) {
        for (NetconfSession.Reply each : replies) {
            if (refusal(each).isPresent()) {
                session.close();
            }
        }
    }

    private String wanted(List<Move> todo) {
        StringBuilder all =
                new StringBuilder("<cross-connects" + ASKS + " xmlns:nc=\"urn:ietf:params:xml:ns:netconf:base:1.0\">");
        for (Move move : todo) {
            String ingress = "<ingress>" + Xml.escaped(move.pair().ingress()) + "</ingress>";
            String egress = "<egress>" + Xml.escaped(move.pair().egress()) + "</egress>";
            all.append(
                    switch (move) {
                        case Move.Break unused ->
                            "<" + pair + " nc:operation=\"delete\">" + ingress + "</" + pair + ">";
                        case Move.Make unused ->
                            "<" + pair + " nc:operation=\"create\">" + ingress + egress + "</" + pair + ">";
                    });
        }
        return all.append("</cross-connects>").toString();
    }

    /** An ok is no evidence: servers were seen that say it and do nothing. */
    void shutter(String port, boolean closed) throws RefusedException, LostException {
        String leaf = closed ? "port-disab" : "port-enab";
        var unused = session.rpc(
                "<port-set-state" + ASKS + "><" + leaf + ">" + Xml.escaped(port) + "</" + leaf + "></port-set-state>",
                CALL);
        String wanted = closed ? "DISABLED" : "ENABLED";
        String shown = list(get("port-config"), "port-config").stream()
                .filter(each -> each.text("port-id").equals(port))
                .map(each -> each.text("status"))
                .findFirst()
                .orElse("");
        if (!shown.equals(wanted)) {
            throw new RefusedException(
                    "operation-failed",
                    "the device said ok, but port " + port + " is '" + OneLine.of(session.hidden(shown)) + "' and not "
                            + wanted);
        }
    }
}
