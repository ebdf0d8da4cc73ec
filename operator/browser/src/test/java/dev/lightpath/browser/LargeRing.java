package dev.lightpath.browser;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The document of a ring that no environment here can hold: eight jobs in groups of four nodes, and some faulty nodes.
 */
final class LargeRing {
    private static final int GROUP = 4;

    private LargeRing() {}

    /** @param reach even */
    static String document(int positions, int reach) {
        ObjectNode ring = new ObjectMapper().createObjectNode();
        ring.put("fabric", "large")
                .put("shape", "Ring")
                .put("positions", positions)
                .put("reach", reach)
                .put("gpusPerNode", reach)
                .put("paused", false)
                .put("readBack", "2026-11-21T08:00:00Z");
        ring.putArray("conditions");
        ring.putArray("faults");
        ring.putArray("foreign");
        ArrayNode hops = ring.putArray("hops");
        for (int bundle = 0; bundle < reach; bundle++) {
            int distance = 2 * (bundle % (reach / 2)) + 1;
            int side = bundle < reach / 2 ? -1 : 1;
            hops.addArray().add(side * distance).add(side * (distance + 1));
        }
        ArrayNode tenants = ring.putArray("tenants");
        for (int job = 0; job < 8; job++) {
            tenants.addObject().put("namespace", "team").put("slice", "s").put("job", "job-" + job);
        }
        ArrayNode seats = ring.putArray("seats");
        for (int position = 0; position < positions; position++) {
            ObjectNode seat = seats.addObject().put("position", position).put("node", "node-" + position);
            int group = position / GROUP;
            int rank = position % GROUP;
            if (group % 9 != 8) {
                StringBuilder wanted = new StringBuilder("L".repeat(reach));
                if (rank > 0) {
                    wanted.setCharAt(0, '1');
                }
                if (rank < GROUP - 1) {
                    wanted.setCharAt(reach / 2, '1');
                }
                seat.put("tenant", group / 300 % 8)
                        .put("group", group % 300)
                        .put("rank", rank)
                        .put("wanted", wanted.toString());
            }
            if (position % 97 == 5) {
                seat.put("fault", "NotReady");
            }
        }
        return ring.toString();
    }
}
