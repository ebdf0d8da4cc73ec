package dev.lightpath.app.driver;

import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoResponse;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one driver, folded from its stream. An update costs its own size; decoding waits until somebody
 * looks, and then concerns only the devices with news. Thread-safe.
 */
final class DriverView {
    /** A wait for a device's circuits to be those of a digest. */
    private record Wait(String digest, CompletableFuture<Void> reached) {}

    /**
     * What an event brought.
     *
     * @param kind empty when there is nothing to tell
     * @param lost whether the event shows that an earlier one was lost
     * @param reached waits that are over; to be completed by the caller, outside of any lock
     */
    record Heard(
            Optional<FleetChange.Kind> kind,
            Optional<String> device,
            boolean lost,
            List<CompletableFuture<Void>> reached) {}

    private final Map<String, DeviceFacts> facts = new HashMap<>();
    private final SortedMap<String, DeviceState> states = new TreeMap<>();
    private final SortedMap<String, String> problems = new TreeMap<>();
    private final Set<String> news = new HashSet<>();
    private final Map<String, Long> highestEpochs = new HashMap<>();
    private final Map<String, List<Wait>> waits = new HashMap<>();
    private SortedSet<String> roles;
    private Contact contact = Contact.UNREACHABLE;
    private Optional<String> problem = Optional.of("not yet heard");
    private String name = "";
    private String version = "";
    private String instance = "";
    private final Set<String> unread = new HashSet<>();
    private @Nullable Set<String> listing;
    private boolean listed;
    private @Nullable DriverState shown;
    private long shownEpoch;

    DriverView(SortedSet<String> roles) {
        this.roles = roles;
    }

    /** What is known, as the holder of this epoch should see it; 0 when not leading. */
    synchronized DriverState state(long epoch) {
        if (shown != null && shownEpoch == epoch) {
            return shown;
        }
        for (String device : news) {
            DeviceFacts said = facts.get(device);
            problems.remove(device);
            if (said == null) {
                states.remove(device);
            } else {
                ProtoCodec.Decoded decoded = ProtoCodec.device(said, roles);
                states.put(device, decoded.state());
                decoded.problem().ifPresent(text -> problems.put(device, text));
            }
        }
        news.clear();
        long highest = highestEpoch();
        DriverState state =
                new DriverState(contact(epoch, highest), problemShown(epoch, highest), name, version, highest, states);
        shown = state;
        shownEpoch = epoch;
        return state;
    }

    private Contact contact(long epoch, long highest) {
        if (contact != Contact.SYNCED) {
            return contact;
        }
        if (epoch > 0 && highest > epoch) {
            return Contact.STALE_EPOCH;
        }
        boolean allForeign = !states.isEmpty()
                && states.values().stream().allMatch(state -> state.presence() == DeviceState.Presence.FOREIGN);
        return allForeign ? Contact.FOREIGN_ROLE : Contact.SYNCED;
    }

    private Optional<String> problemShown(long epoch, long highest) {
        if (contact != Contact.SYNCED) {
            return problem;
        }
        if (epoch > 0 && highest > epoch) {
            return Optional.of("epoch " + highest + " has written, ours is " + epoch);
        }
        List<String> texts = new ArrayList<>();
        problems.forEach((device, text) -> texts.add("device " + device + ": " + text));
        List<String> foreign = states.entrySet().stream()
                .filter(entry -> entry.getValue().presence() == DeviceState.Presence.FOREIGN)
                .map(Map.Entry::getKey)
                .toList();
        if (!foreign.isEmpty()) {
            texts.add("another role holds " + foreign.size() + " of its devices, " + foreign.getFirst()
                    + " the first; TransferScope gives them to " + String.join(" or ", roles));
        }
        if (texts.size() > 3) {
            return Optional.of(String.join("; ", texts.subList(0, 3)) + "; and " + (texts.size() - 3) + " more");
        }
        return texts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", texts));
    }

    private long highestEpoch() {
        return roles.stream()
                .mapToLong(role -> highestEpochs.getOrDefault(role, 0L))
                .max()
                .orElse(0);
    }

    synchronized boolean synced() {
        return contact == Contact.SYNCED;
    }

    /** Whether the device is known not to answer its driver. */
    synchronized boolean silent(String device) {
        DeviceFacts said = facts.get(device);
        return said != null && said.silent();
    }

    /** Of the device's circuits as the stream shows them; empty when the driver never told of the device. */
    synchronized Optional<String> digest(String device) {
        return Optional.ofNullable(facts.get(device)).map(DeviceFacts::digest);
    }

    synchronized void serve(SortedSet<String> next) {
        if (!roles.equals(next)) {
            roles = next;
            news.addAll(facts.keySet());
            shown = null;
        }
    }

    /** The driver said who it is. Another installation at the same address has stored no epoch of ours. */
    synchronized void met(GetDriverInfoResponse info) {
        name = info.getName();
        version = info.getVersion();
        if (!instance.equals(info.getInstanceId())) {
            instance = info.getInstanceId();
            highestEpochs.clear();
        }
        shown = null;
    }

    /** What is known stays, and counts as old until {@link WatchResponse.EventCase#SYNCED}. True when that is news. */
    synchronized boolean lost(Contact how, String why) {
        boolean different = contact != how || !problem.equals(Optional.of(why));
        listed = false;
        contact = how;
        problem = Optional.of(why);
        shown = null;
        return different;
    }

    /** A new stream begins: devices it does not list are gone once it is synced. */
    synchronized void list() {
        listing = new HashSet<>();
    }

    /** True when that is news. */
    synchronized boolean sawEpoch(String role, long epoch) {
        boolean higher = epoch > highestEpochs.getOrDefault(role, 0L);
        if (higher) {
            highestEpochs.put(role, epoch);
            shown = null;
        }
        return higher;
    }

    /** True when that is news. */
    synchronized boolean sawHolder(String device, String role) {
        DeviceFacts said = facts.get(device);
        if (said == null || said.holdingRole().equals(role)) {
            return false;
        }
        about(device, known -> known.heldBy(role));
        return true;
    }

    /** Devices that another role holds. */
    synchronized SortedSet<String> foreign() {
        SortedSet<String> foreign = new TreeSet<>();
        facts.forEach((device, said) -> {
            if (!said.holdingRole().isEmpty() && !roles.contains(said.holdingRole())) {
                foreign.add(device);
            }
        });
        return foreign;
    }

    /** Completes when the device's circuits are those of the digest; at once when they are. */
    synchronized CompletableFuture<Void> await(String device, String digest) {
        DeviceFacts said = facts.get(device);
        if (said != null && said.digest().equals(digest)) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> reached = new CompletableFuture<>();
        waits.computeIfAbsent(device, key -> new ArrayList<>()).add(new Wait(digest, reached));
        return reached;
    }

    /** Folds one message of the stream. Never throws, whatever the driver says. */
    synchronized Heard hear(WatchResponse message) {
        return switch (message.getEventCase()) {
            case SNAPSHOT -> {
                var snapshot = message.getSnapshot();
                String device = snapshot.getDeviceId();
                if (listing != null) {
                    listing.add(device);
                }
                if (snapshot.getAvailability() == Availability.AVAILABILITY_REMOVED) {
                    yield removed(device);
                }
                DeviceFacts said = facts.computeIfAbsent(device, key -> new DeviceFacts());
                said.replace(snapshot);
                if (said.unread()) {
                    unread.add(device);
                } else {
                    unread.remove(device);
                }
                if (!snapshot.getHoldingRole().isEmpty()) {
                    sawEpoch(snapshot.getHoldingRole(), snapshot.getHighestEpoch());
                }
                FleetChange.Kind kind = syncIfRead() ? FleetChange.Kind.CONTACT : FleetChange.Kind.DEVICE;
                yield told(device, contact == Contact.SYNCED ? kind : null, false);
            }
            case SYNCED -> {
                if (listing != null) {
                    Set<String> listed = listing;
                    List.copyOf(facts.keySet()).stream()
                            .filter(device -> !listed.contains(device))
                            .forEach(this::removed);
                    listing = null;
                }
                listed = true;
                if (!syncIfRead()) {
                    problem = Optional.of("the driver has yet to read " + unread.size() + " of its devices");
                    shown = null;
                }
                yield new Heard(Optional.of(FleetChange.Kind.CONTACT), Optional.empty(), false, List.of());
            }
            case CIRCUITS_CHANGED -> {
                var change = message.getCircuitsChanged();
                boolean sound = sound(change.getDeviceId());
                about(change.getDeviceId(), said -> said.hear(change));
                yield told(change.getDeviceId(), FleetChange.Kind.CIRCUITS, sound && !sound(change.getDeviceId()));
            }
            case FOREIGN_CHANGE -> {
                var change = message.getForeignChange();
                about(change.getDeviceId(), said -> said.hear(change));
                yield told(change.getDeviceId(), FleetChange.Kind.CIRCUITS, false);
            }
            case PORTS_CHANGED -> {
                var change = message.getPortsChanged();
                about(change.getDeviceId(), said -> said.hear(change));
                yield told(change.getDeviceId(), FleetChange.Kind.PORTS, false);
            }
            case ALARM_CHANGED -> {
                var change = message.getAlarmChanged();
                about(change.getDeviceId(), said -> said.hear(change));
                yield told(change.getDeviceId(), FleetChange.Kind.DEVICE, false);
            }
            case OPERATION_CHANGED -> {
                var operation = message.getOperationChanged().getOperation();
                about(operation.getDeviceId(), said -> said.hear(operation));
                if (!operation.getFencing().getRole().isEmpty()) {
                    sawEpoch(
                            operation.getFencing().getRole(),
                            operation.getFencing().getEpoch());
                }
                yield told(operation.getDeviceId(), FleetChange.Kind.CIRCUITS, false);
            }
            case AVAILABILITY_CHANGED -> {
                var change = message.getAvailabilityChanged();
                yield switch (change.getAvailability()) {
                    case AVAILABILITY_REMOVED -> removed(change.getDeviceId());
                    case AVAILABILITY_SILENT -> {
                        about(change.getDeviceId(), DeviceFacts::fallSilent);
                        yield told(change.getDeviceId(), FleetChange.Kind.DEVICE, false);
                    }
                    // The snapshot that follows says what it came back with.
                    case AVAILABILITY_PRESENT, AVAILABILITY_UNSPECIFIED, UNRECOGNIZED -> nothing();
                };
            }
            // A snapshot follows.
            case POWER_CYCLED, INVENTORY_CHANGED, ENVIRONMENT_CHANGED, HEARTBEAT, EVENT_NOT_SET -> nothing();
        };
    }

    /** A driver that has just started knows of no device whether it answers: it is synced once it has asked them. */
    private boolean syncIfRead() {
        return listed && unread.isEmpty() && sync();
    }

    /** Devices that the driver could not read by now do not answer it. True when that is news. */
    synchronized boolean syncAsListed() {
        return listed && sync();
    }

    private boolean sync() {
        listed = false;
        contact = Contact.SYNCED;
        problem = Optional.empty();
        shown = null;
        return true;
    }

    private boolean sound(String device) {
        DeviceFacts said = facts.get(device);
        return said != null && said.consistent();
    }

    private void about(String device, Consumer<DeviceFacts> said) {
        DeviceFacts known = facts.get(device);
        if (known != null) {
            said.accept(known);
            news.add(device);
            shown = null;
        }
    }

    private Heard removed(String device) {
        facts.remove(device);
        unread.remove(device);
        return told(device, FleetChange.Kind.DEVICE, false);
    }

    private Heard told(String device, FleetChange.@Nullable Kind kind, boolean lost) {
        news.add(device);
        shown = null;
        List<CompletableFuture<Void>> reached = new ArrayList<>();
        List<Wait> waiting = waits.getOrDefault(device, List.of());
        DeviceFacts said = facts.get(device);
        if (said != null && !waiting.isEmpty()) {
            waiting.removeIf(wait ->
                    wait.reached().isDone() || (said.digest().equals(wait.digest()) && reached.add(wait.reached())));
            if (waiting.isEmpty()) {
                waits.remove(device);
            }
        }
        return new Heard(Optional.ofNullable(kind), Optional.of(device), lost, reached);
    }

    private static Heard nothing() {
        return new Heard(Optional.empty(), Optional.empty(), false, List.of());
    }
}
