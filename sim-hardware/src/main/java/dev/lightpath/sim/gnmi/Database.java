package dev.lightpath.sim.gnmi;

import dev.lightpath.sim.core.move.BatchOutcome;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.move.Move;
import dev.lightpath.sim.core.move.MoveOutcome;
import dev.lightpath.sim.managed.ManagedSwitch;
import dev.lightpath.sim.scenario.GnmiSpec;
import dev.lightpath.sim.scenario.GnmiSpec.Quirk;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the switch was told, and what it does about it, by the names of its ports. */
final class Database {
    private final GnmiSpec spec;
    private final ManagedSwitch device;
    private final Names names;
    private final Map<String, Map<String, String>> settings = new TreeMap<>();
    /** Taken and not settled at the last look, and those that failed then. */
    private final Map<Move, ConnectionState> pending = new LinkedHashMap<>();

    /** What a device that lies has taken. */
    private final Map<String, Move> promised = new TreeMap<>();

    Database(GnmiSpec spec, ManagedSwitch device) {
        this.spec = spec;
        this.device = device;
        this.names = new Names(device.ingressPorts());
    }

    /** A cross-connect, by the names of the emulation. */
    record Circuit(Move move, ConnectionState state) {}

    Names names() {
        return names;
    }

    boolean has(Quirk quirk) {
        return spec.quirks().contains(quirk);
    }

    /** By its name in the device. */
    synchronized Map<String, Circuit> circuits() {
        Map<String, Circuit> all = new LinkedHashMap<>();
        for (Map.Entry<Move, ConnectionState> each : device.connections().entrySet()) {
            all.put(id(each.getKey()), new Circuit(each.getKey(), each.getValue()));
        }
        pending.forEach((move, state) -> {
            if (state == ConnectionState.FAILED) {
                all.putIfAbsent(id(move), new Circuit(move, state));
            }
        });
        promised.forEach((id, move) -> all.putIfAbsent(
                id, new Circuit(move, has(Quirk.ECHO) ? ConnectionState.TUNED : ConnectionState.TUNING)));
        return all;
    }

    private String id(Move move) {
        return names.outside(move.ingress()) + "-" + names.outside(move.egress());
    }

    /** Leaves that were set for a port: {@code state}, {@code label}. */
    synchronized Map<String, String> settings(String port) {
        return Map.copyOf(settings.getOrDefault(port, Map.of()));
    }

    /** One that was tuning and is gone has failed. */
    synchronized void look() {
        Map<Move, ConnectionState> now = device.connections();
        pending.replaceAll((move, state) -> {
            ConnectionState is = now.get(move);
            return is != null ? is : state == ConnectionState.TUNING ? ConnectionState.FAILED : state;
        });
        pending.values().removeIf(state -> state == ConnectionState.TUNED);
    }

    /** All that was under way is unknown. */
    synchronized void restart() {
        pending.clear();
    }

    /** Takes all of a Set, or nothing. Its circuits are not made yet then, unless nobody could see when they are. */
    synchronized void set(Wanted wanted) throws Refused {
        for (Map<String, String> row : wanted.ports()) {
            String port = row.getOrDefault("simplex_port_id", "");
            String state = row.getOrDefault("state", "normal");
            if (names.inside(port) == null) {
                throw new Refused(Status.INVALID_ARGUMENT, "there is no port '" + port + "'");
            }
            if (!state.equals("normal") && !state.equals("force_blocked")) {
                throw new Refused(Status.INVALID_ARGUMENT, "state '" + state + "' is none");
            }
        }
        Map<String, Circuit> there = circuits();
        List<Move> breaks = new ArrayList<>();
        for (String id : wanted.deletes()) {
            Circuit gone = there.remove(id);
            if (gone != null) {
                breaks.add(gone.move());
            }
        }
        List<Move> makes = new ArrayList<>();
        for (Map<String, String> row : wanted.connects()) {
            Move move = move(row);
            Circuit same = there.get(id(move));
            if (same != null && same.state() != ConnectionState.FAILED) {
                continue;
            }
            breaks.addAll(inTheWay(move, there));
            makes.add(move);
            there.put(id(move), new Circuit(move, ConnectionState.TUNING));
        }
        carryOut(breaks, makes);
        for (Map<String, String> row : wanted.ports()) {
            String port = row.getOrDefault("simplex_port_id", "");
            settings.computeIfAbsent(port, unused -> new TreeMap<>()).putAll(row);
            String inside = names.inside(port);
            if (inside != null && row.containsKey("state")) {
                device.shutter(inside, "force_blocked".equals(row.get("state")));
            }
        }
    }

    private Move move(Map<String, String> row) throws Refused {
        String ingress = names.inside(row.getOrDefault("a_side", ""));
        String egress = names.inside(row.getOrDefault("b_side", ""));
        if (ingress == null
                || egress == null
                || !row.getOrDefault("a_side", "").endsWith("A")
                || !row.getOrDefault("b_side", "").endsWith("B")) {
            throw new Refused(
                    Status.INVALID_ARGUMENT,
                    "a cross-connect needs a port of each side, not '" + row.get("a_side") + "' and '"
                            + row.get("b_side") + "'");
        }
        Move move = new Move(ingress, egress);
        if (!id(move).equals(row.get("cross_connect_id"))) {
            throw new Refused(Status.INVALID_ARGUMENT, "a cross-connect of these ports is called " + id(move));
        }
        return move;
    }

    private List<Move> inTheWay(Move wanted, Map<String, Circuit> there) throws Refused {
        List<Move> inTheWay = new ArrayList<>();
        for (Circuit each : List.copyOf(there.values())) {
            Move other = each.move();
            if (other.ingress().equals(wanted.ingress()) || other.egress().equals(wanted.egress())) {
                if (!has(Quirk.REPLACES)) {
                    throw new Refused(
                            Status.FAILED_PRECONDITION, "a port of " + id(wanted) + " is part of " + id(other));
                }
                inTheWay.add(other);
                there.remove(id(other));
            }
        }
        return inTheWay;
    }

    private void carryOut(List<Move> breaks, List<Move> makes) throws Refused {
        if (has(Quirk.ECHO) || has(Quirk.NEVER_TUNES)) {
            breaks.forEach(move -> promised.remove(id(move)));
            makes.forEach(move -> promised.put(id(move), move));
            return;
        }
        breaks.forEach(pending::remove);
        Map<Move, ConnectionState> before = device.connections();
        List<Move> real = breaks.stream().filter(before::containsKey).toList();
        boolean half = makes.size() > 1 && (has(Quirk.ACCEPTS_HALF) || has(Quirk.REFUSES_HALF));
        List<Move> made = half ? makes.subList(0, makes.size() / 2) : makes;
        BatchOutcome outcome = take(real, made);
        List<MoveOutcome> all = new ArrayList<>(outcome.disconnects());
        all.addAll(outcome.connects());
        for (MoveOutcome each : all) {
            if (each.state() == ConnectionState.FAILED) {
                undo(before.keySet());
                throw new Refused(
                        Status.ABORTED,
                        id(each.move()) + ": "
                                + (each.text().isEmpty() ? each.error().name() : each.text()));
            }
        }
        Map<Move, ConnectionState> after = device.connections();
        for (Move move : made) {
            // one that shows as made at once never tunes: it would be taken for a failed one if it went before a look
            if (after.get(move) != ConnectionState.TUNED) {
                pending.put(move, ConnectionState.TUNING);
            }
        }
        if (half && has(Quirk.REFUSES_HALF)) {
            throw new Refused(Status.ABORTED, "nothing was done");
        }
    }

    private void undo(Set<Move> before) throws Refused {
        List<Move> now = List.copyOf(device.connections().keySet());
        take(
                now.stream().filter(move -> !before.contains(move)).toList(),
                before.stream().filter(move -> !now.contains(move)).toList());
    }

    private BatchOutcome take(List<Move> breaks, List<Move> makes) throws Refused {
        try {
            return has(Quirk.NO_STATES) ? device.move(breaks, makes) : device.take(breaks, makes);
        } catch (IllegalStateException e) {
            throw new Refused(Status.UNAVAILABLE, String.valueOf(e.getMessage()));
        }
    }
}
