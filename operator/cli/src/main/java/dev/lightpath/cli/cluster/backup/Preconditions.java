package dev.lightpath.cli.cluster.backup;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.console.report.Leader;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.LightpathNames;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** What has to be so before the first object is restored: a restore that ends halfway is found out here. */
final class Preconditions {
    private Preconditions() {}

    /** @throws BadInput with what is missing, and what to do */
    static void check(Cluster cluster, BackupFile backup, String operatorNamespace, Instant now) {
        nobodyLeads(cluster.leader(operatorNamespace, now), operatorNamespace);
        for (String namespace : backup.namespaces()) {
            if (cluster.client().namespaces().withName(namespace).get() == null) {
                throw new BadInput("there is no namespace " + namespace + ": create it first (kubectl create namespace "
                        + namespace + ")");
            }
        }
        for (String namespace : backup.namespaces()) {
            if (!mayRestore(cluster, namespace)) {
                throw new BadInput("forbidden: you may not restore fabricslices in namespace " + namespace
                        + "; a binding of ClusterRole lightpath-restore allows it");
            }
        }
    }

    private static void nobodyLeads(Optional<Leader> known, String operatorNamespace) {
        Leader leader =
                known.orElseThrow(() -> new BadInput("forbidden: whether an operator leads cannot be read; needed"
                        + " is get leases/" + LightpathNames.LEASE + " in namespace " + operatorNamespace));
        if (leader.leads()) {
            throw new BadInput("the operator " + leader.holder()
                    + " leads, and would place jobs before their records are"
                    + " there: kubectl -n " + operatorNamespace + " scale deployment lightpath-operator --replicas=0,"
                    + " and try again a minute after it last renewed its Lease, at " + leader.renewed());
        }
    }

    private static boolean mayRestore(Cluster cluster, String namespace) {
        return Stream.of("restore", "create").allMatch(verb -> cluster.may(verb, "fabricslices", namespace, null));
    }
}
