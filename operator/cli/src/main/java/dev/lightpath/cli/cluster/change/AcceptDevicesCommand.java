package dev.lightpath.cli.cluster.change;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.OperatorNamespace;
import dev.lightpath.console.report.ShownCondition;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.console.text.ObjectName;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.Reason;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.planner.light.EpochMark;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kubectl lightpath accept-devices fabric/NAME --epoch N}. */
@Command(
        name = "accept-devices",
        description = {
            "Lets the operator go on with devices that were written to under an epoch which its installation never gave, or"
                    + " that remember a later revision of its records (LedgerOlderThanDevices).",
            "It then makes the light that the records ask for. Light that no record explains is treated as"
                    + " policy.foreignCircuits of the fabric says.",
            "Without --epoch and --revision it changes nothing and says what it would do."
        },
        mixinStandardHelpOptions = true)
public final class AcceptDevicesCommand implements Callable<Integer> {
    @Parameters(paramLabel = "fabric/NAME", description = "the OpticalFabric")
    private String object = "";

    @Option(
            names = "--epoch",
            paramLabel = "N",
            description = "accept devices that were written to under this epoch or a lower one; a higher one stops the"
                    + " fabric again")
    @Nullable
    private Long epoch;

    @Option(
            names = "--revision",
            paramLabel = "N",
            description = "accept devices that remember this revision of the records or a lower one")
    @Nullable
    private Long revision;

    @Mixin
    private OperatorNamespace operatorNamespace = new OperatorNamespace();

    @Mixin
    private ActOptions act = new ActOptions();

    @Override
    public Integer call() {
        String name = ObjectName.FABRIC.parse(object);
        return act.carryOut(api -> accept(api, api.fabric(name)));
    }

    private Act accept(Cluster api, OpticalFabric fabric) {
        String name = fabric.getMetadata().getName();
        String object = "fabric/" + name;
        OpticalFabricStatus status = fabric.getStatus();
        List<ShownCondition> told = status == null
                ? List.of()
                : ShownCondition.of(status.conditions()).stream()
                        .filter(condition ->
                                Reason.LEDGER_OLDER_THAN_DEVICES.word().equals(condition.reason())
                                        && condition.type().equals("Ready"))
                        .toList();
        if (told.stream().anyMatch(ShownCondition::holds)) {
            throw new BadInput(told.getFirst().sentence()
                    + ". One agent alone is not accepted: it may tell anything. If the node is yours, remove"
                    + " /var/lib/lightpath-agent there and restart its agent");
        }
        List<String> evidence = told.stream().map(ShownCondition::sentence).toList();
        if (status == null || evidence.isEmpty()) {
            throw new BadInput(
                    object
                            + " is not stopped by LedgerOlderThanDevices: there is nothing to accept; end a pause first, which hides it");
        }
        Long foundEpoch = status.driver() == null ? null : status.driver().epoch();
        Long foundRevision = status.ledger() == null ? null : status.ledger().newer();
        requireAcceptable(api, object, foundEpoch);
        String accepting = option("--epoch", foundEpoch) + option("--revision", foundRevision);
        if (epoch == null && revision == null) {
            throw new BadInput(evidence.getFirst()
                    + ". If no other operator writes to these devices and the records are those you want: kubectl"
                    + " lightpath accept-devices " + object + accepting + ". The operator then makes the circuits that"
                    + " the records ask for; circuits that no record explains " + foreign(fabric));
        }
        if (!Objects.equals(epoch, foundEpoch) || !Objects.equals(revision, foundRevision)) {
            throw new BadInput(object + " has changed, or other devices were meant; allowed is" + accepting);
        }
        Map<String, String> annotations = new HashMap<>();
        if (epoch != null) {
            annotations.put(LightpathAnnotations.ACCEPTED_EPOCH, epoch.toString());
        }
        if (revision != null) {
            annotations.put(LightpathAnnotations.ACCEPTED_REVISION, revision.toString());
        }
        Act.patch(
                api.client().resources(OpticalFabric.class).withName(name),
                Map.of("metadata", Map.of("annotations", annotations)));
        return new Act(
                object,
                "accepted with" + accepting,
                true,
                List.of("the operator goes on above that; what is higher and not its own stops the fabric again"));
    }

    /** The operator ignores such an epoch. Its last one is known to whoever may read its ConfigMap. */
    private void requireAcceptable(Cluster api, String object, @Nullable Long found) {
        OptionalLong last = api.lastEpoch(operatorNamespace.name());
        if (found != null && last.isPresent() && new EpochMark(found, "").isTooHighAfter(last.getAsLong())) {
            throw new BadInput(object + ": epoch " + found + " cannot be accepted, because it is more than 2^20 above "
                    + last.getAsLong() + ", the last one of this installation (ConfigMap " + operatorNamespace.name()
                    + "/"
                    + LightpathNames.EPOCH_CONFIG_MAP + "); set the epoch of the driver (docs/operating.md,"
                    + " \"Epochs that a driver refuses\")");
        }
    }

    private static String foreign(OpticalFabric fabric) {
        return switch (fabric.getSpec().policy().foreignCircuits()) {
            case REPORT -> "stay (policy.foreignCircuits: Report)";
            case REMOVE -> "are taken down (policy.foreignCircuits: Remove)";
        };
    }

    private static String option(String name, @Nullable Long found) {
        return found == null ? "" : " " + name + " " + found;
    }
}
