package dev.lightpath.app.kueue;

import java.util.Optional;

/** Whether a TrainingJob stands for a Workload, and who answers its check. */
public sealed interface Standing {
    /** None does. */
    record Nobody() implements Standing {}

    /** One does, and answers whenever it is looked at. */
    record Answered() implements Standing {}

    /**
     * One of pods of kind Pod does. It answers the Workload by which all of its pods are admitted. Pods without a group
     * have a Workload each, and any number of them.
     *
     * @param told whether all that stand for it had their first status
     * @param refusal why it is not accepted; empty while it is, or waits for quota, or nothing was told of it
     * @param gated whether a pod of the Workload may wait behind the gate of light: a launcher is let go at once
     */
    record ByLabel(boolean told, Optional<String> refusal, boolean gated) implements Standing {}
}
