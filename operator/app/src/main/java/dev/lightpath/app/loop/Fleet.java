package dev.lightpath.app.loop;

import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Stage;
import java.util.SortedMap;
import java.util.SortedSet;

/** The devices, as the loop sees them: what is known, and two things to start. Nothing here waits. */
public interface Fleet {
    /** What is known of every driver now, by endpoint. */
    SortedMap<String, DriverState> states();

    /** Starts a stage; its devices' outcomes come back one by one. */
    void start(Stage stage);

    /** Starts reading devices; the loop hears when that is done. */
    void observe(SortedSet<DeviceId> devices);
}
