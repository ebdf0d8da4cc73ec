package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.health.Finding;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Agreement;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Several jobs that ask to be asked, on switches and on a ring. The judge looks at the light under the pods: what burns
 * when all is at rest. Such light goes down only after the job answered a word that it was told, after its limit, or
 * after a fault struck that light. It reads of announcements what a job can read, and never why light may move.
 */
class AnnouncedMovesPropertyTest {
    private static final int WORLDS = Seeds.of(90);
    private static final Duration LIMIT = Duration.ofSeconds(45);

    @Test
    void lightOnSwitchesStaysUntilItsJobAgreesOrTheLimitPasses() {
        Judge judge = new Judge();
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(seed);
            ToyOcs ocs = seed % 2 == 0
                    ? OcsFairnessPropertyTest.world(chance)
                    : ToyOcs.logical(
                            4 + chance.nextInt(3), 2, 6, DeviceKind.values()[chance.nextInt(2)], 1 + chance.nextInt(2));
            ocs.policy = Policies.massFailure(Policies.budget(ocs.policy, 5 + chance.nextInt(60)), 100);
            ocs.slow = chance.nextInt(3) == 0;
            judge.begin("switches, seed " + seed);
            ocs.heard = judge::hears;
            for (int event = 0; event < 10; event++) {
                happen(ocs, chance, event, seed);
                ocs.paused = chance.nextInt(10) == 0;
                ocs.slices.replaceAll((id, slice) -> asks(
                        slice,
                        chance,
                        new Workload.Pods(new TreeSet<>(List.of("somewhere")), false),
                        ocs.ledger.get(id).allocation().orElse(null)));
                for (int pass = 0; pass < 60; pass++) {
                    Deliberation deliberation = ocs.step();
                    if (deliberation.decision() instanceof Decision.Rest
                            && !deliberation.agenda().goesOn(ocs.now)) {
                        break;
                    }
                }
            }
        }
        judge.isContent();
    }

    @Test
    void lightOfARingStaysUntilItsJobAgreesOrTheLimitPasses() {
        Judge judge = new Judge();
        for (long seed = 1; seed <= 4 * WORLDS; seed++) {
            Random chance = new Random(seed);
            ToyRing ring =
                    new ToyRing(RingFabric.of(RingShape.values()[chance.nextInt(2)], 14 + chance.nextInt(10), 2, 4));
            ring.policy = Policies.massFailure(Policies.budget(FabricPolicy.standard(), 50 + chance.nextInt(50)), 100);
            ring.slow = chance.nextInt(3) == 0;
            ring.reconfiguration = Reconfiguration.LIVE;
            judge.begin("ring, seed " + seed);
            ring.heard = judge::hears;
            for (int event = 0; event < 14; event++) {
                happen(ring, chance, event);
                ring.paused = chance.nextInt(10) == 0;
                ring.slices.replaceAll((id, slice) -> {
                    Allocation recorded = ring.ledger.get(id).allocation().orElse(null);
                    return asks(
                            slice,
                            chance,
                            recorded == null || recorded.groups().isEmpty()
                                    ? slice.workload()
                                    : new Workload.Pods(recorded.nodes(), false),
                            recorded);
                });
                for (int pass = 0; pass < 60; pass++) {
                    if (ring.step().decision() instanceof Decision.Rest) {
                        break;
                    }
                }
            }
        }
        judge.isContent();
    }

    private static void happen(ToyRing ring, Random chance, int event) {
        ring.pass(Duration.ofMillis(500L << chance.nextInt(7)));
        String node = "n" + chance.nextInt(ring.ring.positions());
        switch (chance.nextInt(10)) {
            case 0, 1, 2, 3 -> ring.wish("job" + event, 1 + chance.nextInt(2), 8 + 4 * chance.nextInt(4));
            case 4, 5, 6 -> {
                List<SliceId> all = new ArrayList<>(ring.slices.keySet());
                if (!all.isEmpty()) {
                    SliceId ends = all.get(chance.nextInt(all.size()));
                    ring.amend(ends, false, new Workload.Pods(new TreeSet<>(), true), false);
                }
            }
            case 7 -> {
                if (!ring.notReady.remove(node)) {
                    ring.notReady.add(node);
                    // two jobs that break at once look for places at once
                    ring.notReady.add("n" + chance.nextInt(ring.ring.positions()));
                }
            }
            case 8 -> {
                if (ring.failedPorts.remove(node) == null) {
                    String port = "b" + chance.nextInt(2) + ".path" + (1 + chance.nextInt(2));
                    ring.failedPorts.put(node, new TreeMap<>(Map.of(port, "PortFailed")));
                }
            }
            default -> ring.restart();
        }
    }

    private static void happen(ToyOcs ocs, Random chance, int event, long seed) {
        if (seed % 2 == 0 && chance.nextInt(3) > 0) {
            OcsFairnessPropertyTest.happen(ocs, chance, event);
        } else if (seed % 2 != 0 && chance.nextInt(3) > 0) {
            OcsTrafficPropertyTest.happen(ocs, chance, event);
        } else {
            List<String> names = List.copyOf(ocs.switches.keySet());
            String name = names.get(chance.nextInt(names.size()));
            ocs.wiring.drain(name, !ocs.switches.get(name).drained());
        }
        if (chance.nextInt(6) == 0) {
            ocs.restart();
        }
    }

    /** Every job asks to be asked. Most run, and some answer: what they were told, or something else. */
    private static SliceIntent asks(SliceIntent slice, Random chance, Workload running, Allocation recorded) {
        long told = recorded == null
                ? 1
                : recorded.announcement().map(Announcement::revision).orElse(recorded.revision());
        Agreement agreement = Agreement.within(LIMIT);
        return slice.but()
                .workload(slice.wanted() && chance.nextInt(8) > 0 ? running : slice.workload())
                .reconfiguration(Reconfiguration.values()[chance.nextInt(4) == 0 ? 1 : 2])
                .agreement(Optional.of(
                        switch (chance.nextInt(6)) {
                            case 0 -> agreement.to(told);
                            case 1 -> agreement.to(told + 1).to(Math.max(1, told - 1));
                            default -> agreement;
                        }))
                .build();
    }

    private static final class Judge {
        /** Light of a device. */
        private record Lamp(String device, Circuit circuit) {}

        /** What a job was told. On a ring it is told of all its light. */
        private record Word(long revision, Instant at, Set<Lamp> going) {}

        /** By slice, what burnt under its pods when all was last at rest. */
        private final Map<SliceId, Set<Lamp>> used = new HashMap<>();

        private final Map<SliceId, Set<Word>> told = new HashMap<>();
        private final Set<SliceId> excused = new HashSet<>();
        private final Map<SliceId, Set<Long>> answered = new HashMap<>();

        private final Set<String> wrong = new TreeSet<>();
        private int agreed;
        private int late;
        private int waiting;
        private String where = "";

        void begin(String next) {
            where = next;
            used.clear();
            told.clear();
            excused.clear();
            answered.clear();
        }

        void isContent() {
            assertThat(wrong)
                    .as("%d went by agreement, %d by the limit", agreed, late)
                    .isEmpty();
            assertThat(agreed).as("went by agreement").isPositive();
            assertThat(late).as("went by the limit").isPositive();
            assertThat(waiting).as("rests while a job is asked").isPositive();
        }

        void hears(World world, Deliberation deliberation) {
            List<Fault> faults = deliberation.faults().values().stream()
                    .flatMap(tracker -> tracker.faults().stream())
                    .filter(fault -> !fault.reason().equals(Finding.REASON))
                    .toList();
            if (!world.rings().isEmpty()) {
                placesInTwoRecords(world);
            }
            for (SliceIntent slice : world.slices().values()) {
                SliceId id = slice.id();
                Allocation recorded = world.allocation(id).orElse(null);
                if (recorded == null || !isAsked(slice) || isStruck(world, recorded, id, faults)) {
                    excused.add(id);
                }
                answered.computeIfAbsent(id, none -> new HashSet<>())
                        .addAll(slice.agreement().map(Agreement::agreed).orElse(new TreeSet<>()));
                if (recorded != null) {
                    recorded.announcement()
                            .filter(Announcement::open)
                            .ifPresent(open -> told.computeIfAbsent(id, none -> new HashSet<>())
                                    .add(new Word(open.revision(), open.at(), going(recorded, open))));
                }
            }
            if (deliberation.decision() instanceof Decision.Apply apply) {
                apply.stage().changes().forEach(change -> judge(world, change));
            }
            if (deliberation.decision() instanceof Decision.Rest
                    && !deliberation.agenda().goesOn(world.now())) {
                rests(world, faults);
            }
        }

        private static boolean isAsked(SliceIntent slice) {
            return slice.wanted()
                    && slice.agreement().isPresent()
                    && slice.workload() instanceof Workload.Pods pods
                    && !pods.occupied().isEmpty()
                    && !pods.restarting();
        }

        private static Set<Lamp> going(Allocation recorded, Announcement open) {
            Set<Lamp> going = new HashSet<>();
            recorded.circuits().forEach((name, circuit) -> {
                if (!open.move().orElseThrow().circuits().on(name).contains(circuit)) {
                    going.add(new Lamp(name, circuit));
                }
            });
            return going;
        }

        /** Whether a fault is on its light or its nodes. */
        private boolean isStruck(World world, Allocation recorded, SliceId id, List<Fault> faults) {
            Set<Lamp> light = new HashSet<>(used.getOrDefault(id, Set.of()));
            recorded.circuits().forEach((name, circuit) -> light.add(new Lamp(name, circuit)));
            for (String node : recorded.nodes()) {
                light.addAll(burning(world, node));
            }
            return faults.stream().anyMatch(fault -> switch (fault.subject()) {
                case Subject.OfNode of -> recorded.nodes().contains(of.node());
                case Subject.OfDevice of ->
                    recorded.nodes().contains(of.device())
                            || light.stream().anyMatch(lamp -> lamp.device().equals(of.device()))
                            || isPod(world, recorded, of.device());
                case Subject.OfPort of ->
                    light.stream()
                            .anyMatch(lamp -> lamp.device().equals(of.device())
                                    && (lamp.circuit().ingress().equals(of.port())
                                            || lamp.circuit().egress().equals(of.port())));
            });
        }

        private static boolean isPod(World world, Allocation recorded, String name) {
            return world.ocsFabrics().values().stream()
                    .flatMap(fabric -> fabric.pods().stream())
                    .filter(pod -> pod.name().equals(name))
                    .mapToInt(OcsPod::index)
                    .anyMatch(index -> recorded.members().stream().anyMatch(member -> member.position() == index));
        }

        /** On the transceivers of a node of a ring, what leads out. */
        private static Set<Lamp> burning(World world, String node) {
            Set<Lamp> lamps = new HashSet<>();
            if (!world.ocsFabrics().isEmpty()) {
                return lamps;
            }
            world.drivers().values().stream()
                    .flatMap(driver ->
                            java.util.Optional.ofNullable(driver.devices().get(node)).stream())
                    .flatMap(device -> device.circuits().circuits().stream())
                    .filter(circuit -> circuit.egress().contains(".path"))
                    .forEach(circuit -> lamps.add(new Lamp(node, circuit)));
            return lamps;
        }

        private void judge(World world, DeviceChange change) {
            String device = change.device().device();
            for (OcsIntent fabric : world.ocsFabrics().values()) {
                for (OcsSwitch of : fabric.switches().values()) {
                    device = of.device().equals(change.device()) ? of.name() : device;
                }
            }
            for (Circuit circuit : change.disconnects()) {
                Lamp lamp = new Lamp(device, circuit);
                used.forEach((id, lamps) -> {
                    if (lamps.remove(lamp) && !excused.contains(id)) {
                        judge(world, id, lamp);
                    }
                });
            }
        }

        private void judge(World world, SliceId id, Lamp lamp) {
            List<Word> words = told.getOrDefault(id, Set.of()).stream()
                    .filter(word -> word.going().isEmpty() || word.going().contains(lamp))
                    .toList();
            if (words.stream()
                    .anyMatch(word -> answered.getOrDefault(id, Set.of()).contains(word.revision()))) {
                agreed++;
            } else if (words.stream()
                    .anyMatch(word -> !world.now().isBefore(word.at().plus(LIMIT)))) {
                late++;
            } else {
                wrong.add(where + ": " + id + " loses " + lamp + " at " + world.now() + ", told " + words);
            }
        }

        private void rests(World world, List<Fault> faults) {
            SortedMap<SliceId, Allocation> records = new TreeMap<>();
            world.slices().keySet().forEach(id -> world.allocation(id).ifPresent(of -> records.put(id, of)));
            used.clear();
            records.forEach((id, recorded) -> {
                boolean open =
                        recorded.announcement().filter(Announcement::open).isPresent();
                waiting += open ? 1 : 0;
                boolean struck = isStruck(world, recorded, id, faults);
                recorded.awaited()
                        .flatMap(Announcement.Move::roomFor)
                        .filter(job ->
                                world.slices().values().stream().noneMatch(slice -> isWithoutPlace(world, slice, job)))
                        .ifPresent(
                                job -> wrong.add(where + ": " + id + " is asked for " + job + ", which waits no more"));
                if (struck && open) {
                    wrong.add(where + ": " + id + " is struck and waits for an answer at " + world.now());
                }
                if (!struck && isAsked(world.slices().get(id))) {
                    excused.remove(id);
                }
                if (!open) {
                    told.remove(id);
                    answered.remove(id);
                }
                used.put(id, lamps(world, recorded));
            });
            records.forEach((id, recorded) -> records.forEach((other, its) -> {
                if (!id.equals(other)
                        && its.announcement().filter(Announcement::open).isPresent()) {
                    used.getOrDefault(other, Set.of()).stream()
                            .filter(lamp -> isInTheWay(recorded, lamp))
                            .forEach(lamp -> wrong.add(where + ": " + lamp + " of " + other + " keeps out " + id));
                }
            }));
        }

        private void placesInTwoRecords(World world) {
            Map<Integer, SliceId> taken = new HashMap<>();
            world.slices()
                    .keySet()
                    .forEach(id -> world.allocation(id).stream()
                            .flatMap(recorded -> recorded.members().stream())
                            .forEach(member -> {
                                SliceId other = taken.put(member.position(), id);
                                if (other != null) {
                                    wrong.add(where + ": position " + member.position() + " is of " + other + " and of "
                                            + id);
                                }
                            }));
        }

        private static boolean isWithoutPlace(World world, SliceIntent slice, String job) {
            return slice.job().uid().equals(job)
                    && slice.wanted()
                    && world.allocation(slice.id())
                            .map(recorded -> recorded.groups().isEmpty()
                                    && recorded.circuits().isEmpty())
                            .orElse(true);
        }

        /** Whether light is where a record wants other light. */
        private static boolean isInTheWay(Allocation recorded, Lamp lamp) {
            return recorded.nodes().contains(lamp.device())
                    || recorded.circuits().on(lamp.device()).stream()
                            .anyMatch(circuit -> circuit.ingress()
                                            .equals(lamp.circuit().ingress())
                                    || circuit.egress().equals(lamp.circuit().egress()));
        }

        private static Set<Lamp> lamps(World world, Allocation recorded) {
            Set<Lamp> lamps = new HashSet<>();
            recorded.nodes().forEach(node -> lamps.addAll(burning(world, node)));
            for (OcsIntent fabric : world.ocsFabrics().values()) {
                recorded.circuits().forEach((name, circuit) -> {
                    OcsSwitch of = fabric.switches().get(name);
                    if (of != null
                            && java.util.Optional.ofNullable(
                                            world.drivers().get(of.device().driver()))
                                    .flatMap(driver -> java.util.Optional.ofNullable(
                                            driver.devices().get(of.device().device())))
                                    .filter(device -> of.shows(device, circuit))
                                    .isPresent()) {
                        lamps.add(new Lamp(name, circuit));
                    }
                });
            }
            return lamps;
        }
    }
}
