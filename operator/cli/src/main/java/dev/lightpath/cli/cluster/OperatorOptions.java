package dev.lightpath.cli.cluster;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the operator answers. */
final class OperatorOptions {
    static final String HOME = "lightpath-system";

    @Option(
            names = "--operator",
            paramLabel = "URL",
            defaultValue = "${env:LIGHTPATH_OPERATOR}",
            description =
                    "address of the operator's HTTP port, as http://127.0.0.1:8080; default $LIGHTPATH_OPERATOR, else"
                            + " the pod that leads, through the API server, else what ConfigMap lightpath-epoch says")
    @Nullable
    private String url;

    @Option(
            names = "--operator-namespace",
            paramLabel = "NAME",
            defaultValue = HOME,
            description = "where the operator runs (default: ${DEFAULT-VALUE})")
    private String namespace = HOME;

    /** What the operator last saw. */
    OperatorView view(Cluster cluster) {
        return OperatorView.fetch(cluster, namespace, Optional.ofNullable(url).filter(text -> !text.isBlank()));
    }
}
