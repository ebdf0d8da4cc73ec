package dev.lightpath.driver.tl1;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.tl1.Tl1Session.Command;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The connections of a Calient switch while moves are made. Those of the driver's own group that are not in service are
 * left over from a change that was cut: they are deleted where they are in the way. Those of others stay.
 */
final class Connections implements Standing {
    /** Group of what the driver enters. */
    static final String GROUP = "LIGHTPATH";

    private final TakenPorts taken = new TakenPorts(true);
    private final Map<CircuitPair, Connection> active = new TreeMap<>();
    private final List<Connection> leftOver = new ArrayList<>();
    private final Set<Connection> broken = new HashSet<>();

    Connections(List<Connection> all) {
        for (Connection each : all) {
            if (!each.active() && each.group().equals(GROUP)) {
                leftOver.add(each);
                continue;
            }
            for (CircuitPair way : each.ways()) {
                taken.take(way);
                if (each.active()) {
                    active.put(way, each);
                }
            }
        }
    }

    @Override
    public Step step(Move move, List<Move> beside) {
        return switch (move) {
            case Move.Break of -> breaking(of.pair(), beside);
            case Move.Make of -> making(of.pair());
        };
    }

    private Step breaking(CircuitPair pair, List<Move> beside) {
        Connection there = active.get(pair);
        if (there == null || broken.contains(there)) {
            return new Step.Settled(new MoveAnswer.Accepted());
        }
        Set<CircuitPair> asked = new TreeSet<>();
        beside.forEach(move -> asked.add(move.pair()));
        if (!asked.containsAll(there.ways())) {
            return new Step.Settled(new MoveAnswer.Refused(
                    ItemReason.ITEM_REASON_DEVICE_REFUSED,
                    "RTRV-CRS shows connection " + there.name() + " of group " + there.group()
                            + ", which goes both ways: break " + there.ways() + " in one request"));
        }
        broken.add(there);
        return new Step.Ask(List.of(there.cancel(), there.delete()));
    }

    private Step making(CircuitPair pair) {
        if (active.containsKey(pair)) {
            return new Step.Settled(new MoveAnswer.Accepted());
        }
        Optional<CircuitPair> there = taken.inTheWay(pair);
        if (there.isPresent()) {
            return new Step.Settled(new MoveAnswer.Refused(
                    ItemReason.ITEM_REASON_PORT_IN_USE,
                    "RTRV-CRS shows connection " + there.get() + " on a port of " + pair));
        }
        List<Command> commands = new ArrayList<>();
        for (Connection each : leftOver) {
            if (each.ways().stream().anyMatch(way -> meets(way, pair))) {
                commands.add(each.delete());
            }
        }
        String ends = pair.ingress() + "," + pair.egress();
        commands.add(new Command("ENT-CRS", ends, ":" + GROUP + ",1WAY"));
        commands.add(new Command("ACT-CRS", ends, ":" + pair.ingress() + ">" + pair.egress() + "," + GROUP));
        return new Step.Ask(commands);
    }

    private static boolean meets(CircuitPair one, CircuitPair other) {
        return one.ingress().equals(other.ingress()) || one.egress().equals(other.egress());
    }

    @Override
    public void made(Move move) {
        switch (move) {
            case Move.Break of -> {
                Connection gone = active.remove(of.pair());
                if (gone != null) {
                    gone.ways().forEach(way -> {
                        active.remove(way);
                        taken.free(way);
                    });
                }
            }
            case Move.Make of -> taken.take(of.pair());
        }
    }
}
