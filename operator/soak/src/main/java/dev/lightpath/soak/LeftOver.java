package dev.lightpath.soak;

import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.soak.oracle.Records;
import io.fabric8.kubernetes.api.model.Node;
import java.util.ArrayList;
import java.util.List;

/** What must not be there any more when all jobs have left and everything is healed. */
final class LeftOver {
    private final Site site;

    LeftOver(Site site) {
        this.site = site;
    }

    /**
     * A line for each thing.
     *
     * @param standing faults that the emulator still has
     * @param nodes of the cluster
     */
    List<String> of(Records records, int standing, List<Node> nodes) {
        List<String> left = new ArrayList<>();
        records.jobs().keySet().forEach(job -> left.add("job " + job));
        records.slices().stream()
                .filter(slice -> slice.getSpec().job() != null)
                .forEach(slice -> left.add("slice " + slice.getMetadata().getName()));
        if (standing > 0) {
            left.add(standing + " faults of the emulator");
        }
        for (String name : site.fabrics()) {
            var fabric = records.fabrics().get(name);
            if (fabric != null && fabric.getStatus() != null) {
                of(name, fabric.getStatus(), left);
            }
        }
        for (Node node : nodes) {
            if (site.nodes().containsKey(node.getMetadata().getName())) {
                of(node, left);
            }
        }
        return left;
    }

    private static void of(String fabric, OpticalFabricStatus status, List<String> left) {
        status.faults()
                .forEach(fault -> left.add("fault " + fault.subject() + " (" + fault.reason() + ") of " + fabric));
        if (!status.quarantinedPorts().isEmpty()) {
            left.add("quarantined ports " + status.quarantinedPorts() + " of " + fabric);
        }
        if (status.circuits() != null
                && status.circuits().foreign() + status.circuits().missing() > 0) {
            left.add(status.circuits() + " of " + fabric);
        }
        if (status.nodes() != null && status.nodes().allocated() > 0) {
            left.add(status.nodes().allocated() + " allocated nodes of " + fabric);
        }
    }

    private static void of(Node node, List<String> left) {
        node.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("OpticalLinkDegraded")
                                && condition.getStatus().equals("True")
                        || condition.getType().equals("OpticalFabricReady")
                                && condition.getStatus().equals("False"))
                .forEach(condition -> left.add("condition " + condition.getType() + "=" + condition.getStatus() + " of "
                        + node.getMetadata().getName()));
    }
}
