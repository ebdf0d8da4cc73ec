package dev.lightpath.app.driver;

import dev.lightpath.planner.light.DeviceId;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What came of reading devices from their hardware.
 *
 * @param read these were read, or are known to be silent: their states are up to date
 * @param unread these could not be read, with the reason: nothing may be concluded
 */
public record Reading(SortedSet<DeviceId> read, SortedMap<DeviceId, String> unread) {
    public Reading {
        read = Collections.unmodifiableSortedSet(new TreeSet<>(read));
        unread = Collections.unmodifiableSortedMap(new TreeMap<>(unread));
    }

    public static Reading none() {
        return new Reading(new TreeSet<>(), new TreeMap<>());
    }

    public static Reading done(String driver, Collection<String> devices) {
        SortedSet<DeviceId> read = new TreeSet<>();
        devices.forEach(device -> read.add(new DeviceId(driver, device)));
        return new Reading(read, new TreeMap<>());
    }

    public static Reading failed(String driver, Collection<String> devices, String why) {
        SortedMap<DeviceId, String> unread = new TreeMap<>();
        devices.forEach(device -> unread.put(new DeviceId(driver, device), why));
        return new Reading(new TreeSet<>(), unread);
    }

    public Reading and(Reading other) {
        SortedSet<DeviceId> allRead = new TreeSet<>(read);
        allRead.addAll(other.read());
        SortedMap<DeviceId, String> allUnread = new TreeMap<>(unread);
        allUnread.putAll(other.unread());
        return new Reading(allRead, allUnread);
    }
}
