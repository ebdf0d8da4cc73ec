package dev.lightpath.crds;

/** The API group of the custom resources. */
public final class ApiGroup {

    public static final String NAME = "lightpath.dev";
    public static final String VERSION = "v1alpha1";

    /** {@code kubectl get lightpath} lists all four resources. */
    public static final String CATEGORY = "lightpath";

    private ApiGroup() {}
}
