package dev.lightpath.sim.netconf;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.core.Optics;
import dev.lightpath.sim.core.move.BatchOutcome;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.move.Move;
import dev.lightpath.sim.core.move.MoveOutcome;
import dev.lightpath.sim.loop.HardwareLoop;
import dev.lightpath.sim.managed.ActivityLog;
import dev.lightpath.sim.managed.AnswerTime;
import dev.lightpath.sim.managed.ManagedSwitch;
import dev.lightpath.sim.scenario.NetconfSpec;
import dev.lightpath.sim.scenario.NetconfSpec.Quirk;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;

/** The configuration of one switch, which all its sessions share: cross-connects by ingress. */
final class Datastores implements AutoCloseable {
    private static final String POLATIS = " xmlns=\"http://www.polatis.com/yang/polatis-switch\"";

    private final AnswerTime answerTime;
    private final NetconfSpec spec;
    private final ManagedSwitch device;
    private final Set<NetconfServer> sessions = new CopyOnWriteArraySet<>();
    private final Map<String, NetconfServer> locks = new TreeMap<>();
    /** What an echo repeats. */
    private final Map<String, String> echoed = new TreeMap<>();

    private @Nullable Map<String, String> candidate;
    private long commits;
    private boolean moved;
    private final ActivityLog activities;
    private final Notifications notifications;

    Datastores(NetconfSpec spec, Hardware hardware, HardwareLoop loop, ActivityLog activities) {
        this.spec = spec;
        this.answerTime = new AnswerTime(spec.quirks().contains(Quirk.SLOW_ANSWERS));
        this.activities = activities;
        this.notifications = new Notifications(spec.quirks(), text -> sessions.forEach(each -> each.notify(text)));
        activities.listen(this::tell);
        this.device = new ManagedSwitch(spec.device(), hardware, loop, new ManagedSwitch.Listener() {
            @Override
            public boolean hears() {
                return !sessions.isEmpty();
            }

            @Override
            public void alarm(String port, boolean stands) {
                tell(stands ? "port-power-alarm" : "port-power-clear", port);
            }

            @Override
            public void over() {
                sessions.forEach(NetconfServer::end);
            }
        });
    }

    private void tell(String event, String port) {
        notifications.tell("<" + event + POLATIS + "><port-id>" + port + "</port-id></" + event + ">");
    }

    private void tell(ActivityLog.Activity activity) {
        if (activity.device().equals(spec.device())) {
            notifications.tell("<activity-log-notification" + POLATIS + "><notification-username>"
                    + NetconfServer.escaped(activity.user()) + "</notification-username><notification-ip-address>"
                    + activity.address() + "</notification-ip-address><notification-protocol>" + activity.protocol()
                    + "</notification-protocol><notification-activity>" + NetconfServer.escaped(activity.what())
                    + "</notification-activity></activity-log-notification>");
        }
    }

    /** False when the device refuses another session. */
    boolean enter(NetconfServer session) {
        if (!reachable() || spec.quirks().contains(Quirk.TWO_SESSIONS) && sessions.size() >= 2) {
            return false;
        }
        sessions.add(session);
        return true;
    }

    /** Returns at once, also while a change is under way. */
    void leave(NetconfServer session) {
        if (sessions.remove(session)) {
            Thread.startVirtualThread(() -> release(session));
        }
    }

    private synchronized void release(NetconfServer session) {
        if (locks.values().removeIf(session::equals)) {
            candidate = null;
        }
    }

    /** Returns when it is time to answer. */
    void takeTime() {
        answerTime.take();
    }

    synchronized long commits() {
        return commits;
    }

    boolean reachable() {
        return device.reachable();
    }

    synchronized void lock(String datastore, NetconfServer session) throws RpcError {
        // nobody would give it back: the session's locks are released already, or are about to be
        if (!sessions.contains(session)) {
            throw new RpcError("operation-failed", "the session has ended");
        }
        NetconfServer holder = locks.get(datastore);
        if (holder != null) {
            throw new RpcError("lock-denied", "the lock on " + datastore + " is held by another session");
        }
        locks.put(datastore, session);
    }

    synchronized void unlock(String datastore, NetconfServer session) throws RpcError {
        if (!locks.remove(datastore, session)) {
            throw new RpcError("operation-failed", datastore + " is not locked by this session");
        }
        candidate = null;
    }

    private void permitted(String datastore, NetconfServer session) throws RpcError {
        NetconfServer holder = locks.get(datastore);
        if (holder != null && holder != session) {
            throw new RpcError("in-use", datastore + " is locked by another session");
        }
    }

    Map<String, String> running() {
        if (spec.quirks().contains(Quirk.ECHO)) {
            synchronized (this) {
                return new TreeMap<>(echoed);
            }
        }
        return device.circuits();
    }

    /**
     * Port, status, receive power in dBm and attenuation in dB, which may be NaN, and the far end, which may be empty.
     */
    record PortRow(String port, String status, double powerDbm, double attenuationDb, String farEnd) {}

    List<PortRow> ports() {
        List<PortRow> rows = new ArrayList<>();
        for (ManagedSwitch.PortRow each : device.ports()) {
            rows.add(new PortRow(each.port(), status(each), each.powerDbm(), each.attenuationDb(), each.farEnd()));
        }
        return rows;
    }

    private String status(ManagedSwitch.PortRow port) {
        if (port.failed()) {
            return "FAILED";
        }
        return spec.quirks().contains(Quirk.NO_SHUTTERS) ? "UNSUPPORTED" : port.shut() ? "DISABLED" : "ENABLED";
    }

    void shutter(String port, boolean closes) throws RpcError {
        known(port);
        if (spec.quirks().contains(Quirk.NO_SHUTTERS)) {
            throw new RpcError("operation-not-supported", "port " + port + " has no shutter");
        }
        if (!spec.quirks().contains(Quirk.SHUTTER_LIES)) {
            device.shutter(port, closes);
        }
    }

    /** Below and above which a port has an alarm, and how far inside it ends, in dBm and dB. */
    record Limits(double lowDbm, double highDbm, double hysteresisDb) {}

    Limits limits() {
        return new Limits(Optics.LOW_POWER_DBM, Optics.HIGH_POWER_DBM, Optics.HYSTERESIS_DB);
    }

    String serial() {
        return device.serial();
    }

    String model() {
        return "E" + device.size();
    }

    String firmware() {
        return device.firmware();
    }

    /** One entry of an edit; {@code operation} as in RFC 6241. */
    record Edit(String operation, String ingress, String egress) {}

    synchronized void edit(String datastore, List<Edit> edits, NetconfServer session) throws RpcError {
        permitted(datastore, session);
        Map<String, String> before = datastore.equals("candidate") && candidate != null ? candidate : running();
        Map<String, String> after = new TreeMap<>(before);
        for (Edit each : edits) {
            try {
                change(after, each);
            } catch (RpcError wrong) {
                if (datastore.equals("candidate") && spec.quirks().contains(Quirk.COMMIT_AFTER_FAILED_EDIT)) {
                    candidate = after;
                }
                throw wrong;
            }
        }
        if (!datastore.equals("candidate")) {
            carryOut(after, session);
        } else if (!spec.quirks().contains(Quirk.FORGETS_CANDIDATE)) {
            candidate = after;
            moveByItself(after);
        }
    }

    /** As protection switching does, or somebody at another management interface. */
    private void moveByItself(Map<String, String> wanted) throws RpcError {
        if (!spec.quirks().contains(Quirk.MOVES_BY_ITSELF) || moved) {
            return;
        }
        List<String> free = new ArrayList<>();
        for (ManagedSwitch.PortRow row : device.ports()) {
            if (!wanted.containsKey(row.port()) && !wanted.containsValue(row.port())) {
                free.add(row.port());
            }
        }
        moved = true;
        Move own = new Move(free.get(free.size() - 2), free.getLast());
        var unused = move(List.of(), List.of(own));
        notifications.tell("<aps-notification xmlns=\"http://www.polatis.com/yang/optical-switch\">"
                + "<notification-details>service lab: port " + own.ingress() + " to port " + own.egress()
                + "</notification-details></aps-notification>");
    }

    private void change(Map<String, String> pairs, Edit edit) throws RpcError {
        known(edit.ingress());
        boolean there = pairs.containsKey(edit.ingress());
        switch (edit.operation()) {
            case "delete", "remove" -> {
                if (!there && edit.operation().equals("delete")) {
                    throw new RpcError("data-missing", "there is no cross-connect of " + edit.ingress());
                }
                pairs.remove(edit.ingress());
            }
            case "create", "merge", "replace", "" -> {
                known(edit.egress());
                if (there && edit.operation().equals("create")) {
                    throw new RpcError("data-exists", "there is a cross-connect of " + edit.ingress());
                }
                pairs.put(edit.ingress(), edit.egress());
            }
            default -> throw new RpcError("bad-attribute", "operation '" + edit.operation() + "'");
        }
    }

    private void known(String port) throws RpcError {
        if (!device.hasPort(port)) {
            throw new RpcError("invalid-value", "there is no port '" + port + "'");
        }
    }

    synchronized void commit(NetconfServer session) throws RpcError {
        permitted("running", session);
        permitted("candidate", session);
        Map<String, String> wanted = candidate;
        if (wanted != null) {
            carryOut(wanted, session);
            candidate = null;
        }
    }

    synchronized void discard(NetconfServer session) throws RpcError {
        permitted("candidate", session);
        candidate = null;
    }

    /** All or nothing: what was done before one move failed is undone. */
    private void carryOut(Map<String, String> wanted, NetconfServer session) throws RpcError {
        commits++;
        if (spec.quirks().contains(Quirk.ECHO)) {
            echoed.clear();
            echoed.putAll(wanted);
            return;
        }
        Map<String, String> before = running();
        BatchOutcome outcome = move(difference(before, wanted), difference(wanted, before));
        List<MoveOutcome> all = new ArrayList<>(outcome.disconnects());
        all.addAll(outcome.connects());
        for (MoveOutcome each : all) {
            if (each.state() == ConnectionState.FAILED) {
                Map<String, String> now = running();
                move(difference(now, before), difference(before, now));
                throw new RpcError(
                        "operation-failed",
                        each.move().ingress() + " to " + each.move().egress() + ": "
                                + (each.text().isEmpty() ? each.error().name() : each.text()));
            }
        }
        if (!all.isEmpty()) {
            activities.note(new ActivityLog.Activity(
                    spec.device(),
                    spec.user(),
                    session.address(),
                    "NETCONF",
                    all.size() + " changes of cross-connects"));
        }
    }

    private static List<Move> difference(Map<String, String> of, Map<String, String> without) {
        List<Move> moves = new ArrayList<>();
        of.forEach((ingress, egress) -> {
            if (!egress.equals(without.get(ingress))) {
                moves.add(new Move(ingress, egress));
            }
        });
        return moves;
    }

    private BatchOutcome move(List<Move> disconnects, List<Move> connects) throws RpcError {
        try {
            return device.move(disconnects, connects);
        } catch (IllegalStateException e) {
            throw new RpcError("operation-failed", String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        device.close();
    }
}
