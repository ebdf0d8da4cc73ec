package dev.lightpath.crds;

/** The regular expressions of the schema that several resources share. */
public final class Formats {

    /** What Kubernetes takes as the value of a label; the length (63) is checked beside it. */
    public static final String LABEL_VALUE = "^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$";

    /** What Kubernetes takes as the key of a label, with or without a prefix. */
    public static final String LABEL_KEY =
            "^([a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$";

    /** What Kubernetes takes as the name of an extended resource: a label key with a prefix. */
    public static final String EXTENDED_RESOURCE =
            "^[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*/[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$";

    /** What Kubernetes takes as the name of most objects. */
    public static final String OBJECT_NAME = "^[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$";

    /** What Kubernetes takes as the type of a condition. */
    public static final String CONDITION_TYPE =
            "^([a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*/)?[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$";

    /** Group and version of an API. */
    public static final String API_VERSION =
            "^([a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*/)?v[1-9][0-9]{0,3}((alpha|beta)[1-9][0-9]{0,3})?$";

    /** Kind of an API. */
    public static final String KIND = "^[A-Z][A-Za-z0-9]*$";

    /** A port by the device's own name for it: no blanks, and not {@code >}, which joins the ports of a circuit. */
    public static final String PORT = "^[!-=?-~]+$";

    /** A device by its driver's name for it. */
    public static final String DEVICE = "^[!-~]+$";

    /** A decimal number that is not negative: {@code 3.0}. */
    public static final String DECIMAL = "^[0-9]{1,9}([.][0-9]{1,9})?$";

    /** A decimal number that is not negative, or one with an exponent: {@code 1e-9}. */
    public static final String SCIENTIFIC = "^[0-9]{1,9}([.][0-9]{1,9})?([eE]-?[0-9]{1,2})?$";

    /** A URL without user, query and fragment: {@code https://prometheus.monitoring.svc:9090/team}. */
    public static final String HTTP_URL =
            "^https?://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[1-9][0-9]{0,4})?(/[A-Za-z0-9._~-]+)*/?$";

    /** A path of a URL, of letters that need no escape: {@code /light}. */
    public static final String URL_PATH = "^(/[A-Za-z0-9._~-]+)*/?$";

    /** CEL: {@code self.endpoint} is host:port. */
    public static final String ENDPOINT_RULE = "self.endpoint.matches('^([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?"
            + "|\\\\[[0-9A-Fa-f:.]+\\\\]):([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$')";

    /** The message of {@link #ENDPOINT_RULE}. */
    public static final String ENDPOINT_MESSAGE =
            "endpoint must be host:port with a port from 1 to 65535, for example driver.lightpath-system.svc:9440";

    /** CEL: {@code self.endpoint} is host:port, or says where the agent of each node is. */
    public static final String ENDPOINT_OR_TEMPLATE_RULE =
            "self.endpoint.matches('^([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?"
                    + "|\\\\[[0-9A-Fa-f:.]+\\\\]|[{]node[}]|[{]address[}]):([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}"
                    + "|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$')";

    /** The message of {@link #ENDPOINT_OR_TEMPLATE_RULE}. */
    public static final String ENDPOINT_OR_TEMPLATE_MESSAGE =
            "endpoint must be host:port with a port from 1 to 65535, for example driver.lightpath-system.svc:9440, or"
                    + " {node}:port or {address}:port if each node has a driver of its own";

    private Formats() {}
}
