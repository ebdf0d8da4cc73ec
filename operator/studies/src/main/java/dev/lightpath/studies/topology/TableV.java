package dev.lightpath.studies.topology;

import dev.lightpath.planner.graph.Graph;
import dev.lightpath.planner.polarfly.ComparedTopologies;
import dev.lightpath.planner.polarfly.PolarFly;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/** The networks of PolarFly's Table V with the sizes it prints. */
final class TableV {
    private static final Map<String, int[]> PRINTED = Map.of(
            "PolarFly", new int[] {993, 32},
            "Slim Fly", new int[] {1058, 35},
            "Dragonfly DF1", new int[] {876, 17},
            "Dragonfly DF2", new int[] {978, 32},
            "Jellyfish", new int[] {993, 32},
            "fat tree", new int[] {972, 36});

    private TableV() {}

    static Map<String, Graph> networks(long seed) {
        Map<String, Graph> networks = new LinkedHashMap<>();
        networks.put("PolarFly", new PolarFly(31).graph());
        networks.put("Slim Fly", ComparedTopologies.slimFly(23));
        networks.put("Dragonfly DF1", ComparedTopologies.dragonfly(12, 6));
        networks.put("Dragonfly DF2", ComparedTopologies.dragonfly(6, 27));
        networks.put("Jellyfish", ComparedTopologies.jellyfish(993, 32, seed));
        networks.put("fat tree", ComparedTopologies.fatTree(18, 3));
        return networks;
    }

    /** Endpoints per router; the paper names none for Jellyfish, which gets PolarFly's. */
    static OptionalInt injection(String network) {
        return switch (network) {
            case "PolarFly", "Jellyfish" -> OptionalInt.of(16);
            case "Slim Fly" -> OptionalInt.of(18);
            case "Dragonfly DF1" -> OptionalInt.of(6);
            case "Dragonfly DF2" -> OptionalInt.of(10);
            default -> OptionalInt.empty();
        };
    }

    static Object routers(String network) {
        int[] printed = PRINTED.get(network);
        return printed == null ? "" : printed[0];
    }

    static Object radix(String network) {
        int[] printed = PRINTED.get(network);
        return printed == null ? "" : printed[1];
    }
}
