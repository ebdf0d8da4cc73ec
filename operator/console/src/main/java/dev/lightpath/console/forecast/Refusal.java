package dev.lightpath.console.forecast;

import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.OpticalFabric;
import java.util.Optional;

/** Why a fabric gives a job nothing, in the words of the condition that the job would get. */
record Refusal(Reason reason, String message) {
    static Refusal noFabric(String field, String fabric) {
        return new Refusal(Reason.FABRIC_NOT_FOUND, "spec." + field + ".fabric: there is no OpticalFabric " + fabric);
    }

    static Optional<Refusal> noRing(OpticalFabric fabric) {
        return fabric.getSpec().ocsTrx() != null
                ? Optional.empty()
                : Optional.of(new Refusal(
                        Reason.FABRIC_KIND_MISMATCH,
                        "spec.scaleUp.fabric: " + fabric.getMetadata().getName()
                                + " has optical circuit switches (ocs); scaleUp needs transceivers (ocsTrx)"));
    }

    static Optional<Refusal> noSwitches(OpticalFabric fabric) {
        return fabric.getSpec().ocs() != null
                ? Optional.empty()
                : Optional.of(new Refusal(
                        Reason.FABRIC_KIND_MISMATCH,
                        "spec.scaleOut.fabric: " + fabric.getMetadata().getName()
                                + " has transceivers (ocsTrx); scaleOut needs optical circuit switches (ocs)"));
    }
}
