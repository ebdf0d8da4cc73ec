package dev.lightpath.crds.slice;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What there is to hope for where a slice is not what its job asked for. */
public enum Outlook {
    /** No repair fits, and the whole job can be placed anew. */
    @JsonProperty("Elsewhere")
    ELSEWHERE,

    /**
     * What answers is dark. Only devices that are gone, do not answer, refuse or cannot be moved are left to be read
     * back.
     */
    @JsonProperty("OnlySilent")
    ONLY_SILENT,

    /** The fabric could not hold it even if all of it were well and free. */
    @JsonProperty("Never")
    NEVER,

    /** It has fewer replicas than its job wants, and there is room for more once no pod of the job runs. */
    @JsonProperty("Wider")
    WIDER
}
