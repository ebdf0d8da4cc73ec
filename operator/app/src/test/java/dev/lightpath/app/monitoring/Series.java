package dev.lightpath.app.monitoring;

import dev.lightpath.app.monitoring.Dashboard.Variable;
import dev.lightpath.app.monitoring.Metric.Query;
import java.util.List;

/**
 * The series that dashboards ask for, and questions that several of them ask.
 *
 * @param ports the driver's page of single ports
 */
record Series(Catalogue operator, Catalogue driver, Catalogue ports) {
    static final String FABRIC = "fabric";
    static final String STATE = "state";
    static final String NAMESPACE = "namespace";
    static final String JOB = "job";
    static final String DEVICE = "device";

    Variable fabric() {
        return new Variable(FABRIC, operator.get("lightpath_fabric_nodes"), List.of());
    }

    Query jobCount(String... states) {
        return operator.get("lightpath_job_count").all().in(STATE, states).max(STATE);
    }

    Query fabrics(String series, String state) {
        return operator.get(series).chosen(FABRIC).with(STATE, state).max(FABRIC);
    }

    static Query sum(Query query) {
        return new Query("sum(" + query.text() + ")");
    }

    static Query count(Query query) {
        return new Query("count(" + query.text() + ")").orZero();
    }
}
