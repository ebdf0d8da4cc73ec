package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.discovery.FibreEnd;
import dev.lightpath.planner.discovery.Found;
import dev.lightpath.planner.discovery.Found.Evidence;
import dev.lightpath.planner.discovery.SwitchDiscovery;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.light.Stage.Cause;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random plants with crossed, dead and missing fibres, jobs that come and go, and operators that restart. */
class DiscoveryPropertyTest {
    private static final int STEPS = 4000;

    static IntStream seeds() {
        return IntStream.range(0, Seeds.of(90));
    }

    /** The plant itself is the oracle. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void findsThePlantAsItIs(int seed) {
        Random random = new Random(seed);
        DeviceKind kind = random.nextBoolean() ? DeviceKind.TWO_SIDED : DeviceKind.ANY_TO_ANY;
        ToyOcs ocs = ToyOcs.logical(2 + random.nextInt(4), 1, 1 + random.nextInt(2), kind, 2 + random.nextInt(3));
        for (String name : List.copyOf(ocs.switches.keySet())) {
            OcsSwitch of = ocs.switches.get(name);
            ocs.described.put(name, ToyOcs.rewired(of, List.of()));
            ocs.switches.put(name, ToyOcs.rewired(of, shuffled(of, random)));
            more(ocs, name, random.nextInt(3));
            for (OcsSwitch.Wire wire : of.wiring()) {
                if (random.nextInt(6) == 0) {
                    ocs.cut.add(name + "/" + (random.nextBoolean() ? wire.ingress() : wire.egress()));
                }
            }
            ocs.discover.put(name, "first");
        }
        guard(ocs);
        run(ocs, random, random.nextInt(4), () -> {});
        ocs.fibres.forEach((name, found) -> {
            assertThat(found.circuits())
                    .as("circuits of " + found.ends() + " ends")
                    .isLessThanOrEqualTo(2 * found.ends() + 4);
            assertPlant(ocs, name, found);
        });
        ocs.lit.forEach((name, lit) -> assertThat(lit).as(name).isEmpty());
    }

    /** Of ports that are free at the end it is known where they lead, and jobs are as if nobody had asked. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void jobsComeAndGoBesideIt(int seed) {
        Random random = new Random(seed);
        DeviceKind kind = random.nextBoolean() ? DeviceKind.TWO_SIDED : DeviceKind.ANY_TO_ANY;
        ToyOcs ocs = ToyOcs.logical(4, 1, 2, kind, 2 + random.nextInt(2));
        ocs.hinted = random.nextBoolean();
        ocs.slow = random.nextBoolean();
        ocs.switches.keySet().forEach(name -> ocs.discover.put(name, "first"));
        guard(ocs);
        List<SliceId> jobs = new ArrayList<>();
        run(ocs, random, random.nextInt(3), () -> {
            if (random.nextInt(30) == 0 && jobs.size() < 3) {
                jobs.add(ocs.wishTraffic("job-" + jobs.size(), ToyOcs.twoByTwo()));
            } else if (random.nextInt(40) == 0 && !jobs.isEmpty()) {
                ocs.unwish(jobs.get(random.nextInt(jobs.size())));
            }
        });
        ocs.fibres.forEach((name, found) -> assertPlant(ocs, name, found));
        for (int step = 0; step < 200; step++) {
            ocs.step();
        }
        ocs.lit.forEach((name, lit) -> {
            List<Circuit> recorded = ocs.ledger.values().stream()
                    .map(LedgerEntry::allocation)
                    .flatMap(Optional::stream)
                    .flatMap(allocation -> allocation.circuits().on(name).stream())
                    .toList();
            assertThat(lit).as(name).containsExactlyInAnyOrderElementsOf(recorded);
        });
    }

    /** No probe is begun on a port of a record, and there is at most one. */
    private static void guard(ToyOcs ocs) {
        ocs.heard = (world, deliberation) -> {
            if (deliberation.decision() instanceof Decision.Apply apply
                    && apply.stage().cause() == Cause.PROBE) {
                assertThat(apply.stage().changes()).hasSize(1);
                apply.stage().changes().forEach(change -> {
                    assertThat(change.connects()).hasSize(1);
                    assertThat(change.disconnects()).isEmpty();
                    String name = ocs.switches.values().stream()
                            .filter(of -> of.device().equals(change.device()))
                            .map(OcsSwitch::name)
                            .findFirst()
                            .orElseThrow();
                    Circuit probe = change.connects().first();
                    world.ledger()
                            .values()
                            .forEach(entry -> entry.allocation()
                                    .ifPresent(allocation -> allocation
                                            .circuits()
                                            .and(allocation.darkening())
                                            .on(name)
                                            .forEach(circuit -> assertThat(List.of(circuit.ingress(), circuit.egress()))
                                                    .as("ports in use")
                                                    .doesNotContain(probe.ingress(), probe.egress()))));
                });
            }
        };
        ocs.watch = () -> {
            List<String> probes = new ArrayList<>();
            ocs.lit.forEach((name, lit) -> lit.stream()
                    .filter(circuit -> ocs.ledger.values().stream()
                            .map(LedgerEntry::allocation)
                            .flatMap(Optional::stream)
                            .noneMatch(allocation -> allocation
                                    .circuits()
                                    .and(allocation.darkening())
                                    .on(name)
                                    .contains(circuit)))
                    .forEach(circuit -> probes.add(name + "/" + circuit)));
            assertThat(probes).as("circuits that no record names").hasSizeLessThanOrEqualTo(1);
        };
    }

    private static void run(ToyOcs ocs, Random random, int restarts, Runnable life) {
        int left = restarts;
        for (int step = 0; step < STEPS; step++) {
            life.run();
            if (ocs.step().decision() instanceof Decision.Rest) {
                ocs.now = ocs.now.plus(Duration.ofSeconds(1));
            }
            if (left > 0 && random.nextInt(20) == 0) {
                ocs.restartWithChangesUnderWay();
                left--;
            }
            if (ocs.fibres.values().stream()
                    .allMatch(found -> found.over() && found.probes().isEmpty())) {
                return;
            }
        }
        throw new AssertionError("not over after " + STEPS + " steps: " + ocs.fibres);
    }

    private static void assertPlant(ToyOcs ocs, String name, SwitchDiscovery found) {
        SortedMap<FibreEnd, String> plant = plant(ocs, name);
        boolean anyToAny = ocs.switches.get(name).kind() == DeviceKind.ANY_TO_ANY;
        for (var each : found.found().entrySet()) {
            FibreEnd end = each.getKey();
            Found there = each.getValue();
            if (there.leads()) {
                assertThat(there.farEnds().getFirst().toString())
                        .as(name + " " + end)
                        .isEqualTo(plant.get(end));
            } else if (there.evidence() == Evidence.DARK) {
                assertThat(plant).as(name + " is dark").doesNotContainKey(end);
            } else if (there.evidence() == Evidence.AMBIGUOUS) {
                assertThat(there.farEnds().stream().map(Object::toString)).contains(plant.get(end));
            } else {
                assertThat(anyToAny
                                || plant.keySet().stream()
                                                .map(FibreEnd::side)
                                                .distinct()
                                                .count()
                                        < 2
                                || !plant.containsKey(end))
                        .as(name + " " + end + " is not heard, of " + plant)
                        .isTrue();
            }
        }
        if (anyToAny && ocs.slices.isEmpty() && plant.size() >= 3) {
            plant.keySet()
                    .forEach(end -> assertThat(found.found().get(end).leads())
                            .as(name + " " + end + " of " + plant + " found " + found.found())
                            .isTrue());
        }
    }

    /** Fibres that carry light, by their end at the switch. */
    private static SortedMap<FibreEnd, String> plant(ToyOcs ocs, String name) {
        SortedMap<FibreEnd, String> plant = new TreeMap<>();
        OcsSwitch of = ocs.switches.get(name);
        for (OcsSwitch.Wire wire : of.wiring()) {
            String farEnd = wire.pod() + "/" + name + "/" + wire.index();
            if (!ocs.cut.contains(name + "/" + wire.ingress())) {
                plant.put(
                        of.kind() == DeviceKind.ANY_TO_ANY
                                ? FibreEnd.both(wire.ingress())
                                : FibreEnd.ingress(wire.ingress()),
                        farEnd);
            }
            if (of.kind() == DeviceKind.TWO_SIDED && !ocs.cut.contains(name + "/" + wire.egress())) {
                plant.put(FibreEnd.egress(wire.egress()), farEnd);
            }
        }
        return plant;
    }

    /** The same ports, to other far ends. */
    private static List<OcsSwitch.Wire> shuffled(OcsSwitch of, Random random) {
        List<String> ingress = new ArrayList<>(
                of.wiring().stream().map(OcsSwitch.Wire::ingress).toList());
        List<String> egress =
                new ArrayList<>(of.wiring().stream().map(OcsSwitch.Wire::egress).toList());
        Collections.shuffle(ingress, random);
        if (of.kind() == DeviceKind.TWO_SIDED) {
            Collections.shuffle(egress, random);
        } else {
            egress = ingress;
        }
        List<OcsSwitch.Wire> wires = new ArrayList<>();
        for (int at = 0; at < ingress.size(); at++) {
            OcsSwitch.Wire wire = of.wiring().get(at);
            wires.add(new OcsSwitch.Wire(ingress.get(at), egress.get(at), wire.pod(), wire.index()));
        }
        return wires;
    }

    /** Ports of the device where no fibre ends. */
    private static void more(ToyOcs ocs, String name, int count) {
        OcsSwitch of = ocs.switches.get(name);
        Inventory wired = ToyDevices.asWired(of);
        SortedMap<String, Inventory.Side> ports = new TreeMap<>(wired.ports());
        for (int port = 0; port < count; port++) {
            boolean anyToAny = of.kind() == DeviceKind.ANY_TO_ANY;
            ports.put("9" + port, anyToAny ? Inventory.Side.BOTH : Inventory.Side.INGRESS);
            if (!anyToAny) {
                ports.put("19" + port, Inventory.Side.EGRESS);
            }
        }
        ocs.inventories.put(name, Optional.of(new Inventory(wired.make(), ports, wired.paths())));
    }
}
