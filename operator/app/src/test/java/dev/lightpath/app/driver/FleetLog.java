package dev.lightpath.app.driver;

import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.StageId;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Keeps what a fleet told, for a test to take. */
final class FleetLog implements FleetListener {
    final BlockingQueue<FleetChange> changes = new LinkedBlockingQueue<>();
    final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    final BlockingQueue<Reading> readings = new LinkedBlockingQueue<>();

    /** What one device of a stage answered. */
    record Answer(StageId stage, DeviceId device, ChangeOutcome outcome) {}

    /** What the devices of one stage answered. */
    record Answers(StageId stage, SortedMap<DeviceId, ChangeOutcome> outcomes) {
        boolean applied() {
            return outcomes.values().stream().allMatch(ChangeOutcome.Applied.class::isInstance);
        }
    }

    @Override
    public void changed(FleetChange change) {
        changes.add(change);
    }

    @Override
    public void answered(StageId stage, DeviceId device, ChangeOutcome outcome, Duration elapsed) {
        answers.add(new Answer(stage, device, outcome));
    }

    @Override
    public void observed(Reading reading) {
        readings.add(reading);
    }

    Answer answer() throws InterruptedException {
        Answer answer = answers.poll(30, TimeUnit.SECONDS);
        if (answer == null) {
            throw new AssertionError("no device answered");
        }
        return answer;
    }

    /** What the one device of a stage answered. */
    Answers outcome() throws InterruptedException {
        return outcomeOf(1);
    }

    /** What so many devices of one stage answered. */
    Answers outcomeOf(int devices) throws InterruptedException {
        Answer first = answer();
        SortedMap<DeviceId, ChangeOutcome> outcomes = new TreeMap<>();
        outcomes.put(first.device(), first.outcome());
        for (int i = 1; i < devices; i++) {
            Answer next = answer();
            if (!next.stage().equals(first.stage()) || outcomes.put(next.device(), next.outcome()) != null) {
                throw new AssertionError(next + " after " + outcomes + " of stage " + first.stage());
            }
        }
        return new Answers(first.stage(), outcomes);
    }

    Reading reading() throws InterruptedException {
        Reading reading = readings.poll(30, TimeUnit.SECONDS);
        if (reading == null) {
            throw new AssertionError("no reading ended");
        }
        return reading;
    }
}
