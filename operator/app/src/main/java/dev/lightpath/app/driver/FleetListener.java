package dev.lightpath.app.driver;

import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.StageId;
import java.time.Duration;

/**
 * Hears from the fleet, on any thread and in no order between drivers. Must return at once: wake a loop, no more.
 * {@link DriverFleet#states()} shows at least what is told of.
 */
public interface FleetListener {
    /** Something is known that was not before. Called for every change; coalesce. */
    void changed(FleetChange change);

    /**
     * A device of a stage has its outcome. Exactly once for each device of each {@link DriverFleet#start} while the
     * fleet is open, each as soon as it is known.
     *
     * @param elapsed since the stage was started
     */
    void answered(StageId stage, DeviceId device, ChangeOutcome outcome, Duration elapsed);

    /** A reading ended. Exactly once for each {@link DriverFleet#observe} while the fleet is open. */
    void observed(Reading reading);
}
