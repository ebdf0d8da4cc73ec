package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Agreement;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens, light of running pods whose job asks for it goes down on purpose only after the job agreed to that
 * revision, or after its limit. The judge keeps books of its own: it looks at records, at what jobs answered, at faults
 * and at stages, and at no announcement.
 */
class AnnouncedMovesPropertyTest {
    private static final int WORLDS = Seeds.of(90);
    private static final Duration LIMIT = Duration.ofSeconds(45);

    @Test
    void lightOfJobsThatAreAskedStaysUntilTheyAgreeOrTheLimitPasses() {
        Judge judge = new Judge();
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(seed);
            ToyOcs ocs = seed % 2 == 0
                    ? OcsFairnessPropertyTest.world(chance)
                    : ToyOcs.logical(
                            4 + chance.nextInt(3), 2, 6, DeviceKind.values()[chance.nextInt(2)], 1 + chance.nextInt(2));
            ocs.policy = Policies.massFailure(Policies.budget(ocs.policy, 5 + chance.nextInt(60)), 100);
            ocs.slow = chance.nextInt(3) == 0;
            judge.begin(seed);
            ocs.heard = judge::hears;
            for (int event = 0; event < 10; event++) {
                happen(ocs, chance, event, seed);
                asks(ocs, chance);
                for (int pass = 0; pass < 60; pass++) {
                    Deliberation deliberation = ocs.step();
                    if (deliberation.decision() instanceof Decision.Rest
                            && !deliberation.agenda().goesOn(ocs.now)) {
                        break;
                    }
                }
            }
        }
        assertThat(judge.early)
                .as("of %d circuits that went after an answer", judge.asked)
                .isEmpty();
        assertThat(judge.agreed).as("went by agreement").isPositive();
        assertThat(judge.late).as("went by the limit").isPositive();
    }

    private static void happen(ToyOcs ocs, Random chance, int event, long seed) {
        if (seed % 2 == 0 && chance.nextInt(3) > 0) {
            OcsFairnessPropertyTest.happen(ocs, chance, event);
        } else if (seed % 2 != 0 && chance.nextInt(3) > 0) {
            OcsTrafficPropertyTest.happen(ocs, chance, event);
        } else {
            List<String> names = List.copyOf(ocs.switches.keySet());
            String name = names.get(chance.nextInt(names.size()));
            ocs.drain(name, !ocs.switches.get(name).drained());
        }
        if (chance.nextInt(6) == 0) {
            ocs.restart();
        }
    }

    /** Every job asks to be asked. Some run, and some answer, right or wrong. */
    private static void asks(ToyOcs ocs, Random chance) {
        ocs.slices.replaceAll((id, slice) -> {
            long revision =
                    ocs.ledger.get(id).allocation().map(Allocation::revision).orElse(1L);
            Agreement agreement = Agreement.within(LIMIT);
            Workload running = new Workload.Pods(new TreeSet<>(List.of("somewhere")), false);
            return Request.like(slice)
                    .workload(slice.wanted() && chance.nextInt(8) > 0 ? running : slice.workload())
                    .reconfiguration(Reconfiguration.values()[chance.nextInt(4) == 0 ? 1 : 2])
                    .agreement(
                            switch (chance.nextInt(4)) {
                                case 0, 1 -> agreement;
                                case 2 -> agreement.to(revision + chance.nextInt(2));
                                default -> agreement.to(revision);
                            })
                    .slice();
        });
    }

    private static final class Judge {
        private record Spot(String opticalSwitch, Circuit circuit) {}

        private final Map<Spot, SliceId> held = new HashMap<>();
        private final Map<Spot, Instant> left = new HashMap<>();
        /** Slices that lost light or pods since one of their circuits left their record. */
        private final Set<SliceId> excused = new HashSet<>();

        private final Set<String> early = new TreeSet<>();
        private int asked;
        private int agreed;
        private int late;
        private long seed;

        void begin(long next) {
            seed = next;
            held.clear();
            left.clear();
            excused.clear();
        }

        void hears(World world, Deliberation deliberation) {
            OcsIntent fabric = world.ocsFabrics().get("spine");
            world.ledger()
                    .forEach((id, entry) -> entry.allocation()
                            .ifPresent(recorded -> recorded.circuits().forEach((name, circuit) -> {
                                held.put(new Spot(name, circuit), id);
                                left.remove(new Spot(name, circuit));
                            })));
            held.forEach((spot, id) -> {
                boolean kept = world.allocation(id)
                        .filter(recorded ->
                                recorded.circuits().on(spot.opticalSwitch()).contains(spot.circuit()))
                        .isPresent();
                if (!kept) {
                    left.putIfAbsent(spot, world.now());
                }
            });
            for (SliceIntent slice : world.slices().values()) {
                if (isExcused(world, deliberation, slice)) {
                    excused.add(slice.id());
                }
            }
            if (deliberation.decision() instanceof Decision.Apply apply) {
                for (OcsSwitch of : fabric.switches().values()) {
                    apply.stage().changes().stream()
                            .filter(change -> change.device().equals(of.device()))
                            .forEach(change -> judge(world, of.name(), change));
                }
            }
            // who has nothing left to give up is asked anew
            excused.removeIf(id -> world.slices().containsKey(id)
                    && !isExcused(world, deliberation, world.slices().get(id))
                    && world.allocation(id)
                            .filter(recorded -> recorded.darkening().isEmpty())
                            .isPresent());
        }

        private boolean isExcused(World world, Deliberation deliberation, SliceIntent slice) {
            return !slice.wanted()
                    || !slice.workload().usesLight()
                    || deliberation.faults().get("spine").faults().stream().anyMatch(fault -> switch (fault.subject()) {
                        case Subject.OfNode of -> false;
                        case Subject.OfDevice of -> touches(slice.id(), of.device(), "");
                        case Subject.OfPort of -> touches(slice.id(), of.device(), of.port());
                    })
                    || world.allocation(slice.id()).isEmpty();
        }

        private boolean touches(SliceId id, String name, String port) {
            return held.entrySet().stream()
                    .anyMatch(each -> each.getValue().equals(id)
                            && each.getKey().opticalSwitch().equals(name)
                            && (port.isEmpty()
                                    || each.getKey().circuit().ingress().equals(port)
                                    || each.getKey().circuit().egress().equals(port)));
        }

        private void judge(World world, String name, DeviceChange change) {
            for (Circuit circuit : change.disconnects()) {
                Spot spot = new Spot(name, circuit);
                SliceId id = held.get(spot);
                SliceIntent slice = id == null ? null : world.slices().get(id);
                if (slice == null || excused.contains(id) || !left.containsKey(spot)) {
                    continue;
                }
                asked++;
                Instant first = left.entrySet().stream()
                        .filter(each -> id.equals(held.get(each.getKey())))
                        .map(Map.Entry::getValue)
                        .min(Instant::compareTo)
                        .orElseThrow();
                long revision = world.allocation(id).orElseThrow().revision();
                boolean over = !world.now().isBefore(first.plus(LIMIT));
                if (slice.agreement().orElseThrow().agrees(revision)) {
                    agreed++;
                } else if (over) {
                    late++;
                } else {
                    early.add("seed " + seed + ": " + id + " revision " + revision + " loses " + spot + " at "
                            + world.now() + ", left its record at " + first);
                }
                held.remove(spot);
                left.remove(spot);
            }
        }
    }
}
