package dev.lightpath.cli.cluster.doctor;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.ocs.WiringCheck;
import dev.lightpath.reading.OcsIntentReader;
import dev.lightpath.reading.SharedDrivers;
import dev.lightpath.reading.SharedNodes;
import io.fabric8.kubernetes.api.model.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The fibre is described without contradictions: no port twice, no device twice, no node in two fabrics. */
final class WiringDescriptionCheck {
    private WiringDescriptionCheck() {}

    static Diagnosis of(Collection<OpticalFabric> fabrics, Collection<OpticalSwitch> switches, Collection<Node> nodes) {
        List<Finding> findings = new ArrayList<>();
        devices(switches, findings);
        fibres(switches, findings);
        SharedDrivers.refused(fabrics, switches)
                .forEach((fabric, why) ->
                        findings.add(Finding.wrong("opticalfabric/" + fabric, why, "one driver has one client")));
        SharedNodes.refused(fabrics, nodes)
                .forEach((fabric, why) ->
                        findings.add(Finding.wrong("opticalfabric/" + fabric, why, "a node is of one fabric")));
        OcsIntentReader reader = new OcsIntentReader("");
        for (OpticalFabric fabric : fabrics) {
            String where = "opticalfabric/" + fabric.getMetadata().getName();
            try {
                reader.read(fabric, switches, nodes)
                        .ifPresent(intent -> WiringCheck.findings(OcsWiring.of(intent))
                                .forEach(line -> findings.add(
                                        Finding.wrong(where, line, "correct the OpticalSwitches or the fabric"))));
            } catch (IllegalArgumentException e) {
                findings.add(Finding.wrong(where, String.valueOf(e.getMessage()), "correct its topology"));
            }
        }
        return new Diagnosis("wiring", "of " + switches.size() + " switches without contradictions", findings);
    }

    /** What is not known of fibres, and what was found otherwise than it is written. */
    private static void fibres(Collection<OpticalSwitch> switches, List<Finding> findings) {
        for (OpticalSwitch of : switches) {
            String where = "opticalswitch/" + of.getMetadata().getName();
            String discover = "kubectl lightpath discover fabric/"
                    + of.getSpec().fabric() + " --switch " + of.getMetadata().getName();
            if (of.getSpec().wiring().unknown() != null) {
                findings.add(Finding.warning(
                        where, "its wiring is unknown: nothing is planned on it", discover + " --wait --write DIR"));
            }
            if (of.getStatus() != null && of.getStatus().discovery() != null) {
                of.getStatus()
                        .discovery()
                        .findings()
                        .forEach(line -> findings.add(
                                Finding.warning(where, line, "correct the fibre or spec.wiring; see " + discover)));
            }
        }
    }

    private static void devices(Collection<OpticalSwitch> switches, List<Finding> findings) {
        Map<String, List<String>> byDevice = new TreeMap<>();
        for (OpticalSwitch of : switches) {
            byDevice.computeIfAbsent(
                            of.getSpec().driver().endpoint() + " "
                                    + of.getSpec().driver().deviceId(),
                            unseen -> new ArrayList<>())
                    .add(of.getMetadata().getName());
        }
        byDevice.forEach((device, names) -> {
            if (names.size() > 1) {
                findings.add(Finding.wrong(
                        "opticalswitch/" + names.getFirst(),
                        "is the device " + device.split(" ", 2)[1] + " of driver " + device.split(" ", 2)[0]
                                + ", and so is " + String.join(", ", names.subList(1, names.size())),
                        "describe each device once"));
            }
        });
    }
}
