package dev.lightpath.cli.cluster.doctor;

import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the operator says of fabrics, switches and their drivers. */
final class ConditionCheck {
    private ConditionCheck() {}

    /**
     * The fabrics and switches are as planned, and the operator has seen their last change. What is not Ready because it
     * is not connected is told by {@link #drivers} alone.
     */
    static Diagnosis fabrics(Collection<OpticalFabric> fabrics, Collection<OpticalSwitch> switches) {
        List<Finding> findings = new ArrayList<>();
        if (fabrics.isEmpty()) {
            findings.add(Finding.warning(
                    "opticalfabric", "there is none", "describe one (docs/install.md, \"A fabric and a first job\")"));
        }
        for (OpticalFabric fabric : fabrics) {
            String where = "opticalfabric/" + fabric.getMetadata().getName();
            ready(where, conditions(fabric), fabric.getMetadata().getGeneration(), findings);
        }
        List<String> names =
                fabrics.stream().map(fabric -> fabric.getMetadata().getName()).toList();
        for (OpticalSwitch of : switches) {
            String where = "opticalswitch/" + of.getMetadata().getName();
            if (!names.contains(of.getSpec().fabric())) {
                findings.add(Finding.wrong(
                        where,
                        "is of fabric " + of.getSpec().fabric() + ", which is not there",
                        "correct spec.fabric, or create the OpticalFabric"));
            } else {
                ready(where, conditions(of), of.getMetadata().getGeneration(), findings);
            }
        }
        long ready = fabrics.stream().filter(each -> isReady(conditions(each))).count();
        long readySwitches =
                switches.stream().filter(each -> isReady(conditions(each))).count();
        String done = fabrics.size() == ready && switches.size() == readySwitches
                ? ready + " Ready, with " + readySwitches + " switches"
                : "Ready: " + ready + " of " + fabrics.size() + ", switches: " + readySwitches + " of "
                        + switches.size() + "; for the rest see the check drivers";
        return new Diagnosis("fabrics", done, findings);
    }

    /** The operator reaches the drivers. */
    static Diagnosis drivers(Collection<OpticalFabric> fabrics, Collection<OpticalSwitch> switches) {
        List<Finding> findings = new ArrayList<>();
        fabrics.forEach(
                fabric -> reached("opticalfabric/" + fabric.getMetadata().getName(), conditions(fabric), findings));
        switches.forEach(of -> reached("opticalswitch/" + of.getMetadata().getName(), conditions(of), findings));
        return new Diagnosis("drivers", "the operator reaches all", findings);
    }

    private static void reached(String where, List<Condition> conditions, List<Finding> findings) {
        Optional<Condition> connected = find(conditions, ConditionType.CONNECTED);
        if (connected.isEmpty()) {
            findings.add(Finding.warning(
                    where, "the operator has not said whether it reaches the driver", "see the check operator"));
        } else if (!holds(connected.get())) {
            findings.add(Finding.wrong(
                    where,
                    "is not connected: " + sentence(connected.get()),
                    "if its device does not answer, mend the device or driver.yaml; else see the driver's pod,"
                            + " driver.endpoint and the Secret in driver.tls"));
        }
    }

    private static void ready(
            String where, List<Condition> conditions, @Nullable Long generation, List<Finding> findings) {
        Optional<Condition> ready = find(conditions, ConditionType.READY);
        if (ready.isEmpty()) {
            findings.add(Finding.wrong(where, "the operator has not reported on it", "see the check operator"));
            return;
        }
        if (!holds(ready.get()) && !isUnconnected(ready.get(), conditions)) {
            boolean stalled = find(conditions, ConditionType.STALLED)
                    .filter(ConditionCheck::holds)
                    .isPresent();
            findings.add(new Finding(
                    stalled ? Level.wrong : Level.warning,
                    where,
                    "is not Ready: " + sentence(ready.get()),
                    stalled ? "the operator waits for a person" : "wait, or see kubectl lightpath status"));
        }
        Long observed = ready.get().getObservedGeneration();
        if (generation != null && observed != null && observed < generation) {
            findings.add(Finding.warning(
                    where,
                    "the operator has not yet judged generation " + generation,
                    "wait; if it stays so see the check operator"));
        }
    }

    private static boolean isUnconnected(Condition ready, List<Condition> conditions) {
        return find(conditions, ConditionType.CONNECTED)
                .filter(connected -> !holds(connected))
                .filter(connected -> sentence(connected).equals(sentence(ready)))
                .isPresent();
    }

    private static boolean isReady(List<Condition> conditions) {
        return find(conditions, ConditionType.READY)
                .filter(ConditionCheck::holds)
                .isPresent();
    }

    private static List<Condition> conditions(OpticalFabric fabric) {
        return fabric.getStatus() == null ? List.of() : fabric.getStatus().conditions();
    }

    private static List<Condition> conditions(OpticalSwitch of) {
        return of.getStatus() == null ? List.of() : of.getStatus().conditions();
    }

    private static Optional<Condition> find(List<Condition> conditions, ConditionType type) {
        return conditions.stream()
                .filter(condition -> type.word().equals(condition.getType()))
                .findFirst();
    }

    private static boolean holds(Condition condition) {
        return "True".equals(condition.getStatus());
    }

    private static String sentence(Condition condition) {
        return Objects.requireNonNullElse(condition.getReason(), "no reason")
                + (condition.getMessage() == null || condition.getMessage().isEmpty()
                        ? ""
                        : ": " + condition.getMessage());
    }
}
