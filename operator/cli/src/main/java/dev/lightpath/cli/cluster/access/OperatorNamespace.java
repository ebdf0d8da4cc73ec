package dev.lightpath.cli.cluster.access;

import picocli.CommandLine.Option;

/** In which namespace the operator is looked for. */
public final class OperatorNamespace {
    private static final String USUAL = "lightpath-system";

    @Option(
            names = "--operator-namespace",
            paramLabel = "NAME",
            defaultValue = USUAL,
            description = "where the operator runs (default: ${DEFAULT-VALUE})")
    private String name = USUAL;

    public String name() {
        return name;
    }
}
