package dev.lightpath.app.driver.state;

import dev.lightpath.planner.light.Inventory;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The inventories of the devices of one driver. If a driver reports another revision than the one that was read, the
 * inventory is unknown until it is read again. Equal inventories share one value. Not thread-safe.
 */
final class InventoryBook {
    private record Listed(String revision, Inventory inventory) {}

    private final Map<String, Listed> read = new HashMap<>();
    private final Map<Inventory, Inventory> alike = new HashMap<>();
    private final SortedSet<String> outdated = new TreeSet<>();

    /** The driver names the revision of a device that answers. True when what is known of it changed. */
    boolean told(String device, String revision) {
        Listed listed = read.get(device);
        return listed != null && listed.revision().equals(revision) ? outdated.remove(device) : outdated.add(device);
    }

    /** Another run of the driver may count its revisions anew. */
    void doubt() {
        read.clear();
        alike.clear();
        outdated.clear();
    }

    void forget(String device) {
        read.remove(device);
        outdated.remove(device);
    }

    /** Devices whose inventory has to be read. */
    SortedSet<String> outdated() {
        return Collections.unmodifiableSortedSet(outdated);
    }

    /** Takes what was read of a device that had to be. False when it did not. */
    boolean take(DeviceInventory listed, Device device) {
        if (!outdated.remove(listed.getDeviceId())) {
            return false;
        }
        Inventory inventory = InventoryCodec.inventory(listed, device);
        Inventory shared = alike.computeIfAbsent(inventory, first -> first);
        read.put(listed.getDeviceId(), new Listed(listed.getInventoryRevision(), shared));
        if (alike.size() > 2 * read.size()) {
            // those of before are no device's any more
            alike.clear();
            read.values().forEach(known -> alike.put(known.inventory(), known.inventory()));
        }
        return true;
    }

    /** How many different ones are kept, those of devices among them. */
    int kept() {
        return alike.size();
    }

    /** Empty until it is read. */
    Optional<Inventory> of(String device) {
        return outdated.contains(device)
                ? Optional.empty()
                : Optional.ofNullable(read.get(device)).map(Listed::inventory);
    }
}
