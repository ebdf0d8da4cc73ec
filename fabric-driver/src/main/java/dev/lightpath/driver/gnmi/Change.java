package dev.lightpath.driver.gnmi;

import com.github.gnmi.proto.SetRequest;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Moves as one Set, on a device that has certain cross-connects. A Set deletes before it makes. A device may let a new
 * cross-connect take the place of one that is there: so a port in use is refused here.
 */
final class Change {
    private final Dialect dialect;
    private final SetRequest.Builder request = SetRequest.newBuilder();
    private final Map<String, OcsTables.Entry> byPort = new TreeMap<>();
    private final Map<String, CircuitPair> byId = new TreeMap<>();
    private final List<MoveAnswer> answers = new ArrayList<>();

    /** @param there what the device has now */
    Change(Dialect dialect, List<OcsTables.Entry> there) {
        this.dialect = dialect;
        there.forEach(this::hold);
    }

    private void hold(OcsTables.Entry entry) {
        byId.put(entry.id(), entry.pair());
        byPort.put(entry.pair().ingress(), entry);
        byPort.put(entry.pair().egress(), entry);
    }

    void add(Move move) {
        answers.add(
                switch (move) {
                    case Move.Break(var pair) -> breakUp(pair);
                    case Move.Make(var pair) -> make(pair);
                });
    }

    private MoveAnswer breakUp(CircuitPair pair) {
        List<String> ids = byId.entrySet().stream()
                .filter(each -> each.getValue().equals(pair))
                .map(Map.Entry::getKey)
                .toList();
        for (String id : ids) {
            request.addDelete(dialect.circuit(id));
            byId.remove(id);
        }
        byPort.values().removeIf(each -> each.pair().equals(pair));
        return new MoveAnswer.Accepted();
    }

    private MoveAnswer make(CircuitPair pair) {
        if (byId.containsValue(pair)) {
            return new MoveAnswer.Accepted();
        }
        for (String port : List.of(pair.ingress(), pair.egress())) {
            OcsTables.Entry there = byPort.get(port);
            if (there != null) {
                return new MoveAnswer.Refused(
                        ItemReason.ITEM_REASON_PORT_IN_USE,
                        "OCS_CROSS_CONNECT shows " + there.pair() + " on port " + port);
            }
        }
        String id = pair.ingress() + "-" + pair.egress();
        CircuitPair other = byId.get(id);
        if (other != null) {
            return new MoveAnswer.Refused(
                    ItemReason.ITEM_REASON_DEVICE_REFUSED, "the cross-connect with the name " + id + " is " + other);
        }
        request.addUpdate(dialect.connect(id, pair));
        hold(new OcsTables.Entry(id, pair, CircuitState.CIRCUIT_STATE_TUNING));
        return new MoveAnswer.Accepted();
    }

    /** One for each move, if the device takes the request. */
    List<MoveAnswer> answers() {
        return List.copyOf(answers);
    }

    /** Nothing is to be asked of the device. */
    boolean isEmpty() {
        return request.getDeleteCount() == 0 && request.getUpdateCount() == 0;
    }

    SetRequest request() {
        return request.build();
    }
}
