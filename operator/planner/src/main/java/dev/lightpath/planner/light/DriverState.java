package dev.lightpath.planner.light;

import dev.lightpath.planner.memory.FixedMap;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A driver server as last reported, or the drivers of a fabric's nodes as one: it is synced when these can be judged,
 * and devices of those that are away are {@link DeviceState.Presence#AWAY}.
 *
 * @param contact whether its stream is alive and complete; when it is not, {@code devices} holds what was last known
 *     and nothing may be concluded or changed
 * @param problem what prevents contact, for a person
 * @param name and version as it names itself
 * @param highestEpoch the highest fencing epoch that it reports for this role, 0 when it has none;
 *     {@link Long#MAX_VALUE} stands for all values from there on: no epoch of the operator can be above them
 * @param devices by the driver's name for them
 * @param plaintext whether the connection has no TLS
 * @param strange by role, an epoch that devices were written under and that this installation never gave: their
 *     circuits may be younger than its records
 * @param foreign of its devices, those that another role holds
 * @param revisions by role, the highest revision of records that devices remember, unless this process told it to them
 * @param agents of drivers that are many, what each says of that kind, or of another role that holds its device, by
 *     device: one of them alone is no evidence against the others. What {@code strange} and {@code revisions} tell is
 *     then told by two of them
 * @param told by role, the highest revision of records that this process told to devices
 */
public record DriverState(
        Contact contact,
        Optional<String> problem,
        String name,
        String version,
        long highestEpoch,
        SortedMap<String, DeviceState> devices,
        boolean plaintext,
        SortedMap<String, EpochMark> strange,
        SortedMap<String, Long> revisions,
        SortedSet<String> foreign,
        SortedMap<String, AgentMemory> agents,
        SortedMap<String, Long> told) {

    /** One driver of all its devices that this process told no revision. */
    public DriverState(
            Contact contact,
            Optional<String> problem,
            String name,
            String version,
            long highestEpoch,
            SortedMap<String, DeviceState> devices,
            boolean plaintext,
            SortedMap<String, EpochMark> strange,
            SortedMap<String, Long> revisions,
            SortedSet<String> foreign) {
        this(
                contact,
                problem,
                name,
                version,
                highestEpoch,
                devices,
                plaintext,
                strange,
                revisions,
                foreign,
                new TreeMap<>(),
                new TreeMap<>());
    }

    /** A driver reached by TLS, to which no other operator writes under the same role. */
    public DriverState(
            Contact contact,
            Optional<String> problem,
            String name,
            String version,
            long highestEpoch,
            SortedMap<String, DeviceState> devices) {
        this(
                contact,
                problem,
                name,
                version,
                highestEpoch,
                devices,
                false,
                new TreeMap<>(),
                new TreeMap<>(),
                foreign(devices));
    }

    /** State of the connection to a driver. */
    public enum Contact {
        /** The stream is synced: the known state is the present one. */
        SYNCED,
        UNREACHABLE,
        AUTHENTICATION_FAILED,
        CONTRACT_MISMATCH,
        /** It has seen a higher epoch: another process of this installation leads, or it is not known yet which one. */
        STALE_EPOCH,
        /** Another role holds the device until an administrator transfers it. */
        FOREIGN_ROLE
    }

    public DriverState {
        devices = FixedMap.copyOf(devices);
        strange = Collections.unmodifiableSortedMap(new TreeMap<>(strange));
        revisions = Collections.unmodifiableSortedMap(new TreeMap<>(revisions));
        foreign = Collections.unmodifiableSortedSet(new TreeSet<>(foreign));
        agents = Collections.unmodifiableSortedMap(new TreeMap<>(agents));
        told = Collections.unmodifiableSortedMap(new TreeMap<>(told));
    }

    /** The same with another state of one of its devices. O(devices). */
    public DriverState with(String device, DeviceState state) {
        SortedMap<String, DeviceState> others = new TreeMap<>(devices);
        others.put(device, state);
        return new DriverState(
                contact,
                problem,
                name,
                version,
                highestEpoch,
                others,
                plaintext,
                strange,
                revisions,
                foreign,
                agents,
                told);
    }

    /** The highest revision of a role's records that devices are known to remember, whoever told them; 0 for none. */
    public long remembered(String role) {
        return Math.max(revisions.getOrDefault(role, 0L), told.getOrDefault(role, 0L));
    }

    /** Those that another role holds. O(devices). */
    public static SortedSet<String> foreign(SortedMap<String, DeviceState> devices) {
        SortedSet<String> foreign = new TreeSet<>();
        devices.forEach((name, device) -> {
            if (device.presence() == DeviceState.Presence.FOREIGN) {
                foreign.add(name);
            }
        });
        return foreign;
    }

    public boolean synced() {
        return contact == Contact.SYNCED;
    }

    /** Whether an epoch of the operator can be above this one. The epoch is unsigned. */
    public static boolean raisable(long epoch) {
        return epoch >= 0 && epoch < Long.MAX_VALUE;
    }

    /** A driver that was never reached. */
    public static DriverState unheard(String problem) {
        return new DriverState(Contact.UNREACHABLE, Optional.of(problem), "", "", 0, new TreeMap<>());
    }
}
