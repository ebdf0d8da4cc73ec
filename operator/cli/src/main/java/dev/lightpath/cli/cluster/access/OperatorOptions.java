package dev.lightpath.cli.cluster.access;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where the operator answers. */
public final class OperatorOptions {
    @Option(
            names = "--operator",
            paramLabel = "URL",
            defaultValue = "${env:LIGHTPATH_OPERATOR}",
            description =
                    "address of the operator's HTTP port, as http://127.0.0.1:8080; default $LIGHTPATH_OPERATOR, else"
                            + " the pod that leads, by a port forward, else what ConfigMap lightpath-epoch says")
    @Nullable
    private String url;

    @Mixin
    private OperatorNamespace namespace = new OperatorNamespace();

    /** Where the operator runs. */
    public String namespace() {
        return namespace.name();
    }

    /** What the operator last saw. */
    public OperatorView view(Cluster cluster) {
        return new OperatorCall(cluster, namespace.name())
                .view(Optional.ofNullable(url).filter(text -> !text.isBlank()));
    }
}
