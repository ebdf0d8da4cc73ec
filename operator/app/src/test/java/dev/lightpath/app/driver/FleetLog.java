package dev.lightpath.app.driver;

import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.light.StageOutcome;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Keeps what a fleet told, for a test to take. */
final class FleetLog implements FleetListener {
    final BlockingQueue<FleetChange> changes = new LinkedBlockingQueue<>();
    final BlockingQueue<StageOutcome> outcomes = new LinkedBlockingQueue<>();
    final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    final BlockingQueue<Reading> readings = new LinkedBlockingQueue<>();

    @Override
    public void changed(FleetChange change) {
        changes.add(change);
    }

    @Override
    public void resolved(StageOutcome outcome) {
        outcomes.add(outcome);
    }

    @Override
    public void answered(StageId stage, DeviceId device, ChangeOutcome outcome, Duration elapsed) {
        answers.add(stage + " " + device.device());
    }

    @Override
    public void observed(Reading reading) {
        readings.add(reading);
    }

    StageOutcome outcome() throws InterruptedException {
        StageOutcome outcome = outcomes.poll(30, TimeUnit.SECONDS);
        if (outcome == null) {
            throw new AssertionError("no stage was resolved");
        }
        return outcome;
    }

    Reading reading() throws InterruptedException {
        Reading reading = readings.poll(30, TimeUnit.SECONDS);
        if (reading == null) {
            throw new AssertionError("no reading ended");
        }
        return reading;
    }
}
