package dev.lightpath.planner.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OpticalHealthTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final HealthPolicy POLICY = new HealthPolicy(HealthPolicy.Mode.TAKE_OUT, 2.0, 0.1, 1e-4);

    /** Eight ports of one switch, and time. */
    private static final class Bench {
        private OpticalHealth health = OpticalHealth.NONE;
        private Instant now = START;
        private final double[] dbm = {1, 0.8, 0.9, 1.1, 1.2, 1, 0.9, 1.05};
        private final double[] errors = new double[dbm.length];
        private String path = "";
        private boolean counts;
        private OptionalDouble promisedOfPort3 = OptionalDouble.empty();

        private Bench() {
            look();
            pass(Duration.ofMinutes(1));
        }

        private void look() {
            SortedMap<String, Reading> readings = new TreeMap<>();
            for (int port = 0; port < dbm.length; port++) {
                if (!Double.isNaN(dbm[port])) {
                    readings.put(
                            "p" + port,
                            new Reading(
                                    port == 3 ? path : "",
                                    dbm[port],
                                    counts ? OptionalDouble.of(errors[port]) : OptionalDouble.empty(),
                                    port == 3 ? promisedOfPort3 : OptionalDouble.empty()));
                }
            }
            Watched told = new Watched(new Object(), "switch", () -> readings, port -> true, port -> Optional.empty());
            health = health.after(now, new Object(), () -> Map.of("ocs", told), POLICY);
        }

        private void pass(Duration time) {
            now = now.plus(time);
            look();
        }

        private String told() {
            return health.findings().values().stream()
                    .map(finding -> finding.place() + " " + finding.measured())
                    .reduce((one, other) -> one + "; " + other)
                    .orElse("");
        }
    }

    @Test
    void aPortThatLosesMoreThanAtFirstDegradesAndIsWellOnceHalfOfItIsGone() {
        Bench bench = new Bench();
        bench.dbm[3] -= 1.9;
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.told()).isEmpty();
        bench.dbm[3] -= 0.3;
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.told()).isEqualTo("ocs/p3 loses 2.2 dB more than at first (median of its peers: 0.0 dB)");
        bench.dbm[3] += 1;
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.told()).isNotEmpty();
        bench.dbm[3] += 0.3;
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.told()).isEmpty();
    }

    @Test
    void aFindingKeepsItsBeginningAndIsToldAnewOnceItHasChangedByAQuarter() {
        Bench bench = new Bench();
        bench.dbm[3] -= 2.2;
        bench.pass(Duration.ofSeconds(1));
        Instant began = bench.now;
        bench.dbm[3] -= 0.4;
        bench.pass(Duration.ofMinutes(5));
        assertThat(bench.told()).contains("loses 2.2 dB");
        bench.dbm[3] -= 0.4;
        bench.pass(Duration.ofMinutes(5));
        assertThat(bench.told()).contains("loses 3.0 dB");
        assertThat(bench.health.findings().values())
                .allMatch(finding -> finding.since().equals(began));
        Duration by = Duration.ofHours(-5);
        assertThat(bench.health.moved(by).findings().values())
                .allMatch(finding -> finding.since().equals(began.plus(by)));
    }

    /** Far ends of four pods, whose light passes some switches, and time. */
    private static final class Plant {
        private OpticalHealth health = OpticalHealth.NONE;
        private Instant now = START;
        private final int switches;
        private final double[][] lostDb;
        /** Those of the first three ports of each switch: no other counts any. */
        private OptionalDouble errors = OptionalDouble.empty();
        /** Whether switches measure their own ports too. */
        private boolean measuring;

        /** Of each port of a switch; empty where its ports count none. */
        private final Map<Integer, Double> errorsOf = new TreeMap<>();

        private Plant(int switches, int ports) {
            this.switches = switches;
            this.lostDb = new double[switches][ports];
            look();
            look();
        }

        private void look() {
            now = now.plusSeconds(20);
            Map<String, Watched> told = new TreeMap<>();
            for (int pod = 0; pod < 4; pod++) {
                SortedMap<String, Reading> readings = new TreeMap<>();
                for (int of = 0; of < switches; of++) {
                    for (int port = pod; port < lostDb[of].length; port += 4) {
                        readings.put("s" + of + "-" + port, new Reading("", -2 - lostDb[of][port], errors(of, port)));
                    }
                }
                told.put(
                        "pod-" + pod,
                        new Watched(
                                new Object(),
                                "far ends",
                                () -> readings,
                                port -> true,
                                port -> Optional.of(port.substring(0, 2))));
            }
            for (int of = 0; measuring && of < switches; of++) {
                String name = "s" + of;
                SortedMap<String, Reading> readings = new TreeMap<>();
                for (int port = 0; port < lostDb[of].length; port++) {
                    readings.put("" + port, new Reading("", -2 - lostDb[of][port], OptionalDouble.empty()));
                }
                told.put(
                        name, new Watched(new Object(), name, () -> readings, port -> true, port -> Optional.of(name)));
            }
            health = health.after(now, new Object(), () -> told, POLICY);
        }

        private OptionalDouble errors(int of, int port) {
            Double all = errorsOf.get(of);
            return all != null ? OptionalDouble.of(all) : port < 3 ? errors : OptionalDouble.empty();
        }

        private void ages(int of, double db) {
            Arrays.fill(lostDb[of], db);
            look();
        }

        private List<String> told() {
            return health.findings().values().stream()
                    .map(finding -> finding.place() + " " + finding.measured())
                    .toList();
        }
    }

    @Test
    void aSwitchThatAgesIsOneFindingAndBlamesNoneOfItsPorts() {
        Plant plant = new Plant(4, 8);
        plant.ages(2, 1.9);
        assertThat(plant.told()).isEmpty();
        plant.ages(2, 2.2);
        assertThat(plant.told())
                .containsExactly(
                        "s2 half of its ports lose 2.2 dB or more than they should (median of all switches: 0.0 dB)");
        plant.ages(2, 1.1);
        assertThat(plant.told()).as("half of the limit is not undercut").hasSize(1);
        plant.ages(2, 0.9);
        assertThat(plant.told()).isEmpty();
    }

    @Test
    void aPortThatIsWorseThanTheRestOfItsAgeingSwitchIsAFindingBesideIt() {
        Plant plant = new Plant(4, 8);
        plant.ages(2, 2.5);
        plant.lostDb[2][5] = 5;
        plant.look();
        assertThat(plant.told())
                .containsExactly(
                        "pod-1/s2-5 loses 5.0 dB more than at first (median of its peers: 2.5 dB)",
                        "s2 half of its ports lose 2.5 dB or more than they should (median of all switches: 0.0 dB)");
    }

    @Test
    void aSwitchWhosePortsCountManyBitErrorsIsOneFinding() {
        Plant plant = new Plant(4, 8);
        for (int of = 0; of < 4; of++) {
            plant.errorsOf.put(of, 1e-12);
        }
        plant.look();
        plant.errorsOf.put(2, 1e-3);
        plant.look();
        assertThat(plant.told())
                .containsExactly(
                        "s2 half of its ports have a bit error ratio of 1.0e-03 or more (median of all switches: 1.0e-12)");
        plant.errorsOf.replaceAll((of, errors) -> 1e-3);
        plant.look();
        assertThat(plant.told()).as("a hot day").isEmpty();
    }

    @Test
    void aSwitchThatAgesSlowlyIsToldLongBeforeItsLossExceedsTheLimit() {
        Plant plant = new Plant(4, 8);
        for (int day = 1; day <= 3; day++) {
            plant.now = plant.now.plus(Duration.ofDays(1));
            plant.ages(2, 0.3 * day);
        }
        assertThat(plant.told())
                .containsExactly(
                        "s2 half of its ports lose 0.20 dB or more each day (median of all switches: 0.00 dB)");
    }

    /** Neither the switch nor the distance of its port to it exceeds the limit: what the port lost does. */
    @Test
    void aPortThatFailsWhileItsSwitchBeginsToAgeIsAFinding() {
        Plant plant = new Plant(4, 8);
        plant.ages(2, 1.5);
        plant.lostDb[2][5] = 3.4;
        plant.look();
        assertThat(plant.told())
                .containsExactly("pod-1/s2-5 loses 3.4 dB more than at first (median of its peers: 1.5 dB)");
    }

    @Test
    void aHotDayBlamesNoSwitch() {
        Plant plant = new Plant(4, 8);
        for (int of = 0; of < 4; of++) {
            plant.ages(of, 3);
        }
        assertThat(plant.told()).isEmpty();
    }

    @Test
    void fewSwitchesAreEachJudgedAlone() {
        Plant plant = new Plant(2, 8);
        plant.ages(1, 2.5);
        assertThat(plant.told())
                .containsExactly(
                        "s1 half of its ports lose 2.5 dB or more than they should (too few switches to compare with)");
    }

    /** Its own ports and far ends behind it are apart, and still of one switch. */
    @Test
    void switchesThatMeasureTheirOwnPortsAreCountedOnce() {
        Plant plant = new Plant(2, 8);
        plant.measuring = true;
        plant.look();
        plant.ages(1, 2.5);
        assertThat(plant.told())
                .containsExactly(
                        "s1 half of its ports lose 2.5 dB or more than they should (too few switches to compare with)");
    }

    /** Where all count many errors, none is to blame, though too few of one switch count any. */
    @Test
    void whatFewFarEndsOfASwitchCountIsComparedWithAllOthers() {
        Plant plant = new Plant(4, 8);
        plant.errors = OptionalDouble.of(1e-3);
        plant.look();
        assertThat(plant.told()).isEmpty();
    }

    @Test
    void fewFarEndsOfASwitchAreComparedWithAllOthers() {
        Plant plant = new Plant(4, 3);
        plant.lostDb[2][1] = 2.5;
        plant.look();
        assertThat(plant.told())
                .containsExactly("pod-1/s2-1 loses 2.5 dB more than at first (median of its peers: 0.0 dB)");
    }

    @Test
    void aLaunchThatGetsWeakForAllBlamesNoPort() {
        Bench bench = new Bench();
        for (int port = 0; port < bench.dbm.length; port++) {
            bench.dbm[port] -= 3 + 0.05 * port;
        }
        bench.pass(Duration.ofHours(1));
        assertThat(bench.told()).isEmpty();
        assertThat(bench.health.worstRiseDb()).isBetween(3.0, 3.5);
        bench.dbm[2] -= 2.5;
        bench.pass(Duration.ofHours(1));
        assertThat(bench.told()).contains("ocs/p2").doesNotContain(";");
    }

    @Test
    void aSlowDriftIsToldAfterDaysAndNotOverstated() {
        Bench bench = new Bench();
        for (int day = 0; day < 3; day++) {
            bench.dbm[5] -= 0.3;
            bench.pass(Duration.ofDays(1));
        }
        assertThat(bench.told()).isEqualTo("ocs/p5 loses 0.20 dB more each day (median of its peers: 0.00 dB)");
    }

    @Test
    void lessThanADayIsNoDrift() {
        Bench bench = new Bench();
        for (int hour = 0; hour < 12; hour++) {
            bench.dbm[5] -= 0.1;
            bench.pass(Duration.ofHours(1));
        }
        assertThat(bench.told()).isEmpty();
    }

    @Test
    void manyMoreBitErrorsThanPeersAreTold() {
        Bench bench = new Bench();
        bench.counts = true;
        bench.errors[1] = 2e-4;
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.told()).isEqualTo("ocs/p1 has a bit error ratio of 2.0e-04 (median of its peers: 1.0e-15)");
        java.util.Arrays.fill(bench.errors, 1.9e-4);
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.told()).isEmpty();
    }

    @Test
    void bitErrorsAreToldAnewOnceTheyHaveChangedByAFactorOfThree() {
        Bench bench = new Bench();
        bench.counts = true;
        bench.errors[1] = 2e-4;
        bench.pass(Duration.ofSeconds(1));
        bench.errors[1] = 5.9e-4;
        bench.pass(Duration.ofSeconds(1));
        bench.errors[1] = 7e-5;
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.told()).contains("ratio of 2.0e-04");
        bench.errors[1] = 6.1e-4;
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.told()).contains("ratio of 6.1e-04");
    }

    @Test
    void aConnectorThatWasCleanedHasAnotherBaseline() {
        Bench bench = new Bench();
        bench.dbm[3] += 3;
        bench.pass(Duration.ofMinutes(2));
        bench.dbm[3] -= 0.1;
        bench.pass(Duration.ofMinutes(2));
        bench.dbm[3] -= 2.5;
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.told()).contains("ocs/p3");
    }

    @Test
    void lightOfAnotherSenderIsNotCompared() {
        Bench bench = new Bench();
        bench.path = "pod-1/4";
        bench.dbm[3] -= 4;
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.told()).isEmpty();
    }

    @Test
    void lightThatWasAwayIsComparedWithWhatItWas() {
        Bench bench = new Bench();
        double before = bench.dbm[3];
        bench.dbm[3] = Double.NaN;
        bench.pass(Duration.ofHours(1));
        assertThat(bench.health.watched()).isEqualTo(7);
        bench.dbm[3] = before - 3;
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.told()).contains("ocs/p3");
    }

    @Test
    void whatAPersonClearsHasAnotherBaseline() {
        Bench bench = new Bench();
        bench.dbm[3] -= 4;
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.told()).isNotEmpty();
        Map<String, Instant> clearance = Map.of("ocs", bench.now);
        bench.health = bench.health.cleared(clearance);
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.told()).isEmpty();
        assertThat(bench.health.cleared(clearance)).isSameAs(bench.health);
    }

    /** A new circuit through a worse mirror than the factory measured: no level of before shows it. */
    @Test
    void aCircuitThatLosesMoreThanTheFactoryMeasuredIsToldFromItsBeginning() {
        Bench bench = new Bench();
        bench.path = "1->9";
        bench.promisedOfPort3 = OptionalDouble.of(3.5);
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.told())
                .isEqualTo("ocs/p3 loses 2.4 dB more than the factory measured (too few peers to compare with)");
        bench.pass(Duration.ofMinutes(5));
        assertThat(bench.told()).isNotEmpty();
        bench.dbm[3] = 3.4;
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.told()).isEmpty();
    }

    @Test
    void aCircuitThatIsBetterThanTheFactoryMeasuredIsComparedWithItself() {
        Bench bench = new Bench();
        bench.path = "1->9";
        bench.promisedOfPort3 = OptionalDouble.of(0.5);
        bench.pass(Duration.ofSeconds(1));
        bench.pass(Duration.ofMinutes(1));
        bench.dbm[3] -= 2.2;
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.told()).isEqualTo("ocs/p3 loses 2.2 dB more than at first (median of its peers: 0.0 dB)");
    }

    @Test
    void aPersonsWordCountsMoreThanTheFactorys() {
        Bench bench = new Bench();
        bench.path = "1->9";
        bench.promisedOfPort3 = OptionalDouble.of(5);
        bench.pass(Duration.ofSeconds(1));
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.told()).contains("factory");
        bench.health = bench.health.cleared(Map.of("ocs", bench.now));
        bench.promisedOfPort3 = OptionalDouble.empty();
        bench.pass(Duration.ofSeconds(2));
        assertThat(bench.told()).isEmpty();
        bench.pass(Duration.ofHours(1));
        assertThat(bench.told()).isEmpty();
        bench.dbm[3] -= 2.2;
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.told()).isEqualTo("ocs/p3 loses 2.2 dB more than at first (median of its peers: 0.0 dB)");
    }

    /** A clearance that is read late means what the factory measured of light that came meanwhile, too. */
    @Test
    void alsoWhereTheLightCameAfterTheWord() {
        Bench bench = new Bench();
        Instant word = bench.now;
        bench.pass(Duration.ofSeconds(1));
        bench.path = "1->9";
        bench.promisedOfPort3 = OptionalDouble.of(5);
        bench.pass(Duration.ofSeconds(1));
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.told()).contains("factory");
        bench.health = bench.health.cleared(Map.of("ocs", word));
        bench.pass(Duration.ofSeconds(2));
        assertThat(bench.told()).isEmpty();
        assertThat(bench.health.cleared(Map.of("ocs", word))).isSameAs(bench.health);
    }

    @Test
    void aPortThatAPersonClearsHasAnotherBaselineAndTheOthersKeepTheirs() {
        Bench bench = new Bench();
        bench.dbm[3] -= 4;
        bench.dbm[4] -= 4;
        bench.pass(Duration.ofMinutes(1));
        Map<Place, Instant> clearance = Map.of(new Place("ocs", "p3"), bench.now);
        bench.health = bench.health.clearedPorts(clearance);
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.told()).contains("ocs/p4").doesNotContain("ocs/p3");
        assertThat(bench.health.clearedPorts(clearance)).isSameAs(bench.health);
    }

    @Test
    void portsAreComparedOnceASecondAtMostAndNotForgottenInBetween() {
        Bench bench = new Bench();
        bench.dbm[3] -= 4;
        bench.pass(Duration.ofMillis(300));
        assertThat(bench.told()).isEmpty();
        assertThat(bench.health.wakeAt()).contains(bench.now.plusMillis(700));
        bench.pass(Duration.ofMillis(700));
        assertThat(bench.told()).isNotEmpty();
        assertThat(bench.health.wakeAt()).isEmpty();
    }

    @Test
    void portsOfManyDevicesAreComparedLessOften() {
        SortedMap<String, Watched> many = new TreeMap<>();
        for (int device = 0; device < 16384; device++) {
            many.put(
                    "ocs-" + device,
                    new Watched(new Object(), "switch", TreeMap::new, port -> true, port -> Optional.empty()));
        }
        OpticalHealth health = OpticalHealth.NONE.after(START, new Object(), () -> many, POLICY);
        many.put("ocs-0", new Watched(new Object(), "switch", TreeMap::new, port -> true, port -> Optional.empty()));
        assertThat(health.after(START.plusMillis(2999), new Object(), () -> many, POLICY)
                        .wakeAt())
                .contains(START.plusSeconds(3));
        assertThat(health.after(START.plusSeconds(3), new Object(), () -> many, POLICY)
                        .wakeAt())
                .isEmpty();
    }

    @Test
    void aClockThatIsSetChangesNoDuration() {
        Bench bench = new Bench();
        Duration by = Duration.ofDays(-40);
        bench.health = bench.health.moved(by);
        bench.now = bench.now.plus(by);
        bench.dbm[5] -= 2.4;
        bench.pass(Duration.ofSeconds(2));
        assertThat(bench.told()).isEqualTo("ocs/p5 loses 2.4 dB more than at first (median of its peers: 0.0 dB)");
    }

    @Test
    void devicesThatAreGoneAreForgotten() {
        Bench bench = new Bench();
        bench.health = bench.health.after(bench.now.plusSeconds(2), new Object(), Map::of, POLICY);
        assertThat(bench.health.watched()).isZero();
        bench.dbm[3] -= 4;
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.told()).isEmpty();
    }

    /** Ports of one switch whose loss is all that is measured, each with the ingress that its light comes from. */
    private static final class Losses {
        private OpticalHealth health = OpticalHealth.NONE;
        private Instant now = START;
        private final String[] ingress = {"a0", "a1", "a2", "a3", "a4", "a5"};
        private final double[] lossDb = new double[ingress.length];

        private void look() {
            now = now.plusSeconds(20);
            SortedMap<String, Reading> readings = new TreeMap<>();
            for (int port = 0; port < ingress.length; port++) {
                readings.put(
                        "e" + port,
                        new Reading(
                                ingress[port],
                                -1 - lossDb[port],
                                OptionalDouble.empty(),
                                OptionalDouble.empty(),
                                Optional.of(ingress[port])));
            }
            Watched told = new Watched(new Object(), "switch", () -> readings, port -> true, port -> Optional.empty());
            health = health.after(now, new Object(), () -> Map.of("ocs", told), POLICY);
        }

        private void loses(int port, double db) {
            lossDb[port] = db;
            look();
        }

        private Optional<OpticalHealth.Suspect> suspect(int port) {
            return health.suspect(new Place("ocs", "e" + port));
        }
    }

    @Test
    void anEgressThatGetsWorseWithAnotherIngressTooIsNotBlamedOnTheFirst() {
        Losses losses = new Losses();
        losses.look();
        losses.look();
        losses.loses(3, 3);
        assertThat(losses.suspect(3)).contains(new OpticalHealth.Suspect(new Place("ocs", "a3"), false));

        losses.ingress[3] = "b3";
        losses.loses(3, 0);
        losses.look();
        assertThat(losses.suspect(3)).as("nothing told of the first yet").isPresent();
        losses.loses(3, 3);
        assertThat(losses.suspect(3)).contains(new OpticalHealth.Suspect(new Place("ocs", "b3"), false));
    }
}
