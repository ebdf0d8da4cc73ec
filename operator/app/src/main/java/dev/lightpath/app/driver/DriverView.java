package dev.lightpath.app.driver;

import dev.lightpath.app.driver.state.DeviceBoard;
import dev.lightpath.app.driver.state.DeviceFacts;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoResponse;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one driver, folded from its stream: how we stand with it, the epochs it has seen, its devices.
 * Thread-safe.
 */
public final class DriverView {
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

    private final DeviceBoard board;
    private final SeenEpochs epochs = new SeenEpochs();
    private final SeenRevisions revisions = new SeenRevisions();

    private final Optional<String> only;

    private final DigestWaits waits = new DigestWaits();
    private Contact contact = Contact.UNREACHABLE;
    private Optional<String> problem = Optional.of("not yet heard");
    private String name = "";
    private String version = "";
    private String instance = "";
    private String boot = "";
    private @Nullable Set<String> listing;
    private boolean listed;
    private @Nullable DriverState shown;
    private long shownEpoch;
    private EpochBook shownBook = EpochBook.NONE;
    private boolean plaintext;

    /** @param plaintext whether the driver is spoken to without TLS */
    synchronized void speak(boolean plaintext) {
        this.plaintext = plaintext;
        shown = null;
    }

    DriverView(SortedSet<String> roles) {
        this(roles, Optional.empty());
    }

    /** @param only the device of which the driver tells; nothing is kept of any other. Empty where it serves many */
    DriverView(SortedSet<String> roles, Optional<String> only) {
        this.board = new DeviceBoard(roles, only.isPresent());
        this.only = only;
    }

    /**
     * What is known, as the holder of this epoch should see it.
     *
     * @param epoch 0 when not leading
     * @param book in which the epoch stands
     */
    public synchronized DriverState state(long epoch, EpochBook book) {
        if (shown != null && shownEpoch == epoch && shownBook == book) {
            return shown;
        }
        SortedMap<String, DeviceState> states = board.states();
        long highest = highestEpoch();
        SortedMap<String, EpochMark> strange = strange(book);
        // one that is strange is for a person to decide on
        boolean overtaken = epoch > 0 && board.roles().stream().anyMatch(role -> epochs.passes(role, epoch, book));
        DriverState state = new DriverState(
                contact(overtaken, states),
                problemShown(epoch, overtaken, highest),
                name,
                version,
                highest < 0 ? Long.MAX_VALUE : highest,
                states,
                plaintext,
                strange,
                revisions.of(board.roles()),
                board.foreign(),
                new TreeMap<>(),
                revisions.toldOf(board.roles()));
        shown = state;
        shownEpoch = epoch;
        shownBook = book;
        return state;
    }

    private SortedMap<String, EpochMark> strange(EpochBook book) {
        SortedMap<String, EpochMark> strange = new TreeMap<>();
        for (String role : board.roles()) {
            epochs.strange(role, book).ifPresent(mark -> strange.put(role, mark));
        }
        return strange;
    }

    private Contact contact(boolean overtaken, SortedMap<String, DeviceState> states) {
        if (contact != Contact.SYNCED) {
            return contact;
        }
        if (overtaken) {
            return Contact.STALE_EPOCH;
        }
        boolean allForeign = !states.isEmpty()
                && states.values().stream().allMatch(state -> state.presence() == DeviceState.Presence.FOREIGN);
        return allForeign ? Contact.FOREIGN_ROLE : Contact.SYNCED;
    }

    private Optional<String> problemShown(long epoch, boolean overtaken, long highest) {
        if (contact != Contact.SYNCED) {
            return problem;
        }
        if (overtaken) {
            return Optional.of("epoch " + Long.toUnsignedString(highest) + " has written, ours is " + epoch
                    + (DriverState.raisable(highest)
                            ? ""
                            : " and can never be raised above it, since epochs of an operator end at "
                                    + Long.MAX_VALUE
                                    + ": end what writes such epochs for role " + highestRole()
                                    + " and have the driver forget them (docs/operating.md, StaleEpoch)"));
        }
        return board.problem();
    }

    private long highestEpoch() {
        return epochs.highest(highestRole());
    }

    private String highestRole() {
        return board.roles().stream()
                .max((one, other) -> Long.compareUnsigned(epochs.highest(one), epochs.highest(other)))
                .orElse("");
    }

    public synchronized boolean synced() {
        return contact == Contact.SYNCED;
    }

    /** Whether the device is known not to answer its driver. */
    public synchronized boolean silent(String device) {
        return board.of(device).filter(DeviceFacts::silent).isPresent();
    }

    /** Of the device's circuits as the stream shows them; empty when the driver never told of the device. */
    public synchronized Optional<String> digest(String device) {
        return board.of(device).map(DeviceFacts::digest);
    }

    public synchronized void serve(SortedSet<String> next) {
        if (!board.roles().equals(next)) {
            board.serve(next);
            shown = null;
        }
    }

    /** The driver said who it is. Another installation at the same address has stored no epoch of ours. */
    public synchronized void met(GetDriverInfoResponse info) {
        name = info.getName();
        version = info.getVersion();
        if (!instance.equals(info.getInstanceId())) {
            instance = info.getInstanceId();
            epochs.clear();
            revisions.clear();
        }
        if (!boot.equals(info.getBootId())) {
            boot = info.getBootId();
            board.doubt();
        }
        shown = null;
    }

    /** What is known stays, and counts as old until {@link WatchResponse.EventCase#SYNCED}. True when that is news. */
    public synchronized boolean lost(Contact how, String why) {
        boolean different = contact != how || !problem.equals(Optional.of(why));
        listed = false;
        contact = how;
        problem = Optional.of(why);
        shown = null;
        return different;
    }

    /** A new stream begins: devices it does not list are gone once it is synced. */
    public synchronized void list() {
        listing = new HashSet<>();
    }

    /** An agent is on every node: what it says of roles that are not ours must not fill the memory. */
    private boolean remembers(String role) {
        return only.isEmpty() || board.roles().contains(role);
    }

    /** True when that is news. */
    synchronized boolean sawEpoch(String role, EpochMark mark) {
        boolean news = remembers(role) && epochs.add(role, mark.shortened());
        if (news) {
            shown = null;
        }
        return news;
    }

    /** A stream may last longer than a leader: snapshots of its beginning do not tell what devices were told since. */
    private void sawRevision(String role, long revision) {
        if (remembers(role)) {
            revisions.add(role, revision);
        }
    }

    /** A change that tells its device this revision of the records is on its way. */
    synchronized void tells(String role, long revision) {
        revisions.tell(role, revision);
        shown = null;
    }

    /** True when that is news. */
    synchronized boolean sawHolder(String device, String role) {
        if (board.of(device).filter(said -> !said.holdingRole().equals(role)).isEmpty()) {
            return false;
        }
        about(device, known -> known.heldBy(role));
        return true;
    }

    /** Devices that another role holds. */
    public synchronized SortedSet<String> foreign() {
        return board.foreign();
    }

    /** Devices whose inventory has to be read, in order; none while the driver still lists its devices. */
    public synchronized List<String> unlisted() {
        return listing != null ? List.of() : List.copyOf(board.unlisted());
    }

    /** Takes the inventory of a device. True when that is news. */
    public synchronized boolean list(DeviceInventory inventory, Device device) {
        boolean taken = board.list(inventory, device);
        if (taken) {
            shown = null;
        }
        return taken;
    }

    /** Inventories cannot be read, for this reason. */
    public synchronized void unlistable(String why) {
        if (board.unlistable(why)) {
            shown = null;
        }
    }

    /** Completes when the device's circuits are those of the digest; at once when they are. */
    public synchronized CompletableFuture<Void> await(String device, String digest) {
        if (digest(device).equals(Optional.of(digest))) {
            return CompletableFuture.completedFuture(null);
        }
        return waits.add(device, digest);
    }

    /** Folds one message of the stream. Never throws, whatever the driver says. */
    public synchronized Heard hear(WatchResponse message) {
        return switch (message.getEventCase()) {
            case SNAPSHOT -> {
                var snapshot = message.getSnapshot();
                String device = snapshot.getDeviceId();
                if (only.filter(served -> !served.equals(device)).isPresent()) {
                    yield nothing();
                }
                if (listing != null) {
                    listing.add(device);
                }
                if (snapshot.getAvailability() == Availability.AVAILABILITY_REMOVED) {
                    yield removed(device);
                }
                board.replace(snapshot);
                boolean overtakes = !snapshot.getHoldingRole().isEmpty()
                        && sawEpoch(
                                snapshot.getHoldingRole(),
                                new EpochMark(snapshot.getHighestEpoch(), snapshot.getHighestEpochHolder()));
                sawRevision(snapshot.getHoldingRole(), snapshot.getHighestGeneration());
                FleetChange.Kind kind = syncIfRead() || overtakes ? FleetChange.Kind.CONTACT : FleetChange.Kind.DEVICE;
                yield told(device, contact == Contact.SYNCED ? kind : null, false);
            }
            case SYNCED -> {
                if (listing != null) {
                    board.retain(listing);
                    listing = null;
                }
                listed = true;
                if (!syncIfRead()) {
                    problem = Optional.of("the driver has yet to read " + board.unread() + " of its devices");
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
                boolean alarming = board.of(change.getDeviceId())
                        .filter(said -> said.breaksOrMends(change))
                        .isPresent();
                about(change.getDeviceId(), said -> said.hear(change));
                yield told(change.getDeviceId(), alarming ? FleetChange.Kind.DEVICE : FleetChange.Kind.PORTS, false);
            }
            case ALARM_CHANGED -> {
                var change = message.getAlarmChanged();
                about(change.getDeviceId(), said -> said.hear(change));
                yield told(change.getDeviceId(), FleetChange.Kind.DEVICE, false);
            }
            case OPERATION_CHANGED -> {
                var operation = message.getOperationChanged().getOperation();
                about(operation.getDeviceId(), said -> said.hear(operation));
                var fencing = operation.getFencing();
                boolean overtakes = !fencing.getRole().isEmpty()
                        && sawEpoch(fencing.getRole(), new EpochMark(fencing.getEpoch(), fencing.getHolder()));
                sawRevision(fencing.getRole(), operation.getDesiredGeneration());
                yield told(
                        operation.getDeviceId(),
                        overtakes ? FleetChange.Kind.CONTACT : FleetChange.Kind.CIRCUITS,
                        false);
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
            case INVENTORY_CHANGED -> {
                var change = message.getInventoryChanged();
                board.changed(change.getDeviceId(), change.getInventoryRevision());
                yield told(change.getDeviceId(), FleetChange.Kind.DEVICE, false);
            }
            // A snapshot follows.
            case POWER_CYCLED, ENVIRONMENT_CHANGED, HEARTBEAT, EVENT_NOT_SET -> nothing();
        };
    }

    /** A driver that has just started knows of no device whether it answers: it is synced once it has asked them. */
    private boolean syncIfRead() {
        return listed && board.unread() == 0 && sync();
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
        return board.of(device).filter(DeviceFacts::consistent).isPresent();
    }

    private void about(String device, Consumer<DeviceFacts> update) {
        board.about(device, update);
        shown = null;
    }

    private Heard removed(String device) {
        board.remove(device);
        return told(device, FleetChange.Kind.DEVICE, false);
    }

    private Heard told(String device, FleetChange.@Nullable Kind kind, boolean lost) {
        shown = null;
        List<CompletableFuture<Void>> reached = waits.over(device, () -> digest(device));
        return new Heard(Optional.ofNullable(kind), Optional.of(device), lost, reached);
    }

    private static Heard nothing() {
        return new Heard(Optional.empty(), Optional.empty(), false, List.of());
    }
}
