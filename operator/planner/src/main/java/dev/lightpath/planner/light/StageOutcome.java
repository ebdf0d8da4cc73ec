package dev.lightpath.planner.light;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a stage ended: one outcome for each of its devices.
 *
 * @throws IllegalArgumentException when a device of the stage has no outcome, or another has one
 */
public record StageOutcome(Stage stage, SortedMap<DeviceId, ChangeOutcome> outcomes) {
    public StageOutcome {
        outcomes = Collections.unmodifiableSortedMap(new TreeMap<>(outcomes));
        if (!outcomes.keySet().equals(stage.devices())) {
            throw new IllegalArgumentException(
                    "stage " + stage.id() + " changes " + stage.devices() + ", outcomes are of " + outcomes.keySet());
        }
    }

    /** Whether every device is as the stage requested. */
    public boolean applied() {
        return outcomes.values().stream().allMatch(ChangeOutcome.Applied.class::isInstance);
    }
}
