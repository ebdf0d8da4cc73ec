package dev.lightpath.app.kueue;

import com.fasterxml.jackson.databind.JsonNode;

/** State of one AdmissionCheck of a Workload. */
public enum CheckState {
    /** Not answered, or its answer is on its way. The Workload keeps its quota. */
    PENDING("Pending"),
    /** The Workload may run. */
    READY("Ready"),
    /** The Workload gives its quota back and waits in its queue. */
    RETRY("Retry"),
    /** The Workload is deactivated; the operator never answers so. */
    REJECTED("Rejected");

    private final String word;

    CheckState(String word) {
        this.word = word;
    }

    /** How it is written in the API. */
    public String word() {
        return word;
    }

    static CheckState of(JsonNode entry) {
        String word = entry.path("state").asText();
        for (CheckState state : values()) {
            if (state.word.equals(word)) {
                return state;
            }
        }
        return PENDING;
    }
}
