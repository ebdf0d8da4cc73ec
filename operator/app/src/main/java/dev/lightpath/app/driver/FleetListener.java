package dev.lightpath.app.driver;

import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.StageOutcome;
import java.time.Duration;

/**
 * Hears from the fleet, on any thread and in no order between drivers. Must return at once: wake a loop, no more.
 * {@link DriverFleet#states()} shows at least what is told of.
 */
public interface FleetListener {
    /** Something is known that was not before. Called for every change; coalesce. */
    void changed(FleetChange change);

    /** A stage ended. Exactly once for each {@link DriverFleet#start} while the fleet is open. */
    void resolved(StageOutcome outcome);

    /** A reading ended. Exactly once for each {@link DriverFleet#observe} while the fleet is open. */
    void observed(Reading reading);

    /** One device of a stage answered, or did not; {@code elapsed} since it was asked. For metrics. */
    default void answered(DeviceId device, ChangeOutcome outcome, Duration elapsed) {}
}
