package dev.lightpath.planner.health;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A circuit that lost light, of which the loss through the device is all that is measured: its ingress may be dirty or
 * its egress. The next circuit of that ingress tells. If it loses as much, the loss has come along with the ingress. If
 * not, the ingress is suspected no more. What lies between tells nothing, and both stay in question. An egress that
 * loses light with another ingress too is to blame itself for what it lost before.
 *
 * @param egress where the loss was measured
 * @param baselineDb level of that circuit before it got worse
 * @param promisedDb what the factory measured of it
 * @param lostDb how much it lost
 * @param proved whether a loss came along with the ingress
 */
record Suspicion(String egress, double baselineDb, OptionalDouble promisedDb, double lostDb, boolean proved) {
    /** Less may be that circuits are not alike. */
    private static final double LEAST_DB = 0.5;

    /**
     * What is suspected of the ingress ports of one device.
     *
     * @param before by ingress port, until now
     * @param ports of the device, by name
     * @param worse those whose light gets worse, by name of the port
     */
    static SortedMap<String, Suspicion> after(
            SortedMap<String, Suspicion> before, Map<String, PortHistory> ports, Map<String, Finding> worse) {
        SortedMap<String, Suspicion> after = new TreeMap<>(before);
        ports.forEach((egress, port) -> port.last()
                .ifPresent(reading -> reading.ingress().ifPresent(ingress -> {
                    Finding finding = worse.get(egress);
                    Suspicion known = after.get(ingress);
                    if (finding != null && finding.why() != Finding.Why.BIT_ERRORS) {
                        // what came along with an ingress says nothing more of it
                        if (known == null || known.egress().equals(egress)) {
                            after.entrySet()
                                    .removeIf(each -> !each.getKey().equals(ingress)
                                            && each.getValue().isOf(egress, port.riseDb(), reading));
                            after.put(
                                    ingress,
                                    new Suspicion(
                                            egress,
                                            port.baseline().levelDb(),
                                            reading.promisedDb(),
                                            port.riseDb(),
                                            false));
                        }
                    } else if (known != null && known.egress().equals(egress)) {
                        after.remove(ingress);
                    }
                })));
        after.entrySet()
                .removeIf(each -> each.getValue()
                        .other(each.getKey(), ports)
                        .filter(each.getValue()::stayedBehind)
                        .isPresent());
        after.replaceAll((ingress, suspicion) -> suspicion
                .other(ingress, ports)
                .filter(other -> suspicion.cameAlong(other).isPresent())
                .map(other -> suspicion.thatIsProved())
                .orElse(suspicion));
        return after;
    }

    private Suspicion thatIsProved() {
        return new Suspicion(egress, baselineDb, promisedDb, lostDb, true);
    }

    /** Whether the egress loses about as much with another ingress, so that its own was not to blame. */
    private boolean isOf(String losing, double lostNowDb, Reading reading) {
        return !proved && egress.equals(losing) && lostNowDb >= lostDb * certain(reading);
    }

    /** How much of the loss has come along to another circuit of the ingress; empty where that is not certain. */
    OptionalDouble cameAlong(Reading other) {
        double along = along(other);
        return along >= Math.max(LEAST_DB, lostDb * certain(other)) ? OptionalDouble.of(along) : OptionalDouble.empty();
    }

    /** Whether the loss has certainly not come along. */
    private boolean stayedBehind(Reading other) {
        return along(other) < Math.max(LEAST_DB, lostDb * (1 - certain(other)));
    }

    private double along(Reading other) {
        double promises = isPromised(other) ? other.promisedDb().getAsDouble() - promisedDb.orElseThrow() : 0;
        return baselineDb + promises - other.levelDb();
    }

    /** Which part of the loss has to come along. Without a factory table circuits may be unlike by themselves. */
    private double certain(Reading other) {
        return isPromised(other) ? 0.5 : 0.75;
    }

    private boolean isPromised(Reading other) {
        return promisedDb.isPresent() && other.promisedDb().isPresent();
    }

    /** What is measured of another circuit of an ingress. */
    Optional<Reading> other(String ingress, Map<String, PortHistory> ports) {
        return ports.entrySet().stream()
                .filter(port -> !port.getKey().equals(egress))
                .flatMap(port -> port.getValue().last().stream())
                .filter(reading -> reading.ingress().filter(ingress::equals).isPresent())
                .findFirst();
    }
}
