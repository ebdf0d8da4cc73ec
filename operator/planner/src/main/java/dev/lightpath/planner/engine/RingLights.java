package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.decision.SliceVerdict.Light;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceBackoff;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.memory.PassMemory;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.world.Allocation;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * How far the light of each record of a ring has come. A fault concerns one of a hundred jobs, so light is qualified
 * again only if its record, the device of a member or what is wanted of it is another than in the pass before, or
 * something that counts for all records.
 */
final class RingLights {
    private static final Slot<Lights> SLOT = new Slot<>("lights of records");

    /** What counts for all records of a ring alike. */
    private record Common(
            RingFabric ring,
            String driver,
            DriverState.Contact contact,
            Optional<String> problem,
            double maximumLossDb,
            SortedMap<DeviceId, DeviceBackoff> setbacks,
            SortedMap<String, String> lacking) {
        static Common of(RingState state) {
            return new Common(
                    state.intent().ring(),
                    state.intent().driver(),
                    state.driver().contact(),
                    state.driver().problem(),
                    state.intent().policy().maximumLossDb(),
                    state.world().setbacks(),
                    state.lacking());
        }
    }

    /**
     * The light of one record and what it was qualified by, member by member.
     *
     * @param wanted compared by value
     * @param devices compared by identity
     */
    private record Qualified(
            CrossConnects[] wanted, @Nullable DeviceState[] devices, Light light) {}

    /**
     * The lights of one pass, filled while it reports and not changed after.
     *
     * @param plan stands for all circuits that are wanted and the devices that are to show them
     * @param ofRecords by the object that the record is
     */
    private record Lights(Common common, Object plan, Map<Allocation, Qualified> ofRecords) {
        boolean isBy(Lights other) {
            return plan == other.plan && common.equals(other.common);
        }
    }

    private final RingState state;
    private final RingCircuits circuits;
    private final PassMemory memory;
    private final Map<Allocation, Qualified> before;
    /** What this pass leaves: that of the pass before as long as nothing was to be added to it. */
    private Lights now;
    /** Whether nothing changed by which any light is qualified. */
    private final boolean allHold;
    /** Else positions at which something may have; empty where it is unknown. */
    private final Optional<BitSet> changed;

    RingLights(RingRecords records, RingCircuits circuits) {
        this.state = records.state();
        this.circuits = circuits;
        this.memory = state.memory();
        Lights fresh = new Lights(Common.of(state), circuits.grounds(), new IdentityHashMap<>());
        Optional<Lights> last =
                memory.before(SLOT).filter(lights -> lights.common().equals(fresh.common()));
        this.before = last.map(Lights::ofRecords).orElseGet(IdentityHashMap::new);
        this.allHold = last.filter(fresh::isBy).isPresent();
        this.changed = last.flatMap(lights -> circuits.changedSince(lights.plan()));
        this.now = allHold ? last.orElseThrow() : fresh;
        memory.keep(SLOT, now);
    }

    RingState state() {
        return state;
    }

    /** The same object as long as nothing changes by which light is qualified. */
    Object grounds() {
        return now.ofRecords();
    }

    /** Constant if nothing changed by which any light is qualified, O(members) if nothing of it did, else O(members * reach). */
    Light of(Allocation recorded) {
        Qualified known = before.get(recorded);
        if (known != null && allHold) {
            return known.light();
        }
        if (known == null || !isUntouched(recorded) && !holds(known, recorded)) {
            known = qualified(recorded, recorded.members());
        }
        if (now.ofRecords() == before) {
            // that of the pass before stays as it is
            now = new Lights(now.common(), now.plan(), new IdentityHashMap<>(before));
            memory.keep(SLOT, now);
        }
        now.ofRecords().put(recorded, known);
        return known.light();
    }

    /** Whether all of a record is where nothing has changed. */
    private boolean isUntouched(Allocation recorded) {
        BitSet positions = changed.orElse(null);
        if (positions == null) {
            return false;
        }
        for (Allocation.Group group : recorded.groups()) {
            for (Allocation.Member member : group.members()) {
                if (positions.get(member.position())) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean holds(Qualified known, Allocation recorded) {
        int index = 0;
        for (Allocation.Group group : recorded.groups()) {
            for (Allocation.Member member : group.members()) {
                if (known.devices()[index] != state.sites().device(member)
                        || !known.wanted()[index].equals(circuits.wanted(member))) {
                    return false;
                }
                index++;
            }
        }
        return true;
    }

    private Qualified qualified(Allocation recorded, List<Allocation.Member> members) {
        CrossConnects[] wanted = new CrossConnects[members.size()];
        @Nullable DeviceState[] devices = new DeviceState[members.size()];
        for (int index = 0; index < members.size(); index++) {
            wanted[index] = circuits.wanted(members.get(index));
            devices[index] = state.sites().device(members.get(index));
        }
        return new Qualified(wanted, devices, RingQualification.of(state, circuits, recorded));
    }
}
