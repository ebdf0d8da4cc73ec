package dev.lightpath.app.driver.state;

import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
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
import java.util.function.Consumer;

/**
 * The devices of one driver: the reports about each, and the state derived from them when it is read. Reading costs
 * only the devices with new reports. Not thread-safe.
 */
public final class DeviceBoard {
    private static final int PROBLEMS_SHOWN = 3;

    private final Map<String, DeviceFacts> facts = new HashMap<>();
    private final SortedMap<String, DeviceState> states = new TreeMap<>();
    private final SortedMap<String, String> problems = new TreeMap<>();
    private final SortedSet<String> foreign = new TreeSet<>();
    private final Set<String> news = new HashSet<>();
    private final Set<String> unread = new HashSet<>();
    private final SharedCircuits shared = new SharedCircuits();
    private final InventoryBook inventories = new InventoryBook();
    private Optional<String> unlistable = Optional.empty();
    private final boolean bounded;
    private SortedSet<String> roles;

    public DeviceBoard(SortedSet<String> roles) {
        this(roles, false);
    }

    /** @param bounded whether only so much is kept of a device as an agent may tell */
    public DeviceBoard(SortedSet<String> roles, boolean bounded) {
        this.roles = roles;
        this.bounded = bounded;
    }

    public SortedSet<String> roles() {
        return roles;
    }

    /** Roles that are ours from now on. */
    public void serve(SortedSet<String> next) {
        roles = next;
        news.addAll(facts.keySet());
    }

    public void replace(DeviceSnapshot snapshot) {
        String device = snapshot.getDeviceId();
        DeviceFacts said = facts.computeIfAbsent(device, key -> new DeviceFacts(new Room(bounded)));
        said.replace(snapshot);
        if (said.unread() && !isUnreached(snapshot)) {
            unread.add(device);
        } else {
            unread.remove(device);
        }
        if (!said.silent()) {
            inventories.told(device, snapshot.getInventoryRevision());
        }
        news.add(device);
    }

    /** Whether the driver has never reached a device, and has told why: it is not about to read it. */
    private static boolean isUnreached(DeviceSnapshot snapshot) {
        return snapshot.getKind() == DeviceKind.DEVICE_KIND_UNSPECIFIED
                && AlarmReading.silence(snapshot.getAlarmsList()).isPresent();
    }

    /** A device that was listed consists of other parts now. */
    public void changed(String device, String revision) {
        if (facts.containsKey(device) && inventories.told(device, revision)) {
            news.add(device);
        }
    }

    /** Another run of the driver: what its devices consist of is read anew. */
    public void doubt() {
        inventories.doubt();
        news.addAll(facts.keySet());
    }

    /** Devices whose inventory has to be read. */
    public SortedSet<String> unlisted() {
        return inventories.outdated();
    }

    /** Takes the inventory of a device; false when it was not waited for. */
    public boolean list(DeviceInventory listed, Device device) {
        boolean taken = inventories.take(listed, device);
        if (taken) {
            unlistable = Optional.empty();
            news.add(listed.getDeviceId());
        }
        return taken;
    }

    /** Inventories cannot be read, for this reason. True when that is news. */
    public boolean unlistable(String why) {
        boolean news = !unlistable.equals(Optional.of(why));
        unlistable = Optional.of(why);
        return news;
    }

    /** Takes an update; one about a device that was never listed is nonsense and is dropped. */
    public void about(String device, Consumer<DeviceFacts> update) {
        DeviceFacts said = facts.get(device);
        if (said != null) {
            update.accept(said);
            news.add(device);
        }
    }

    public void remove(String device) {
        facts.remove(device);
        unread.remove(device);
        inventories.forget(device);
        news.add(device);
    }

    public void retain(Set<String> listed) {
        List.copyOf(facts.keySet()).stream()
                .filter(device -> !listed.contains(device))
                .forEach(this::remove);
    }

    public Optional<DeviceFacts> of(String device) {
        return Optional.ofNullable(facts.get(device));
    }

    /** Number of devices that this run of the driver has not read yet. */
    public int unread() {
        return unread.size();
    }

    /** Devices that another role holds. */
    public SortedSet<String> foreign() {
        takeIn();
        return new TreeSet<>(foreign);
    }

    /** The devices as they are now; not to be changed, and only valid until the next update. */
    public SortedMap<String, DeviceState> states() {
        takeIn();
        return states;
    }

    private void takeIn() {
        for (String device : news) {
            DeviceFacts said = facts.get(device);
            problems.remove(device);
            if (said == null || said.holdingRole().isEmpty() || roles.contains(said.holdingRole())) {
                foreign.remove(device);
            } else {
                foreign.add(device);
            }
            if (said == null) {
                states.remove(device);
            } else {
                ProtoCodec.Decoded decoded = ProtoCodec.device(said, roles, inventories.of(device), shared::of);
                states.put(device, decoded.state());
                decoded.problem().ifPresent(text -> problems.put(device, text));
            }
        }
        news.clear();
    }

    /** What is wrong with single devices, for a person; the first few when there are many. */
    public Optional<String> problem() {
        takeIn();
        List<String> texts = new ArrayList<>();
        problems.forEach((device, text) -> texts.add("device " + device + ": " + text));
        foreign.stream()
                .findFirst()
                .ifPresent(first -> texts.add("another role holds " + foreign.size() + " of its devices, " + first
                        + " the first; TransferScope gives them to " + String.join(" or ", roles)));
        SortedSet<String> unlisted = inventories.outdated();
        unlistable
                .filter(why -> !unlisted.isEmpty())
                .ifPresent(why -> texts.add(
                        0,
                        "what " + unlisted.size() + " of its devices consist of cannot be read, " + unlisted.first()
                                + " the first, so no light is moved there: " + why));
        if (texts.size() > PROBLEMS_SHOWN) {
            return Optional.of(String.join("; ", texts.subList(0, PROBLEMS_SHOWN)) + "; and "
                    + (texts.size() - PROBLEMS_SHOWN) + " more");
        }
        return texts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", texts));
    }
}
