package dev.lightpath.sim.openflow;

import dev.lightpath.sim.core.move.BatchOutcome;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.move.Move;
import dev.lightpath.sim.core.move.MoveOutcome;
import dev.lightpath.sim.managed.ManagedSwitch;
import dev.lightpath.sim.scenario.OpenFlowSpec;
import dev.lightpath.sim.scenario.OpenFlowSpec.Quirk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The circuits of a switch as flows. A circuit that the hardware has and nobody wrote is a flow without a cookie. */
final class FlowTable {
    private static final int ADD = 0;
    private static final int DELETE_STRICT = 4;
    private static final int OXM_IN_PORT = 0x8000_0004;
    private static final int USUAL_PRIORITY = 1000;
    private static final int MATCH = 16;
    private static final int INSTRUCTIONS = 24;
    private static final int ENTRY = 48 + MATCH + INSTRUCTIONS;

    /** What was written of a circuit. */
    private record Written(long cookie, int priority) {}

    /** A change that was understood. */
    record Change(boolean made, Move move, long cookie, int priority) {}

    private final OpenFlowSpec spec;
    private final ManagedSwitch device;
    private final int side;
    private final Map<String, Written> written = new TreeMap<>();

    private long asked;

    FlowTable(OpenFlowSpec spec, ManagedSwitch device) {
        this.spec = spec;
        this.device = device;
        this.side = device.ingressPorts();
    }

    /** Bundles and single messages that were to change it. */
    synchronized long asked() {
        return asked;
    }

    /** The body of a FLOW_MOD (OpenFlow 1.4, 7.3.4). */
    Change understood(ByteBuffer in) throws Refusal {
        if (in.remaining() < 40 + MATCH) {
            throw Refusal.badLength();
        }
        long cookie = in.getLong(0);
        int command = in.get(17);
        int priority = Short.toUnsignedInt(in.getShort(22));
        if (in.getShort(40) != 1 || in.getShort(42) != 12 || in.getInt(44) != OXM_IN_PORT) {
            throw Refusal.badMatch();
        }
        int from = in.getInt(48);
        if (from < 1 || from > side) {
            throw Refusal.badMatch();
        }
        return switch (command) {
            case ADD -> new Change(true, new Move("" + from, "" + output(in)), cookie, priority);
            case DELETE_STRICT -> new Change(false, new Move("" + from, ""), cookie, priority);
            default -> throw Refusal.badType();
        };
    }

    private int output(ByteBuffer in) throws Refusal {
        int at = 40 + MATCH;
        if (in.limit() != at + INSTRUCTIONS || in.getShort(at) != 4 || in.getShort(at + 8) != 0) {
            throw Refusal.badAction();
        }
        int to = in.getInt(at + 12);
        if (to <= side || !device.hasPort(Integer.toString(to))) {
            throw Refusal.badAction();
        }
        return to;
    }

    /** Does all of it, or nothing. A flow that is to be deleted and is not there is no mistake. */
    synchronized void carryOut(List<Change> changes) throws Refusal {
        asked++;
        Map<String, String> there = device.circuits();
        List<Move> breaks = new ArrayList<>();
        List<Change> makes = new ArrayList<>();
        for (Change change : changes) {
            String from = change.move().ingress();
            if (change.made()) {
                String to = change.move().egress();
                if (there.containsKey(from) || there.containsValue(to)) {
                    throw Refusal.overlap();
                }
                there.put(from, to);
                makes.add(change);
            } else {
                String to = there.remove(from);
                if (to != null) {
                    breaks.add(new Move(from, to));
                }
            }
        }
        boolean half = spec.quirks().contains(Quirk.ACCEPTS_HALF) && makes.size() > 1;
        List<Change> done = half ? makes.subList(0, makes.size() / 2) : makes;
        List<Move> connects = done.stream().map(Change::move).toList();
        if (fails(breaks, connects)) {
            Map<String, String> now = device.circuits();
            var unused = fails(
                    connects.stream()
                            .filter(each -> each.egress().equals(now.get(each.ingress())))
                            .toList(),
                    breaks.stream()
                            .filter(each -> !now.containsKey(each.ingress()))
                            .toList());
            throw Refusal.flowModFailed();
        }
        breaks.forEach(each -> written.remove(each.ingress()));
        done.forEach(each -> written.put(each.move().ingress(), new Written(each.cookie(), each.priority())));
    }

    private boolean fails(List<Move> breaks, List<Move> connects) throws Refusal {
        if (breaks.isEmpty() && connects.isEmpty()) {
            return false;
        }
        try {
            BatchOutcome outcome = device.move(breaks, connects);
            List<MoveOutcome> all = new ArrayList<>(outcome.disconnects());
            all.addAll(outcome.connects());
            return all.stream().anyMatch(each -> each.state() == ConnectionState.FAILED);
        } catch (IllegalStateException silent) {
            throw Refusal.flowModFailed();
        }
    }

    /** All flows, as answers about them have them (OpenFlow 1.4, 7.3.5.2). */
    synchronized List<byte[]> entries() {
        List<byte[]> all = new ArrayList<>();
        device.circuits().forEach((from, to) -> {
            Written known = written.getOrDefault(from, new Written(0, USUAL_PRIORITY));
            all.add(ByteBuffer.allocate(ENTRY)
                    .putShort((short) ENTRY)
                    // table, padding, age, priority
                    .putShort((short) 0)
                    .putLong(0)
                    .putShort((short) known.priority())
                    // time-outs, flags, importance
                    .putLong(0)
                    .putShort((short) 0)
                    .putLong(known.cookie())
                    // counters
                    .putLong(0)
                    .putLong(0)
                    .putShort((short) 1)
                    .putShort((short) 12)
                    .putInt(OXM_IN_PORT)
                    .putInt(Integer.parseInt(from))
                    .putInt(0)
                    .putShort((short) 4)
                    .putShort((short) INSTRUCTIONS)
                    .putInt(0)
                    .putShort((short) 0)
                    .putShort((short) 16)
                    .putInt(Integer.parseInt(to))
                    .putLong(0)
                    .array());
        });
        return all;
    }
}
